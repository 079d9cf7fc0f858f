/** The diff of a file as a model reads it. */
import { expect, test } from 'vitest'
import { createFence } from '../../../../src/base/untrusted/untrusted.ts'
import { renderFileBlock } from '../../../../src/pipeline/reviewer/render/file-block.ts'
import { contextOf, createWorld } from '../../validation/world.ts'

const fence = createFence('0123456789abcdef')

test('what was replaced is in one piece: an empty line or a brace does not tear it apart', () => {
  const before = 'keep\nold one {\n}\n\nold two {\n}\nkeep too\n'
  const after = 'keep\nnew one {\n}\n\nnew two {\n}\nkeep too\n'
  const { change } = createWorld({ 'src/a.ts': before }, { 'src/a.ts': after })
  const [file] = change.files
  if (!file) throw new Error('there is no change')
  const { text, shown } = renderFileBlock(file, {
    context: contextOf(change),
    candidates: [],
    chain: [],
    fence,
    maxBytes: 10_000,
  })
  const rows = [...text.matchAll(/^\[([LO]\d+)#\w{3}\] (.)(.*)$/gm)].map(
    ([, tag, sign, words]) => `${tag}${sign}${words}`,
  )
  expect(rows).toEqual([
    'L1 keep',
    'O2-old one {',
    'O5-old two {',
    'L2+new one {',
    'L3 }',
    'L4 ',
    'L5+new two {',
    'L6 }',
    'L7 keep too',
  ])
  expect(shown).toHaveLength(9)
})
