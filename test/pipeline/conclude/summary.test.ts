import { describe, expect, test } from 'vitest'
import type { SignatureDelta } from '../../../src/domain/code-symbol.ts'
import { describeFile } from '../../../src/pipeline/conclude/file-words.ts'
import { keyChangesOf } from '../../../src/pipeline/conclude/key-changes.ts'
import { summarise } from '../../../src/pipeline/conclude/summary.ts'
import { describeSymbolChange } from '../../../src/pipeline/conclude/symbol-words.ts'
import { changed, codeSymbol, contextWith, coverageOf, fileChange, verdictOn } from './parts.ts'

const parameter = (name: string) => ({
  name,
  type: null,
  optional: false,
  variadic: false,
  keywordOnly: false,
})
const nothing: SignatureDelta = {
  parametersAdded: [],
  parametersRemoved: [],
  reordered: false,
  parametersChanged: [],
  returnType: null,
  visibility: null,
}
const parse = codeSymbol('parse')
const reshaped = (delta: Partial<SignatureDelta>) =>
  changed('signature-changed', 'src/a.ts', parse, { delta: { ...nothing, ...delta } })

test.each([
  [reshaped({ parametersAdded: [parameter('strict')] }), '`parse()` gained parameter `strict`'],
  [
    reshaped({ parametersAdded: [parameter('a'), parameter('b')], parametersRemoved: [parameter('c')] }),
    '`parse()` gained parameters `a` and `b` and lost parameter `c`',
  ],
  [reshaped({ returnType: { before: 'A', after: 'B' } }), '`parse()` returns `B` instead of `A`'],
  [reshaped({ reordered: true }), '`parse()` takes its parameters in another order'],
  [
    reshaped({ visibility: { before: 'exported', after: 'private' } }),
    '`parse()` is private instead of exported',
  ],
  [changed('added', 'a.ts', codeSymbol('Reader', { kind: 'class' })), 'class `Reader` added'],
  [
    changed('removed', 'a.ts', codeSymbol('next', { kind: 'method', scope: 'Reader' })),
    'method `Reader.next()` removed',
  ],
  [
    changed('renamed', 'a.ts', codeSymbol('read'), { before: { path: 'a.ts', symbol: parse } }),
    '`parse()` renamed to `read()`',
  ],
  [
    changed('moved', 'b.ts', parse, { before: { path: 'a.ts', symbol: parse } }),
    '`parse()` moved here from `a.ts`',
  ],
  [changed('body-changed', 'a.ts', parse), '`parse()` has another body'],
])('a symbol change in words: %#', (change, words) => {
  expect(describeSymbolChange(change)).toBe(words)
})

test('foreign names cannot break out of their backticks, hide, or run on', () => {
  const words = describeSymbolChange(changed('added', 'a.ts', codeSymbol(`x\`\u202e${'y'.repeat(500)}`)))
  expect(words).toMatch(/^function `x'⟦U\+202E⟧y+…` added$/)
  expect(words.length).toBeLessThan(130)
})

describe('key changes', () => {
  const files = [
    fileChange('src/a.ts'),
    fileChange('README.md', { role: 'docs', language: null }),
    fileChange('x.lock', { role: 'lock' }),
  ]

  test('what others rest on comes first, at most five, at most two of one file', () => {
    const bodies = [1, 2, 3].map((n) =>
      changed('body-changed', 'src/c.ts', codeSymbol(`f${n}`, { startLine: n })),
    )
    const changes = [
      ...bodies,
      changed('added', 'src/b.ts', codeSymbol('fresh')),
      changed('removed', 'src/a.ts', parse),
    ]
    expect(keyChangesOf(files, changes)).toEqual([
      '`src/a.ts`: function `parse()` removed',
      '`src/b.ts`: function `fresh()` added',
      '`src/c.ts`: `f1()` has another body',
      '`src/c.ts`: `f2()` has another body',
    ])
    const many = Array.from({ length: 9 }, (_, n) => changed('added', `src/${n}.ts`, codeSymbol(`g${n}`)))
    expect(keyChangesOf(files, many)).toHaveLength(5)
  })
  test('files fill up where symbols are few', () => {
    expect(keyChangesOf(files, [changed('removed', 'src/a.ts', parse)])).toEqual([
      '`src/a.ts`: function `parse()` removed',
      '`README.md`: 3 lines added, 1 removed',
      '`x.lock`: 3 lines added, 1 removed',
    ])
  })
  test('the methods of a new class are told with the class, tests last', () => {
    const all = [
      changed('added', 'src/a.ts', codeSymbol('Reader', { kind: 'class' })),
      changed('added', 'src/a.ts', codeSymbol('next', { kind: 'method', scope: 'Reader' })),
      changed('added', 'test/a.ts', codeSymbol('reads', { isTest: true })),
    ]
    expect(keyChangesOf([], all)).toEqual([
      '`src/a.ts`: class `Reader` added',
      '`test/a.ts`: function `reads()` added',
    ])
  })
})

test.each([
  [fileChange('a.ts', { status: 'added' }), 'new file'],
  [fileChange('a.ts', { status: 'deleted' }), 'deleted'],
  [fileChange('a.ts', { status: 'renamed', oldPath: 'b.ts' }), 'renamed from `b.ts`'],
  [fileChange('a.ts', { newMode: '100755' }), 'mode 100644 → 100755'],
  [fileChange('a.png', { kind: 'binary' }), 'binary'],
  [fileChange('lib', { kind: 'submodule' }), 'submodule 11111111 → 22222222'],
  [fileChange('a.ts'), '3 lines added, 1 removed'],
  [fileChange('a.ts', { omitted: 'larger than 1 MB' }), 'larger than 1 MB'],
])('a file in words: %#', (file, words) => {
  expect(describeFile(file, [])).toBe(words)
})

test('a file tells its heaviest symbol changes and counts the rest', () => {
  const changes = ['a', 'b', 'c', 'd'].map((name, at) =>
    changed('added', 'a.ts', codeSymbol(name, { startLine: at + 1 })),
  )
  expect(describeFile(fileChange('a.ts'), changes)).toBe(
    'function `a()` added; function `b()` added; 2 more symbol changes',
  )
})

test('the summary is plain facts in at most eight lines', () => {
  const context = contextWith(
    {
      files: [fileChange('src/a.ts'), fileChange('test/a.ts', { role: 'test', status: 'added' })],
      overflow: ['z'],
    },
    { symbols: [changed('removed', 'src/a.ts', parse)] },
  )
  const dropped = verdictOn({}, { outcome: 'dropped', step: 'anchor', finding: null })
  const coverage = coverageOf({
    planes: [...coverageOf().planes, { plane: 'rules', state: 'failed', reason: 'x', candidates: 0 }],
    complete: false,
  })
  expect(summarise(context, [verdictOn(), dropped], coverage).split('\n')).toEqual([
    'Changes 3 files (1 added and 1 modified; 1 of them a test): 6 lines added, 2 removed.',
    'Symbols: 1 removed.',
    'Findings: 1 high; 1 candidate of 2 was dropped by the checks.',
    'Planes that ran: contract; rules failed.',
    'The review is incomplete: 1 plane failed.',
  ])
  expect(summarise(contextWith({}), [], coverageOf({ planes: [] }))).toBe(
    'The change is empty.\nNo symbol of an indexed language changed.\nNo finding stands.\nNo plane ran.',
  )
})
