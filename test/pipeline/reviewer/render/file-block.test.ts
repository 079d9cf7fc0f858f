/** The diff of a file as a model reads it. */
import { expect, test } from 'vitest'
import { createFence } from '../../../../src/base/untrusted/untrusted.ts'
import { renderFileBlock } from '../../../../src/pipeline/reviewer/render/file-block.ts'
import { contextOf, createWorld, symbol, symbolChange } from '../../validation/world.ts'

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

test('of symbols what the diff does not say by itself, and symbols with the same tests in one line', () => {
  const { change } = createWorld({ 'src/a.ts': 'one\n' }, { 'src/a.ts': 'two\n' })
  const [file] = change.files
  if (!file) throw new Error('there is no change')
  const side = (name: string, more = {}) => ({ path: 'src/a.ts', symbol: { ...symbol(name, 1), ...more } })
  const { text } = renderFileBlock(file, {
    context: contextOf(change, {
      symbols: [
        symbolChange({
          kind: 'body-changed',
          before: side('inner'),
          after: side('inner'),
          bodyChanged: true,
        }),
        symbolChange({ kind: 'added', before: null, after: side('checks', { isTest: true }) }),
        symbolChange({ kind: 'added', before: null, after: side('fresh') }),
        symbolChange({ kind: 'removed', before: side('gone'), after: null }),
      ],
      tests: ['inner', 'fresh'].map((name) => ({
        symbol: name,
        path: 'src/a.ts',
        tests: [{ path: 'test/a.test.ts', changed: true }],
      })),
    }),
    candidates: [],
    chain: [],
    fence,
    maxBytes: 10_000,
  })
  const [, symbols = ''] = text.split('Symbols that changed:')
  expect(symbols.match(/^[\w-]+: \w+ \w+/gm)?.map((line) => line.replace(/ \w+ /, ' '))).toEqual([
    'added: fresh',
    'removed: gone',
  ])
  expect(text).toContain('\ninner, fresh: test/a.test.ts (changed too)\n')
})
