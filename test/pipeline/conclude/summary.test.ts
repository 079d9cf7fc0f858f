import { describe, expect, test } from 'vitest'
import type { CodeSymbol, SignatureDelta } from '../../../src/domain/code-symbol.ts'
import {
  describeFile,
  describeSymbolChange,
  keyChangesOf,
  leadingChanges,
} from '../../../src/pipeline/conclude/key-changes.ts'
import { summarise } from '../../../src/pipeline/conclude/summary.ts'
import { sampleEvidence } from '../../helpers/sample-review.ts'
import { changed, codeSymbol, contextWith, fileChange, verdictOn } from './parts.ts'

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
const titled = (title: string) => codeSymbol(title, { isTest: true })
const reshaped = (delta: Partial<SignatureDelta>) =>
  changed('signature-changed', 'src/a.ts', parse, { delta: { ...nothing, ...delta } })

test.each([
  [reshaped({ parametersAdded: [parameter('strict')] }), '`parse()` gained parameter `strict`'],
  [
    reshaped({ parametersAdded: [parameter('a'), parameter('b')], parametersRemoved: [parameter('c')] }),
    '`parse()` gained parameters `a` and `b` and lost parameter `c`',
  ],
  [reshaped({ returnType: { before: 'A', after: 'B' } }), '`parse()` returns `B` instead of `A`'],
  [
    reshaped({
      parametersAdded: [parameter('{ url, items, parent, }'), parameter('a')],
      parametersRemoved: [parameter('{ items, index, }')],
    }),
    '`parse()` gained parameter `a`, now destructures `url` and `parent` and no longer destructures `index`',
  ],
  [
    reshaped({ returnType: { before: `${'A'.repeat(120)}B`, after: `${'A'.repeat(120)}C` } }),
    '`parse()` changed its return type',
  ],
  [
    changed('signature-changed', 'src/a.ts', codeSymbol('size', { kind: 'field', scope: 'Box' }), {
      delta: { ...nothing, returnType: { before: 'A', after: 'B' } },
    }),
    '`Box.size` is `B` instead of `A`',
  ],
  [
    changed(
      'signature-changed',
      'a.swift',
      codeSymbol('Client', {
        kind: 'impl',
        signature: { text: 'extension Client: Uploads', parameters: null, returnType: null },
      }),
    ),
    '`extension Client: Uploads` has a changed signature',
  ],
  [reshaped({ reordered: true }), '`parse()` takes its parameters in a different order'],
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
    changed(
      'added',
      'a.rs',
      codeSymbol('Guard', {
        kind: 'impl',
        signature: { text: 'impl Drop for Guard', parameters: null, returnType: null },
      }),
    ),
    '`impl Drop for Guard` added',
  ],
  [
    changed('renamed', 'a.ts', codeSymbol('read'), { before: { path: 'a.ts', symbol: parse } }),
    '`parse()` renamed to `read()`',
  ],
  [
    changed('moved', 'b.ts', parse, { before: { path: 'a.ts', symbol: parse } }),
    '`parse()` moved here from `a.ts`',
  ],
  [changed('body-changed', 'a.ts', parse), '`parse()` changed'],
  [
    changed('renamed', 'a.test.ts', titled('keeps the signature'), {
      before: { path: 'a.test.ts', symbol: titled('drops the signature') },
      delta: { ...nothing, parametersAdded: [parameter('done')] },
    }),
    'test `drops the signature` renamed to `keeps the signature`',
  ],
  [
    changed('signature-changed', 'a.test.ts', titled('reads it all'), { delta: nothing }),
    'test `reads it all` changed',
  ],
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
      '`src/c.ts`: `f1()` changed',
      '`src/c.ts`: `f2()` changed',
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
      changed('added', 'test/a.ts', codeSymbol('query', { kind: 'method', scope: 'reads a book' })),
      changed('added', 'test/a.ts', codeSymbol('reads', { isTest: true })),
    ]
    expect(keyChangesOf([], all)).toEqual([
      '`src/a.ts`: class `Reader` added',
      '`test/a.ts`: test `reads()` added',
      '`test/a.ts`: method `query()` added',
    ])
  })
  test('the impl blocks of a new type are told with the type, those of another one are not', () => {
    const inTests = (name: string, kind: CodeSymbol['kind']) =>
      changed('added', 'src/a.rs', codeSymbol(name, { kind, scope: 'tests' }))
    const all = [
      inTests('Guard', 'struct'),
      inTests('Guard', 'impl'),
      inTests('Guard', 'impl'),
      changed('added', 'src/a.rs', codeSymbol('drop', { kind: 'method', scope: 'tests.Guard' })),
      inTests('Other', 'impl'),
    ]
    expect(leadingChanges(all).map(({ after }) => `${after?.symbol.kind} ${after?.symbol.name}`)).toEqual([
      'struct Guard',
      'impl Other',
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
  expect(summarise(context, [verdictOn(), dropped]).split('\n')).toEqual([
    'Changes 3 files (1 added and 1 modified; 1 of them a test): 6 lines added, 2 removed.',
    'What it does: function `parse()` removed.',
    'Risk: `parse()` is visible to other files and was removed, renamed, moved or given a new signature.',
    '1 of 2 candidates was dropped by the checks.',
  ])
  expect(summarise(contextWith({}), [])).toBe('The change is empty.')
})

describe('what it does and risk', () => {
  const files = [fileChange('src/a.ts')]
  const lineOf = (text: string, beginning: string) =>
    text.split('\n').find((line) => line.startsWith(beginning))

  test('of many symbols the weightiest are named and the rest counted', () => {
    const symbols = [
      changed('removed', 'src/a.ts', parse),
      ...['f', 'g', 'h'].map((name, at) =>
        changed('body-changed', 'src/a.ts', codeSymbol(name, { startLine: at })),
      ),
    ]
    expect(lineOf(summarise(contextWith({ files }, { symbols }), []), 'What it does')).toBe(
      'What it does: function `parse()` removed; `f()` changed; `g()` changed. Symbols in all: 1 removed, 3 with a changed body only.',
    )
  })
  test('who uses what was touched outside the change', () => {
    const at = (path: string, title = 'user of parse') => sampleEvidence({ path, title })
    const evidence = [
      at('src/d.ts'),
      at('src/c.ts'),
      at('src/c.ts'),
      at('src/a.ts'),
      at('src/x.ts', 'has words of the change'),
      at('test/b.ts', 'test of parse'),
      at('src/e.ts', 'caller of parse'),
    ]
    expect(lineOf(summarise(contextWith({ files }, { evidence }), []), 'Risk')).toBe(
      'Risk: 4 files outside the change use what it changes (`src/c.ts`, `src/d.ts`, `src/e.ts` and 1 more).',
    )
    expect(lineOf(summarise(contextWith({ files }), []), 'Risk')).toBeUndefined()
  })
  test('what a header declares and its source defines is said once', () => {
    const send = (path: string) =>
      changed('signature-changed', path, codeSymbol('send', { kind: 'method', scope: 'Peer' }), {
        delta: {
          ...nothing,
          parametersChanged: [{ name: 't', before: parameter('t'), after: parameter('t') }],
        },
      })
    const symbols = [send('src/peer.h'), send('src/peer.cpp')]
    const users = ['src/app.cpp']
    const tests = ['src/peer.h', 'src/peer.cpp'].map((path) => ({ symbol: 'send', path, tests: [], users }))
    const cpp = [fileChange('src/peer.h'), fileChange('src/peer.cpp')]
    const text = summarise(contextWith({ files: cpp }, { symbols, tests }), [])
    expect(lineOf(text, 'What it does')).toBe('What it does: `Peer.send()` changed parameter `t`.')
    expect(lineOf(text, 'Risk')).toBe(
      'Risk: `Peer.send()` is visible to other files and was removed, renamed, moved or given a new signature; outside the change and tests, `send` is named in `src/app.cpp`.',
    )
    expect(keyChangesOf(cpp, symbols).filter((bullet) => bullet.includes('Peer.send'))).toHaveLength(1)
  })
  test('a block of members is not the type, and a helper of tests is no risk', () => {
    const block = codeSymbol('StreamBody', { kind: 'impl', visibility: 'exported' })
    const helper = codeSymbol('openPage', { visibility: 'exported' })
    const symbols = [changed('removed', 'src/a.rs', block), changed('removed', 'test/b.rs', helper)]
    const both = [fileChange('src/a.rs'), fileChange('test/b.rs', { role: 'test' })]
    expect(lineOf(summarise(contextWith({ files: both }, { symbols }), []), 'Risk')).toBeUndefined()
  })
  test('a list that was cut is no count', () => {
    const users = Array.from({ length: 100 }, (_, at) => `src/${at}.ts`)
    const tests = [{ symbol: 'start', path: 'src/a.ts', tests: [], users }]
    expect(lineOf(summarise(contextWith({ files }, { tests }), []), 'Risk')).toBe(
      'Risk: outside the change and tests, `start` is named in at least 100 files.',
    )
  })
  test('a path is shown in whole, however long', () => {
    const path = `${'module/'.repeat(30)}Screen.kt`
    const symbols = ['f', 'g'].map((name) => changed('body-changed', path, codeSymbol(name)))
    const long = contextWith({ files: [fileChange(path, { added: 80 })] }, { symbols })
    expect(lineOf(summarise(long, []), 'Look first')).toBe(`Look first at \`${path}:1\`: \`f()\` changed.`)
  })
  test('with everything in it, five lines at most', () => {
    const context = contextWith(
      { files },
      {
        symbols: [changed('removed', 'src/a.ts', parse)],
        tests: [{ symbol: 'parse', path: 'src/a.ts', tests: [{ path: 'test/a.ts', changed: false }] }],
        evidence: [sampleEvidence({ title: 'user of parse' })],
      },
    )
    const text = summarise(context, [
      verdictOn(),
      verdictOn({}, { outcome: 'dropped', step: 'anchor', finding: null }),
    ])
    expect(text.split('\n')).toHaveLength(5)
  })
})

test('other files that name what changed, what no test names, and where to look first', () => {
  const limiter = codeSymbol('openLimiter', { nameLine: 12 })
  const helper = codeSymbol('readLimit')
  const context = contextWith(
    { files: [fileChange('src/a.ts', { added: 80 })] },
    {
      symbols: [changed('body-changed', 'src/a.ts', helper), changed('body-changed', 'src/a.ts', limiter)],
      tests: [
        {
          symbol: 'readLimit',
          path: 'src/a.ts',
          tests: [{ path: 'test/a.test.ts', changed: false }],
          users: [],
        },
        { symbol: 'openLimiter', path: 'src/a.ts', tests: [], users: ['src/b.ts', 'src/c.ts'] },
      ],
    },
  )
  const lines = summarise(context, []).split('\n')
  expect(lines).toContain('Risk: outside the change and tests, `openLimiter` is named in 2 files.')
  expect(lines).toContain(
    'Tests that name the changed code: `test/a.test.ts`; none of them changed. No test names `openLimiter`.',
  )
  expect(lines).toContain('Look first at `src/a.ts:12`: `openLimiter()` changed.')
  const small = contextWith({ files: [fileChange('src/a.ts')] }, { symbols: context.symbols })
  expect(summarise(small, [])).not.toContain('Look first')
})

test('a test that was removed is no risk to others', () => {
  const removed = changed('removed', 'test/a.test.ts', codeSymbol('test_parse', { isTest: true }))
  expect(
    summarise(contextWith({ files: [fileChange('test/a.test.ts')] }, { symbols: [removed] }), []),
  ).not.toContain('Risk')
})

test('files that steer agents or reviews are stated, unless they only moved', () => {
  const files = [
    fileChange('CLAUDE.md', { role: 'docs' }),
    fileChange('.cursor/rules/style.mdc', { role: 'config' }),
    fileChange('.github/CODEOWNERS', { role: 'config' }),
    fileChange('.mcp.json', { role: 'config' }),
    fileChange('lib/AGENTS.md', { status: 'renamed', oldPath: 'AGENTS.md', added: 0, removed: 0 }),
  ]
  const lines = summarise(contextWith({ files }), []).split('\n')
  expect(lines.find((line) => line.startsWith('Also changes'))).toBe(
    'Also changes `CLAUDE.md` and `.cursor/rules/style.mdc`, which are read by coding agents as instructions; `.github/CODEOWNERS`, which sets who must agree to a change. This review was not steered by it.',
  )
})
