import { describe, expect, test } from 'vitest'
import type { Claim } from '../../../src/domain/claim.ts'
import type { RepoHistory } from '../../../src/domain/snapshot.ts'
import { check } from './claim-check.ts'
import { createWorld, reference, symbol } from './world.ts'

describe('undefined', () => {
  const claim: Claim = { kind: 'undefined', name: 'limit', path: 'src/a.ts', line: 1 }
  const trees = [{ 'src/a.ts': 'old\n' }, { 'src/a.ts': 'use(limit)\n' }] as const
  const use = { references: [reference('limit', 1, { role: 'read' })] }
  const given = (now: object, was: object = {}) =>
    createWorld(...trees, { facts: { 'new:src/a.ts': now, 'old:src/a.ts': was } })

  test('confirmed for a name that was defined here before', async () => {
    expect(await check(claim, given(use, { symbols: [symbol('limit', 1)] }))).toBe('confirmed')
  })
  test('unverifiable for a name that may be a global', async () => {
    expect(await check(claim, given(use))).toContain('unverifiable')
  })
  test('refuted when it is defined or not used', async () => {
    expect(await check(claim, given({ ...use, symbols: [symbol('limit', 1)] }))).toBe(
      'refuted: `src/a.ts` defines `limit`',
    )
    expect(await check({ ...claim, name: 'other' }, given({}))).toContain('does not use')
  })
  test('of a member: refuted where its type has it, else unverifiable', async () => {
    const member = { references: [reference('limit', 1, { receiver: 'it' })] }
    expect(await check(claim, given(member))).toContain('unverifiable: `limit` is a member of `it`')
    const type = symbol('Rule', 1, { kind: 'class', endLine: 3 })
    const rule = symbol('limit', 2, { kind: 'field', scope: 'Rule' })
    const own = [reference('limit', 1, { receiver: 'Rule' })]
    expect(await check(claim, given({ references: own, symbols: [type, rule], parents: [null, 0] }))).toBe(
      'refuted: `src/a.ts` defines `limit`, and it is in reach',
    )
  })
  test('refuted when a file of the same package defines it', async () => {
    const world = createWorld(
      { 'p/a.go': 'old\n', 'p/b.go': 'var limit\n' },
      { 'p/a.go': 'limit\n', 'p/b.go': 'var limit\n' },
      {
        facts: {
          'new:p/a.go': { ...use, packageName: 'p' },
          'new:p/b.go': { packageName: 'p', symbols: [symbol('limit', 1)] },
        },
      },
    )
    expect(await check({ ...claim, path: 'p/a.go' }, world)).toContain('of the same package')
  })
})

describe('not-exported', () => {
  const claim: Claim = { kind: 'not-exported', name: 'x', from: 'src/b.ts', path: 'src/a.ts', line: 1 }
  const imports = [{ line: 1, source: './b', imported: 'x', local: 'x', reexport: false, typeOnly: false }]
  const make = (exporter: object | null, text = 'const y = 1\n') =>
    createWorld(
      { 'src/a.ts': 'old\n' },
      { 'src/a.ts': 'import { x } from "./b"\n', ...(exporter ? { 'src/b.ts': text } : {}) },
      {
        facts: { 'new:src/a.ts': { imports }, ...(exporter ? { 'new:src/b.ts': exporter } : {}) },
      },
    )

  test('confirmed when the file has no such export, or is gone', async () => {
    expect(await check(claim, make({}))).toBe('confirmed')
    expect(await check(claim, make(null))).toBe('confirmed')
  })
  test('refuted when it has, or the line imports something else', async () => {
    expect(await check(claim, make({ exports: [{ exported: 'x', local: 'y', line: 1 }] }))).toContain(
      'does export',
    )
    expect(await check({ ...claim, name: 'z' }, make({}))).toContain('does not import')
  })
  test('unverifiable when the file decides at run time, passes everything on, or has errors', async () => {
    expect(await check(claim, make({}, 'module.exports = {}\n'))).toContain('unverifiable')
    expect(await check(claim, make({ errorLines: [{ startLine: 1, endLine: 1 }] }))).toContain('unverifiable')
    const star = [{ line: 1, source: './c', imported: '*', local: null, reexport: true, typeOnly: false }]
    expect(await check(claim, make({ imports: star }))).toContain('unverifiable')
  })
})

