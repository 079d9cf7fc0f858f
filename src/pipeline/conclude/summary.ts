/**
 * Intent, reach and risk of a change in a few lines, in our own words around names from the code. All of it is counted or
 * read off the code; a line without anything to say is left out.
 */
import { compareText } from '../../base/compare-text.ts'
import { countBeyond, type FileChange, isAmong } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { Verdict } from '../../domain/finding.ts'
import { pathOf, rankSymbolChanges, weighSymbolChange } from '../../domain/importance.ts'
import { mostUsers, type ReviewContext, type SymbolTests } from '../../domain/review-context.ts'
import { steeringFiles } from '../../domain/steering-files.ts'
import type { SymbolReach } from '../../domain/symbol-reach.ts'
import { changedValues } from './changed-values.ts'
import { describeSymbolChange, leadingChanges, nameOf } from './key-changes.ts'
import { code, count, few, list, place } from './words.ts'

export type SummaryParts = {
  /** By resolved uses, where they were looked for. */
  reach?: readonly SymbolReach[]
  /** A walkthrough says what the change does. */
  isToldByModel?: boolean
}

/** Lines without anything to say are left out. */
export function summarise(
  context: ReviewContext,
  verdicts: readonly Verdict[],
  { reach = [], isToldByModel = false }: SummaryParts = {},
): string {
  return [
    describeFiles(filesAskedFor(context), countBeyond(context.change)),
    isToldByModel ? '' : describeDoing(context.symbols),
    describeValues(context.change.files),
    describeRisk(context, reach),
    describeTests(context, reach),
    describeSteering(context.change.files),
    describeStart(context, reach),
    describeDropped(verdicts),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** Of a review of some paths, the files at these. */
function filesAskedFor({ change, request }: ReviewContext): readonly FileChange[] {
  const { paths } = request.source
  return paths === undefined ? change.files : change.files.filter((file) => isAmong(file, paths))
}

const statusWords: Record<FileChange['status'], string> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'renamed',
  copied: 'copied',
  'type-changed': 'of another type',
}

function describeFiles(files: readonly FileChange[], overflow: number): string {
  if (files.length === 0 && overflow === 0) return 'The change is empty.'
  const byStatus = Object.entries(statusWords).flatMap(([status, words]) => {
    const number = files.filter((file) => file.status === status).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  const sum = (key: 'added' | 'removed') => files.reduce((total, file) => total + file[key], 0)
  const tests = files.filter(({ role }) => role === 'test').length
  const [only] = files.length + overflow === 1 ? files : []
  const which = only
    ? [statusWords[only.status], ...(tests === 1 ? ['a test'] : [])].join(', ')
    : `${list(byStatus) || 'none read'}${tests > 0 ? `; ${tests} of them ${tests === 1 ? 'a test' : 'tests'}` : ''}`
  return `Changes ${count(files.length + overflow, 'file')} (${which}): ${count(sum('added'), 'line')} added, ${sum('removed')} removed.`
}

const describedInFull = 3

const kindWords: Record<SymbolChange['kind'], string> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  'signature-changed': 'with a changed signature',
  'body-changed': 'with a changed body only',
}

/** The weightiest symbol changes in words; of many, also the numbers. */
function describeDoing(changes: readonly SymbolChange[]): string {
  if (changes.length === 0) return ''
  // C++ says a thing twice, in a header and in its source.
  const described = [...new Set(leadingChanges(changes).map(describeSymbolChange))].slice(0, describedInFull)
  const what = `What it does: ${described.join('; ')}.`
  if (changes.length <= describedInFull) return what
  const counts = Object.entries(kindWords).flatMap(([kind, words]) => {
    const number = changes.filter((change) => change.kind === kind).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  return `${what} Symbols in all: ${counts.join(', ')}.`
}

const shownValues = 4

/** `Values: `limit` 30 → 60`, with the old value first; repeated replacements are told once. */
function describeValues(files: readonly FileChange[]): string {
  const values = changedValues(files).map(
    ({ path, line, name, before, after }) =>
      [
        `${name === '' ? place(path) : code(name)} ${code(before)} → ${code(after)}`,
        `${path}:${line}`,
      ] as const,
  )
  const places = Map.groupBy(values, ([words]) => words)
  const all = [...places].map(([words, same]) =>
    same.length > 1 ? `${words} (${same.length} times)` : `${words} (${place(same[0]?.[1] ?? '')})`,
  )
  const rest = all.length - shownValues
  const shown = [...all.slice(0, shownValues), ...(rest > 0 ? [count(rest, 'more value')] : [])]
  return shown.length > 0 ? `Values: ${shown.join('; ')}.` : ''
}

/** Changes that can break other code: a new symbol has no users yet, and a new body keeps its signature. */
const breaking: ReadonlySet<SymbolChange['kind']> = new Set([
  'removed',
  'renamed',
  'moved',
  'signature-changed',
])

/** Titles of evidence that shows a use, as retrievals and planes write them. */
const use = /^(?:user|caller|test) of /

/** Which changed symbols others can see, and where they are used; empty when there are none. */
function describeRisk(
  { change, symbols, evidence, tests }: ReviewContext,
  reach: readonly SymbolReach[],
): string {
  const roles = new Map(change.files.map(({ path, role }) => [path, role]))
  const seen = rankSymbolChanges(symbols).filter(
    (one) =>
      breaking.has(one.kind) &&
      one.before?.symbol.visibility === 'exported' &&
      // What others use by the name of an `impl` block is its type, and the members of the block.
      one.before.symbol.kind !== 'impl' &&
      !one.before.symbol.isTest &&
      roles.get(pathOf(one)) !== 'test',
  )
  const names = [...new Set(seen.map(({ before }) => (before ? nameOf(before.symbol) : '')))]
  const changed = new Set(change.files.map(({ path }) => path))
  const users = evidence
    .filter(({ title, path }) => use.test(title) && path !== null && !changed.has(path))
    .map(({ path }) => path ?? '')
  const files = [...new Set(users)].sort(compareText)
  const affected = files.length > 0 ? [] : describeReach(symbols, reach, tests)
  const parts = [
    ...(names.length > 0
      ? [
          `${few(names)} ${names.length === 1 ? 'is visible to other files and was' : 'are visible to other files and were'} removed, renamed, moved or given a new signature`,
        ]
      : []),
    ...(files.length > 0
      ? [
          `${count(files.length, 'file')} outside the change ${files.length === 1 ? 'uses' : 'use'} what it changes (${few(files.map(place))})`,
        ]
      : []),
    ...(affected.length > 0 ? [`outside the change and tests, ${few(affected)}`] : []),
  ]
  return parts.length > 0 ? `Risk: ${parts.join('; ')}.` : ''
}

const shownTests = 3

/** A fact, not a finding: most changes need no change of a test, and a name in a test is not yet a call. */
function describeTests({ tests, change }: ReviewContext, reach: readonly SymbolReach[]): string {
  if (tests.length === 0) return ''
  const touched = new Set(change.files.map(({ path }) => path))
  const files = new Map([
    ...tests.flatMap((entry) => entry.tests.map((test) => [test.path, test.changed] as const)),
    ...reach.flatMap((one) => one.tests.map((path) => [path, touched.has(path)] as const)),
  ])
  if (files.size === 0) return 'No test names the changed code.'
  const paths = [...files.keys()].sort()
  const changed = [...files.values()].filter((isChanged) => isChanged).length
  const named = paths.slice(0, shownTests).map((path) => `\`${path}\``)
  const more = paths.length > named.length ? [`${paths.length - named.length} more`] : []
  const outcome = changed === 0 ? 'none of them changed' : `${changed} of them changed`
  const { unused, unnamed } = untestedAmong(tests, reach)
  const without = [
    ...(unused.length > 0
      ? [
          ` No test names ${few(unused.map((name) => code(name)))} or what calls ${unused.length === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(unnamed.length > 0 ? [` No test names ${few(unnamed.map((name) => code(name)))}.`] : []),
  ].join('')
  const using = new Set(reach.flatMap((one) => one.tests))
  const how = using.size === 0 ? 'name' : using.size === files.size ? 'use' : 'use or name'
  return `Tests that ${how} the changed code: ${[...named, ...more].join(', ')}; ${outcome}.${without}`
}

/** A fact, not a finding: whoever edits such a file means to, and a reader should know that it is not only code. */
function describeSteering(files: readonly FileChange[]): string {
  const parts = [...steeringFiles(files)].flatMap(([kind, touched]) =>
    kind.isFinding
      ? []
      : [
          `${few(touched.map(({ path }) => code(path)))}, which ${touched.length === 1 ? kind.does : kind.do}`,
        ],
  )
  return parts.length > 0 ? `Also changes ${parts.join('; ')}. This review was not steered by it.` : ''
}

/** A change that fits on a screen needs no advice. */
const manyLines = 60

/** The symbol that weighs most: what others see first, and of these what is used in most places. */
function describeStart({ change, symbols, tests }: ReviewContext, reach: readonly SymbolReach[]): string {
  const size = change.files.reduce((sum, { added, removed }) => sum + added + removed, 0)
  const roles = new Map(change.files.map(({ path, role }) => [path, role]))
  const users = new Map([
    ...tests.map((entry) => [keyOf(entry), entry.users?.length ?? 0] as const),
    ...reach.map((one) => [keyOf(one), one.direct + one.further] as const),
  ])
  const usersOf = ({ before, after }: SymbolChange) => {
    const side = after ?? before
    return side ? (users.get(keyOf({ path: side.path, symbol: side.symbol.name })) ?? 0) : 0
  }
  const ranked = rankSymbolChanges(
    symbols.filter((one) => roles.get(pathOf(one)) === 'source' && one.kind !== 'added'),
  )
  const [first] = ranked.sort(
    (a, b) => weighSymbolChange(b) - weighSymbolChange(a) || usersOf(b) - usersOf(a),
  )
  const side = first?.after ?? first?.before
  if (size < manyLines || ranked.length < 2 || !first || !side) return ''
  return `Look first at ${place(`${side.path}:${side.symbol.nameLine}`)}: ${describeSymbolChange(first)}.`
}

/** Findings themselves are counted in the first line of a report. */
function describeDropped(verdicts: readonly Verdict[]): string {
  const dropped = verdicts.filter(({ finding }) => finding === null).length
  if (dropped === 0) return ''
  return `${dropped} of ${count(verdicts.length, 'candidate')} ${dropped === 1 ? 'was' : 'were'} dropped by the checks.`
}

function keyOf({ path, symbol }: Pick<SymbolTests, 'path' | 'symbol'>): string {
  return `${path}\0${symbol}`
}

/**
 * One phrase for each changed definition that is used elsewhere, those with most users first: by resolved uses where they were looked
 * for, and else by files that name it. A name is not yet a use, and the words say which of the two it is.
 */
function describeReach(
  symbols: readonly SymbolChange[],
  reach: readonly SymbolReach[],
  tests: readonly SymbolTests[],
): string[] {
  const names = new Map(
    symbols.flatMap(({ after }) =>
      after ? [[`${after.path}:${after.symbol.nameLine}`, nameOf(after.symbol)] as const] : [],
    ),
  )
  const used = reach.flatMap((one) => {
    const name = names.get(`${one.path}:${one.nameLine}`)
    return name && one.direct + one.further > 0
      ? [{ users: one.direct + one.further, words: `${name} ${usesOf(one)}` }]
      : []
  })
  // A name that always means something else is no hint, even if not every file was searched.
  const settled = new Set(reach.filter((one) => one.files.length > 0 || one.unresolved === 0).map(keyOf))
  const named = tests.flatMap((entry) => {
    const { symbol, users = [] } = entry
    if (users.length === 0 || settled.has(keyOf(entry))) return []
    const many = `${users.length === mostUsers ? 'at least ' : ''}${count(users.length, 'file')}`
    const where = users.length === 1 ? place(users[0] ?? '') : many
    return [{ users: users.length, words: `${code(symbol)} is named in ${where}` }]
  })
  const ranked = [used, named].flatMap((some) => some.sort((a, b) => b.users - a.users))
  return [...new Set(ranked.map(({ words }) => words))]
}

/** `is used in 3 places and, through them, in at least 9 more (`src/shop.ts` and 4 more files)`. */
function usesOf(one: SymbolReach): string {
  const { direct, further, files } = one
  const least = isSettled(one) ? '' : 'at least '
  const [first = ''] = files
  const where = `${place(first)}${files.length > 1 ? ` and ${count(files.length - 1, 'more file')}` : ''}`
  const how =
    direct === 0
      ? `is used through others in ${least}${count(further, 'place')}`
      : further === 0
        ? `is used in ${least}${count(direct, 'place')}`
        : `is used in ${least}${count(direct, 'place')} and, through ${direct === 1 ? 'it' : 'them'}, in ${further} more`
  return `${how} (${where})`
}

/** Every use was searched for, and the meaning of each is known. */
function isSettled({ isWhole, unresolved }: SymbolReach): boolean {
  return isWhole && unresolved === 0
}

/** Changed definitions without a test: none that resolves to them, or, where that is not known, none that names them. */
function untestedAmong(
  tests: readonly SymbolTests[],
  reach: readonly SymbolReach[],
): { unused: string[]; unnamed: string[] } {
  const known = new Map(reach.map((one) => [keyOf(one), one]))
  const [unused, unnamed] = [new Set<string>(), new Set<string>()]
  for (const entry of tests) {
    const one = known.get(keyOf(entry))
    if (one && one.tests.length > 0) continue
    if (one && isSettled(one)) unused.add(entry.symbol)
    else if (entry.tests.length === 0) unnamed.add(entry.symbol)
  }
  return { unused: [...unused], unnamed: [...unnamed] }
}
