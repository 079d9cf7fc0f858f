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

test('a signature is said where the diff does not show its lines, before and after', () => {
  const filler = Array.from({ length: 40 }, (_, at) => `line${at}\n`).join('')
  const { change } = createWorld({ 'src/a.ts': `one(a)\n${filler}` }, { 'src/a.ts': `one(a, b)\n${filler}` })
  const [file] = change.files
  if (!file) throw new Error('there is no change')
  const side = (name: string, line: number, text: string, path = 'src/a.ts') => ({
    path,
    symbol: { ...symbol(name, line), signature: { ...symbol(name, line).signature, text } },
  })
  const changed = (name: string, line: number, from = 'src/a.ts') =>
    symbolChange({
      kind: 'signature-changed',
      before: side(name, line, `${name}(a)`, from),
      after: side(name, line, `${name}(a, b)`),
    })
  const { text } = renderFileBlock(file, {
    context: contextOf(change, {
      symbols: [changed('one', 1), changed('far', 30), changed('come', 1, 'src/b.ts')],
    }),
    candidates: [],
    chain: [],
    fence,
    maxBytes: 10_000,
  })
  expect(text.match(/^signature-changed.*$/gm)).toEqual([
    'signature-changed: function far (line 30): before `far(a)`, after `far(a, b)`',
    'signature-changed: function come (line 1, from src/b.ts): before `come(a)`, after `come(a, b)`',
  ])
})
