/** What reviews know of a team's notes and of an author's earlier changes, and what they do not. */
import { expect, test } from 'vitest'
import type { ChangeSet } from '../../src/domain/change-set.ts'
import type { MemoryNote } from '../../src/domain/memory.ts'
import type { HistoryCommit } from '../../src/domain/snapshot.ts'
import type { LedgerEvent } from '../../src/ledger/contract.ts'
import { foldLedger } from '../../src/ledger/fold.ts'
import { findContradictions } from '../../src/memory/contradictions.ts'
import { earlierChangesBy, isLeftOut } from '../../src/memory/earlier-changes.ts'
import { developerLines, rememberFor } from '../../src/memory/for-change.ts'
import { judgeTest, type TestedFinding } from '../../src/memory/judge-test.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { toolsFor } from '../../src/tools/registry.ts'
import { searchDeveloperMemory } from '../../src/tools/search-developer-memory.ts'
import { searchProjectMemory } from '../../src/tools/search-project-memory.ts'
import { noTalk } from '../tools/open-toolbox.ts'

function note(name: string, fields: Partial<MemoryNote> = {}): MemoryNote {
  return {
    name,
    path: `.sightline/memory/${name}.md`,
    scope: 'paths',
    paths: ['src/money/**'],
    symbols: [],
    effect: null,
    origin: 'a person',
    evidence: [],
    state: 'active',
    expires: null,
    tested: null,
    because: null,
    text: `${name}: amounts are integers, in cents.`,
    ...fields,
  }
}

const change = {
  files: [{ path: 'src/money/price.ts', oldPath: null, hunks: [] }],
  overflow: [],
} as unknown as ChangeSet
const namesOf = (notes: readonly MemoryNote[]) =>
  rememberFor({ memory: { notes: [...notes], faults: [] }, developer: [] }, change, []).notes.map(
    ({ path }) => path.replace(/^.*\/|\.md$/g, ''),
  )

test('facts that apply are evidence, the nearest first, within their budget', () => {
  const everywhere = note('everywhere', { scope: 'repository', paths: [] })
  expect(namesOf([everywhere, note('near'), note('other', { paths: ['docs/**'] })])).toEqual([
    'near',
    'everywhere',
  ])
  expect(namesOf([note('symbol', { scope: 'symbols', paths: [], symbols: ['add'] })])).toEqual([])
  for (const state of ['proposed', 'untested', 'expired', 'retired'] as const)
    expect(namesOf([note('x', { state })])).toEqual([])
  expect(namesOf([note('rule', { effect: { kind: 'dismiss', rule: 'js/compare-nan' } })])).toEqual([])
  const long = [1, 2, 3].map((number) => note(`long-${number}`, { text: `${number} ${'x'.repeat(1_600)}` }))
  const { notes, left } = rememberFor({ memory: { notes: long, faults: [] }, developer: [] }, change, [])
  expect([notes.length, left.length]).toEqual([2, 1])
})

const commit = (
  name: string,
  subject: string,
  at: number,
  paths: string[],
  author = 'Ada Lovelace',
): HistoryCommit => ({
  commit: name.repeat(40),
  authorName: author,
  authorEmail: `${author.split(' ')[0]}@example.com`,
  time: 1_700_000_000 - at * 86_400,
  subject,
  paths,
})

function decided(change: string, kind: 'accepted' | 'wrong', path: string): LedgerEvent[] {
  const finding = `${change}${kind === 'wrong' ? '1' : '2'}`.padEnd(16, '0')
  const common = { at: '2026-11-01T00:00:00.000Z', change, finding }
  const record = {
    id: finding,
    rule: 'js/compare-nan',
    category: 'correctness',
    byModel: false,
    path,
    side: 'new',
    line: 1,
    lines: [] as string[],
    before: null,
    after: null,
    title: 'NaN',
  } as const
  const facts = {
    plane: 'rules',
    rule: record.rule,
    severity: 'high',
    category: 'correctness',
    model: null,
  } as const
  return [
    { ...common, id: `s${finding}`, type: 'seen', record, facts, head: 'unknown', run: null },
    {
      ...common,
      id: `d${finding}`,
      type: 'dismissed',
      by: { kind: 'person', name: 'Grace' },
      because: 'x',
      kind,
      reach: { kind: 'here' },
    },
  ]
}

const commits = [
  commit('e', 'Revert "Round prices (#12)"', 1, ['src/money/price.ts'], 'Grace Hopper'),
  commit('a', 'Tax (#14)', 2, ['src/money/tax.ts']),
  commit('b', 'Round prices (#12)', 9, ['src/money/price.ts']),
  commit('c', 'Docs (#13)', 10, ['docs/a.md']),
  commit('d', 'Other (#11)', 11, ['src/money/price.ts'], 'Grace Hopper'),
]
const events = [
  ...decided('12', 'accepted', 'src/money/price.ts'),
  ...decided('14', 'wrong', 'src/money/tax.ts'),
  ...decided('11', 'accepted', 'src/money/price.ts'),
]
const question = {
  author: 'Ada Lovelace <Ada@example.com>',
  commits,
  events,
  paths: ['src/money/price.ts'],
  change: '20',
}

