/** The tests of the changed files, before and after the change, matched by name; and how assertions are written. */
import type { FactStore, FileFacts } from '../../../code-index/contract.ts'
import { type ChangeSet, type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileText, RepoSnapshot } from '../../../domain/snapshot.ts'
import type { CodeSides } from '../../stage-input.ts'

export type TestSide = FileText & { path: string; facts: FileFacts; lines: readonly string[] }

/** A test that exists on both sides. */
export type TestPair = { before: CodeSymbol; after: CodeSymbol }

export type TestFile = {
  file: FileChange
  language: string
  before: TestSide | null
  after: TestSide | null
  pairs: readonly TestPair[]
  /** Tests of the base that are not at the head under the same name. */
  gone: readonly CodeSymbol[]
  /** Tests of the head that were not at the base. */
  fresh: readonly CodeSymbol[]
}

export type TestSources = CodeSides & { change: ChangeSet }

/** Changed files with tests in them, in the order of the change. Files that cannot be parsed are left out. */
export async function readTestFiles({ change, base, head, facts }: TestSources): Promise<TestFile[]> {
  const files = change.files.filter(
    ({ kind, language, role }) =>
      kind === 'text' && language !== null && (role === 'test' || role === 'source'),
  )
  const before = await readSides(
    files.flatMap((file) => (file.oldBlob ? [pathOn('old', file)] : [])),
    base,
    facts,
  )
  const after = await readSides(
    files.flatMap((file) => (file.newBlob ? [file.path] : [])),
    head,
    facts,
  )
  return files.flatMap((file) => {
    const sides = { before: before.get(pathOn('old', file)) ?? null, after: after.get(file.path) ?? null }
    const isMissing = (file.oldBlob && !sides.before) || (file.newBlob && !sides.after)
    if (isMissing) return []
    const tests = { old: testsOf(sides.before), new: testsOf(sides.after) }
    if (tests.old.length + tests.new.length === 0) return []
    const language = (sides.after ?? sides.before)?.facts.language ?? ''
    return [{ file, language, ...sides, ...matchTests(tests.old, tests.new) }]
  })
}

async function readSides(
  paths: readonly string[],
  snapshot: RepoSnapshot,
  store: FactStore,
): Promise<Map<string, TestSide>> {
  const texts = [...(await snapshot.readMany(paths))].map(([path, text]) => ({ path, ...text }))
  const facts = await store.facts(texts)
  return new Map(
    texts.flatMap((file) => {
      const found = facts.get(file.path)
      return found ? [[file.path, { ...file, facts: found, lines: file.text.split('\n') }] as const] : []
    }),
  )
}

function testsOf(side: TestSide | null): CodeSymbol[] {
  return side ? side.facts.symbols.filter(({ isTest }) => isTest) : []
}

/** By scope and name, in order: names of tests may repeat. */
function matchTests(
  old: readonly CodeSymbol[],
  now: readonly CodeSymbol[],
): Pick<TestFile, 'pairs' | 'gone' | 'fresh'> {
  const keyOf = ({ scope, name }: CodeSymbol) => `${scope}\0${name}`
  const waiting = Map.groupBy(now, keyOf)
  const pairs: TestPair[] = []
  const gone: CodeSymbol[] = []
  for (const before of old) {
    const after = waiting.get(keyOf(before))?.shift()
    if (after) pairs.push({ before, after })
    else gone.push(before)
  }
  const met = new Set(pairs.map(({ after }) => after))
  return { pairs, gone, fresh: now.filter((test) => !met.has(test)) }
}

const javascript =
  /(?:^|[^\w.$])(?:expect(?:\.(?:soft|poll|element|unreachable|fail))?|assert(?:\.\w+)*|expectTypeOf|assertType)\s*[(<]|\.should\.|(?:^|[^\w.$])t\.(?:is|not|equal|same|deepEqual|strictEqual|ok|notOk|true|false|truthy|throws|match|error)\(/

/** Assertions by language, one line at a time. */
const assertions: Readonly<Record<string, RegExp>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python: /^\s*assert\b|\bself\.assert\w+\(|\bpytest\.(?:raises|warns)\(/,
  go: /\b(?:assert|require)\.[A-Z]\w*\(|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/,
  rust: /\b(?:debug_)?assert(?:_\w+)?!\s*[({[]/,
  java: /\bassert\w*\s*\(|\bverify\s*\(|^\s*assert\b/,
}

export function isAssertion(line: string, language: string): boolean {
  return !isComment(line, language) && (assertions[language]?.test(line) ?? false)
}

/** An assertion that was commented out. */
export function isSilencedAssertion(line: string, language: string): boolean {
  if (!isComment(line, language)) return false
  return assertions[language]?.test(line.replace(/^\s*(?:\/\/|#|\/\*)\s*/, '')) ?? false
}

/** A comment line, or an empty one. */
export function isComment(line: string, language: string): boolean {
  return language === 'python' ? /^\s*(?:#|$)/.test(line) : /^\s*(?:\/\/|\/\*|\*(?!\w)|$)/.test(line)
}