test('not-exported: a Python module with `__getattr__` decides at run time, a class with it does not', async () => {
  const imports = [{ line: 1, source: '.b', imported: 'x', local: 'x', reexport: false, typeOnly: false }]
  const claim: Claim = { kind: 'not-exported', name: 'x', from: 'b.py', path: 'a.py', line: 1 }
  const make = (scope: string) =>
    createWorld(
      { 'a.py': 'old\n' },
      { 'a.py': 'from .b import x\n', 'b.py': '# exports.\n' },
      {
        facts: {
          'new:a.py': { imports },
          'new:b.py': { language: 'python', symbols: [symbol('__getattr__', 1, { scope })] },
        },
      },
    )
  expect(await check(claim, make(''))).toContain('unverifiable')
  expect(await check(claim, make('Lazy'))).toBe('confirmed')
})

test('not-exported: what a file passes on of another is followed', async () => {
  const imports = [{ line: 1, source: './b.ts', imported: 'x', local: 'x', reexport: false, typeOnly: false }]
  const star = [{ line: 1, source: './c.ts', imported: '*', local: null, reexport: true, typeOnly: false }]
  const claim: Claim = { kind: 'not-exported', name: 'x', from: 'src/b.ts', path: 'src/a.ts', line: 1 }
  const make = (name: string) =>
    createWorld(
      {},
      {
        'src/a.ts': 'import { x } from "./b.ts"\n',
        'src/b.ts': 'export * from "./c.ts"\n',
        'src/c.ts': `export function ${name}() {}\n`,
      },
      {
        facts: {
          'new:src/a.ts': { imports },
          'new:src/b.ts': { imports: star },
          'new:src/c.ts': {
            symbols: [symbol(name, 1)],
            exports: [{ exported: name, local: name, line: 1 }],
            parents: [null],
          },
        },
      },
    )
  expect(await check(claim, make('x'))).toContain('passes on `x` of `src/c.ts`')
  expect(await check(claim, make('y'))).toContain('confirmed')
})

describe('missing-path', () => {
  const claim: Claim = { kind: 'missing-path', target: 'docs/guide.md', path: 'README.md', line: 1 }
  const make = (more: Record<string, string>) =>
    createWorld({ 'README.md': 'x\n' }, { 'README.md': 'see [the guide](docs/guide.md)\n', ...more })

  test('confirmed when nothing stands there', async () => {
    expect(await check(claim, make({}))).toBe('confirmed')
  })
  test('an index file and a package are named by their folder', async () => {
    expect(await check({ ...claim, target: 'docs/index.ts' }, make({}))).toBe('confirmed')
    expect(await check({ ...claim, target: 'docs/parse.go' }, make({}))).toBe('confirmed')
  })
  test('refuted when a file or a folder does, or the line speaks of something else', async () => {
    expect(await check(claim, make({ 'docs/guide.md': 'x' }))).toContain('exists after the change')
    expect(await check({ ...claim, target: './docs/guide' }, make({ 'docs/guide/a.md': 'x' }))).toContain(
      'is a folder',
    )
    expect(await check({ ...claim, target: 'docs/other.md' }, make({}))).toContain('does not name')
    expect(await check(claim, make({}), { unread: new Set(['docs/guide.md']) })).toContain(
      'too large to read',
    )
  })
  test('a built file, a left-out ending and an alias are no missing paths', async () => {
    const code = 'import x from "./parse.js"\n'
    const at: Claim = { kind: 'missing-path', target: 'src/parse.js', path: 'src/a.ts', line: 1 }
    const built = createWorld({}, { 'src/a.ts': code, 'src/parse.ts': 'x' })
    expect(await check(at, built)).toContain('refuted: `src/parse.ts` exists')
    expect(await check({ ...at, target: 'src/parse' }, built)).toContain('refuted: `src/parse.ts` exists')
    expect(await check(at, createWorld({}, { 'src/a.ts': code }))).toBe('confirmed')
    const imports = [
      { line: 1, source: '@/parse', imported: 'default', local: 'x', reexport: false, typeOnly: false },
    ]
    const aliased = createWorld(
      {},
      { 'src/a.ts': 'import x from "@/parse"\n' },
      { facts: { 'new:src/a.ts': { imports } } },
    )
    expect(await check({ ...at, target: 'src/parse' }, aliased)).toContain('unverifiable')
  })
  test('unverifiable inside a submodule', async () => {
    expect(await check(claim, make({ docs: 'commit' }))).toContain('unverifiable')
  })
})