test('earlier changes of the author in these folders, with what became of them and without a name', () => {
  const earlier = earlierChangesBy(question)
  expect(earlier).toMatchObject([
    { name: '#14', isReverted: false, findings: [{ outcome: 'wrong' }] },
    { name: '#12', isReverted: true, findings: [{ outcome: 'right', rule: 'js/compare-nan' }] },
  ])
  expect(JSON.stringify(earlier)).not.toMatch(/Ada|Grace|example\.com/)
  expect(developerLines(earlier)).toMatchInlineSnapshot(`
    [
      "2 earlier changes by the author in these folders; reviewed: 2; reviewed without a finding that was right: 1.",
      "right: js/compare-nan in src/money/price.ts (#12, 2023-11-05): NaN",
      "not right here: js/compare-nan: 1 finding was dismissed as wrong or unimportant",
      "reverted later: #12, 2023-11-05: Round prices (#12)",
    ]
  `)
  expect(earlierChangesBy({ ...question, change: '12' }).map(({ name }) => name)).toEqual(['#14'])
  expect(earlierChangesBy({ ...question, events: [], commits: commits.slice(1) })).toEqual([])
  expect(earlierChangesBy({ ...question, author: 'dependabot[bot] <x@y>' })).toEqual([])
  expect(isLeftOut(question.author, ['ada@EXAMPLE.com'])).toBe(true)
  expect(isLeftOut(question.author, ['grace@example.com', 'Ada'])).toBe(false)
})

test('the tools of the memory are offered where there is one, and not named elsewhere', async () => {
  const scope = {
    ...noTalk,
    memory: [note('cents'), note('eggs', { text: 'Eggs are boiled.' })],
    developer: earlierChangesBy(question),
  } as unknown as ToolScope
  const names = toolsFor(scope).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['search_project_memory', 'search_developer_memory']))
  const none = toolsFor({ ...scope, memory: [], developer: [] })
  expect(JSON.stringify([none.tools.map(({ name }) => name), none.missing])).not.toContain('memory')
  const { signal } = new AbortController()
  const found = await searchProjectMemory.run({ query: 'integers in cents' }, scope, signal)
  expect(found).toEqual({
    lines: ['.sightline/memory/cents.md, about src/money/**:', 'cents: amounts are integers, in cents.'],
    remarks: ['1 of 2 notes has such words'],
  })
  const { lines } = await searchDeveloperMemory.run({ query: 'rounding' }, scope, signal)
  expect(lines).toEqual([
    '#12 2023-11-05 Round prices (#12) [src/money/price.ts] (reverted later, 1 fix within a month)',
    '  finding that was right: js/compare-nan in src/money/price.ts: NaN',
  ])
})

test('contradictions are found: opposite words, two effects on one rule, outcomes', () => {
  const notes = [
    note('always', { text: 'Callers must validate the amount before they call `add`.' }),
    note('never', { text: 'Callers must never validate the amount before they call `add`.' }),
    note('unlike', { text: 'Never log prices.' }),
    note('gone', { effect: { kind: 'dismiss', rule: 'js/compare-nan' } }),
    note('low', { paths: ['src/**'], effect: { kind: 'minor', rule: 'js/compare-nan' } }),
  ]
  const found = findContradictions(notes, foldLedger(events)).map((line) => line.split(':', 1)[0])
  expect(found).toEqual(['always and never', 'gone and low', 'gone', 'gone', 'low', 'low'])
})

const gone = (outcome: TestedFinding['outcome']): TestedFinding => ({
  kind: 'dismissed',
  outcome,
  run: 'r',
  rule: 'x',
  severity: 'high',
  path: 'a',
  line: 1,
  title: 't',
})
const figures = { runs: 5, replayed: 3, askedModels: false }
const rule = { effect: { kind: 'dismiss', rule: 'x' } as const }

test.each([
  ['good', rule, [gone('wrong'), gone('unimportant')]],
  ['good', rule, [gone('wrong'), gone('undecided')]],
  ['bad', rule, [gone('wrong'), gone('wrong'), gone('wrong'), gone('right')]],
  ['bad', rule, [gone('wrong'), gone('undecided'), gone('undecided')]],
  ['unproven', rule, []],
  ['unproven', { effect: null }, []],
  ['bad', { effect: null }, [gone('right')]],
] as const)('a back-test is %s', (word, note, findings) => {
  expect(judgeTest(note, { ...figures, findings }).word).toBe(word)
})