describe('duplicate-of', () => {
  const body = [
    'export function total(items) {',
    '  let sum = 0',
    '  for (const item of items) sum += item.price * item.count',
    '  return sum',
    '}',
  ]
  const other = body.map((line) =>
    line.replaceAll('items', 'lines').replaceAll('item', 'line').replace('total', 'sumOf'),
  )
  const unlike = [
    'class Queue {',
    '  push(x) { this.list.push(x) }',
    '  pop() { return this.list.shift() }',
    '  size = 0',
    '}',
  ]
  const world = createWorld(
    {},
    { 'a.ts': `${body.join('\n')}\n`, 'b.ts': `${[...other, ...unlike].join('\n')}\n` },
  )
  const claim = {
    kind: 'duplicate-of' as const,
    path: 'a.ts',
    line: 1,
    endLine: 5,
    otherPath: 'b.ts',
    otherLine: 1,
    otherEndLine: 5,
  }

  test('confirmed for a copy with other names', async () => {
    expect(await check(claim, world)).toBe('confirmed')
  })
  test('refuted for other code, for itself, for lines that do not exist and for a scrap', async () => {
    expect(await check({ ...claim, otherLine: 6, otherEndLine: 10 }, world)).toContain('alike')
    expect(await check({ ...claim, otherPath: 'a.ts', otherLine: 5, otherEndLine: 5 }, world)).toContain(
      'overlap',
    )
    expect(await check({ ...claim, otherEndLine: 99 }, world)).toContain('has no lines')
    expect(await check({ ...claim, line: 2, endLine: 2, otherLine: 2, otherEndLine: 2 }, world)).toContain(
      'too short',
    )
  })
})

describe('no-test-calls', () => {
  const claim: Claim = { kind: 'no-test-calls', symbol: 'Shape.area', path: 'src/a.ts', line: 1 }
  const make = (path: string) => createWorld({}, { 'src/a.ts': 'area()\n', [path]: 'area()\n' })
  test('confirmed or refuted by a search over test files', async () => {
    expect(await check(claim, make('src/b.ts'))).toBe('confirmed')
    expect(await check(claim, make('test/a.ts'))).toContain('refuted: `test/a.ts` mentions `area`')
  })
})

test('no-test-calls: a test that holds the name in a comment or a string only does not call it', async () => {
  const claim: Claim = { kind: 'no-test-calls', symbol: 'area', path: 'src/a.ts', line: 1 }
  const make = (facts: object) =>
    createWorld(
      {},
      { 'src/a.ts': 'area()\n', 'test/a.ts': '// area\n' },
      { facts: { 'new:test/a.ts': facts } },
    )
  expect(await check(claim, make({}))).toBe('confirmed')
  expect(await check(claim, make({ references: [reference('area', 1)] }))).toContain('`test/a.ts:1` uses')
  expect(await check(claim, make({ errorLines: [{ startLine: 1, endLine: 1 }] }))).toContain('mentions')
})

test('no-test-calls: a default export without a name is called as each test likes', async () => {
  const claim: Claim = { kind: 'no-test-calls', symbol: 'default', path: 'src/a.ts', line: 1 }
  const files = {
    'src/a.ts': 'export default () => 1\n',
    'test/a.ts': "import one from '../src/a'\n\none()\n",
  }
  expect(await check(claim, createWorld({}, files, {}))).toContain('not a word that can be looked for')
})

test.each(['open?', 'save!'])('no-test-calls: %s of Ruby is found by its word', async (name) => {
  const claim: Claim = { kind: 'no-test-calls', symbol: `Door#${name}`, path: 'lib/door.rb', line: 1 }
  const world = createWorld(
    {},
    { 'lib/door.rb': `def ${name}\nend\n`, 'test/door_test.rb': `assert door.${name}\n` },
    { facts: { 'new:test/door_test.rb': { references: [reference(name, 1)] } } },
  )
  expect(await check(claim, world)).toContain('`test/door_test.rb:1` uses')
})

describe('unused', () => {
  const claim: Claim = { kind: 'unused', name: 'helper', path: 'src/a.ts', line: 1 }
  const own = { symbols: [symbol('helper', 1, { visibility: 'private' })] }
  const make = (b: string, facts: object) =>
    createWorld(
      {},
      { 'src/a.ts': 'function helper() {}\n', 'src/b.ts': b },
      { facts: { 'new:src/a.ts': own, ...facts } },
    )
  test('confirmed when no other file holds the name, or only a comment does', async () => {
    expect(await check(claim, make('x\n', {}))).toBe('confirmed')
    expect(await check(claim, make('// helper\n', { 'new:src/b.ts': {} }))).toBe('confirmed')
  })
  test('unverifiable when others may use it: exported, or by its name in a string', async () => {
    const offered = { 'new:src/a.ts': { symbols: [symbol('helper', 1)] } }
    expect(await check(claim, make('x\n', offered))).toContain('unverifiable: `src/a.ts` exports')
    const dynamic = make("call('helper')\n", { 'new:src/b.ts': {} })
    expect(await check(claim, dynamic)).toContain(
      'unverifiable: `src/b.ts:1` holds `helper`: a string, by which it may be used',
    )
  })
  test('refuted by a use anywhere, unverifiable where a mention is not parsed', async () => {
    expect(
      await check(claim, make('helper()\n', { 'new:src/b.ts': { references: [reference('helper', 1)] } })),
    ).toContain('uses')
    expect(await check(claim, make('helper\n', {}))).toContain('unverifiable')
    expect(await check({ ...claim, name: 'other' }, make('x\n', {}))).toContain('does not hold')
  })
})

test('type-mismatch rests on its checker', async () => {
  const world = createWorld({}, { 'a.ts': 'x\n' })
  const claim: Claim = { kind: 'type-mismatch', checker: 'tsc', message: 'no', path: 'a.ts', line: 1 }
  expect(await check(claim, world)).toContain('unverifiable')
  expect(await check({ ...claim, line: 2 }, world)).toContain('refuted')
})

test('line-contains reads the line of its side', async () => {
  const world = createWorld({ 'a.ts': 'one\n' }, { 'b.ts': 'one two\n' }, { renames: { 'b.ts': 'a.ts' } })
  const claim: Claim = { kind: 'line-contains', side: 'new', text: 'two', path: 'b.ts', line: 1 }
  expect(await check(claim, world)).toBe('confirmed')
  expect(await check({ ...claim, side: 'old' }, world)).toContain('does not hold')
  expect(await check({ ...claim, side: 'old', text: 'one' }, world)).toBe('confirmed')
  expect(await check({ ...claim, text: '' }, world)).toContain('refuted')
  expect(await check({ ...claim, line: 2 }, world)).toContain('no readable line')
})

test('rule-matches is confirmed on new lines only', async () => {
  const world = createWorld({ 'a.ts': 'keep\n  moved()\n' }, { 'a.ts': 'fresh()\nkeep\nmoved()\n' })
  const claim: Claim = { kind: 'rule-matches', rule: 'r', path: 'a.ts', line: 1 }
  expect(await check(claim, world)).toBe('confirmed')
  expect(await check({ ...claim, line: 2 }, world)).toContain('unverifiable: `a.ts:2` existed before')
  expect(await check({ ...claim, line: 3 }, world)).toContain('was elsewhere')
  expect(await check({ ...claim, line: 9 }, world)).toContain('refuted')
})

describe('changes-together', () => {
  const claim = { kind: 'changes-together' as const, path: 'a.ts', partner: 'b.ts', together: 4, total: 5 }
  const world = createWorld({ 'a.ts': 'x\n', 'b.ts': 'x\n' }, { 'a.ts': 'y\n', 'b.ts': 'x\n' })
  const withHistory = (paths: string[][]) => {
    const commits = paths.map((changed, at) => ({
      commit: `${at}`,
      authorName: '',
      authorEmail: '',
      time: at,
      subject: '',
      paths: changed,
    }))
    const history: RepoHistory = { recent: async () => ({ commits, complete: true }) }
    return { sources: { ...world.sources, history } }
  }
  const pair = ['a.ts', 'b.ts']
  test('confirmed by counting again, whoever looked further back', async () => {
    expect(
      await check(claim, world, withHistory([pair, pair, ['a.ts'], pair, pair, ['a.ts'], ['c.ts']])),
    ).toBe('confirmed')
    expect(await check(claim, world, withHistory([['a.ts'], pair, pair, pair, pair, pair]))).toBe('confirmed')
  })
  test('refuted by another count, a partner that changed, or one that is gone', async () => {
    expect(await check(claim, world, withHistory([pair, ['a.ts'], ['a.ts'], ['a.ts'], ['a.ts']]))).toContain(
      '1 of 5',
    )
    expect(await check({ ...claim, partner: 'a.ts' }, world)).toContain('is part of the change')
    expect(await check({ ...claim, partner: 'z.ts' }, world)).toContain('does not exist')
    expect(await check({ ...claim, together: 9 }, world)).toContain('refuted')
  })
  test('unverifiable without history', async () => {
    expect(await check(claim, world)).toContain('unverifiable')
  })
})
