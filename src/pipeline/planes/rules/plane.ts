/** The rules plane: ast-grep rules, ours and the repository's, over what the change adds. */
import { count } from '../../../base/count.ts'
import { isTestMaterialPath } from '../../../base/file-paths.ts'
import { looksGenerated } from '../../../base/generated-mark.ts'
import { matchGlobs } from '../../../base/globs.ts'
import { remembered } from '../../../base/remembered.ts'
import { joinLines } from '../../../base/trim-text.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FactStore, FileFacts } from '../../../code-index/contract.ts'
import { type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { type AddedText, addedText, writtenPlaces } from '../changed-lines.ts'
import type { ChangeInput, Plane, PlaneReport } from '../contract.ts'
import { describeMatches } from './describe.ts'
import { type EngineMatch, questionFor } from './engine/protocol.ts'
import { type Answers, runFairly } from './engine/run-questions.ts'
import { freshMatches } from './fresh-matches.ts'
import { loadRules } from './load-rules.ts'
import { languageIds, type Rule } from './rule.ts'

export const rulesPlane: Plane = {
  name: 'rules',
  isEarly: true,
  description: 'patterns of code that are nearly always wrong, and the rules of the repository',
  wrongIf: 'the case that the rule warns of cannot come up here',
  look,
}

async function look(input: ChangeInput): Promise<PlaneReport> {
  const { rules, limits } = await loadRules(input.base, input.config.rules)
  const report: PlaneReport = { candidates: [], limits }
  const added = addedText(input.change).filter(({ file }) => isReadable(file))
  const parts = languageIds
    .map((language) => ({
      language,
      files: added.filter(({ file }) => file.language === language),
      rules: rules.filter((rule) => rule.languages.includes(language)),
    }))
    .filter((part) => part.files.length > 0 && part.rules.length > 0)
  const endsAt = performance.now() + input.config.limits.planeSeconds * 1000 * timeForMatching
  for (const [index, part] of parts.entries()) {
    // Time that a language does not need goes to the next ones.
    const share = (endsAt - performance.now()) / (parts.length - index)
    const { candidates, limits: more } = await lookAtLanguage(input, part, share)
    report.candidates.push(...candidates)
    report.limits.push(...more)
    input.keep?.(report)
  }
  report.limits = [...new Set(report.limits)]
  return report
}

/** Share of the plane's time; findings are written in the rest. */
const timeForMatching = 0.85
/** Share of a language's time for the code after the change; the code before it gets the rest. */
const timeForHead = 0.65

type LanguagePart = { language: string; files: readonly AddedText[]; rules: readonly Rule[] }

function isReadable({ kind, role }: FileChange): boolean {
  return kind === 'text' && role !== 'generated' && role !== 'lock'
}

async function lookAtLanguage(
  { change, base, head, facts, signal }: ChangeInput,
  { language, files: added, rules }: LanguagePart,
  shareMs: number,
): Promise<PlaneReport> {
  const startedAt = performance.now()
  const questions = rules.map(questionFor)
  const texts = await readTexts(
    head,
    added.map(({ file }) => file.path),
  )
  const broken = await brokenFiles(texts, facts)
  const readable = added.filter(({ file }) => texts.has(file.path) && !broken.has(file.path))
  const isWritten = new Map([...texts].map(([path, { text }]) => [path, !looksGenerated(text)]))
  const limits = added.flatMap(({ file: { path } }) => {
    if (!texts.has(path)) return [`${visibleLine(path)} cannot be read`]
    return broken.has(path) ? [`${visibleLine(path)}: the rules were not run: ${isBroken}`] : []
  })
  // Ours are known to be usable; those of a repository are tried even when there is nothing to ask them about.
  if (readable.length === 0 && rules.every(({ builtIn }) => builtIn)) return { candidates: [], limits }
  const answers = await runFairly(
    language,
    questions,
    readable.map(({ file, lines }) => ({
      text: texts.get(file.path)?.text ?? '',
      places: lines.map((line) => 2 * line.new),
    })),
    startedAt + shareMs * timeForHead,
    signal,
  )
  limits.push(
    ...limitsOf(
      answers,
      rules,
      readable.map(({ file }) => file.path),
    ),
  )

  const isInScope = createScope()
  const read = await facts.facts([...texts].map(([path, file]) => ({ path, ...file })))
  const misread = misreadLines(read)
  const found = readable.map(({ file }, index) =>
    matchesOf(answers, index).filter((match) => {
      const rule = rules[match.question]
      if (rule === undefined || !isInScope(rule, file)) return false
      if (!rule.builtIn) return true
      if (rule.audience !== 'tests' && file.role === 'test' && !holdsTests(read.get(file.path))) return false
      return isWritten.get(file.path) && !misread.get(file.path)?.some((lines) => overlaps(lines, match))
    }),
  )
  const files = readable.map((one, index) => ({ ...one, matches: found[index] ?? [] }))
  if (files.every(({ matches }) => matches.length === 0)) return { candidates: [], limits }

  // What the change leaves as it is was there before, on both sides alike.
  const earlier = new Map(
    change.files
      .filter(({ language: of, status }) => of === language && status !== 'added')
      .map((file) => [pathOn('old', file), writtenPlaces(file, 'old')] as const)
      .filter(([, places]) => places.length > 0),
  )
  const baseTexts = await readTexts(base, [...earlier.keys()])
  const brokenBefore = await brokenFiles(baseTexts, facts)
  const asBefore = [...baseTexts].filter(([path]) => !brokenBefore.has(path))
  const before = await runFairly(
    language,
    questions,
    asBefore.map(([path, { text }]) => ({ text, places: earlier.get(path) ?? [] })),
    startedAt + shareMs,
    signal,
  )
  const failed = asBefore.flatMap(([path], index) => (before.texts[index]?.type === 'failed' ? [path] : []))
  // Better reported twice than lost: without the version before, every match counts as new.
  for (const path of [...failed, ...brokenBefore])
    limits.push(
      `${visibleLine(path)}: the rules could not be run on the code before the change, so old matches may be reported as new`,
    )
  // Code moves between files too, so all files of the change are compared at once.
  const fresh = freshMatches(
    files,
    asBefore.map(([path], index) => ({ path, matches: matchesOf(before, index) })),
  )

  const candidates: CandidateDraft[] = []
  for (const [index, { file }] of files.entries()) {
    const headLines = (texts.get(file.path)?.text ?? '').split('\n')
    for (const [position, rule] of rules.entries()) {
      const matches = (fresh[index] ?? []).filter(({ question }) => question === position)
      candidates.push(...describeMatches(rule, file, matches, headLines))
    }
  }
  return { candidates, limits }
}

type Texts = ReadonlyMap<string, { blob: string; text: string }>

/** In the order of `paths`, which makes the answers line up. */
async function readTexts(snapshot: RepoSnapshot, paths: readonly string[]): Promise<Texts> {
  const texts = await snapshot.readMany(paths)
  return new Map(
    paths.flatMap((path) => {
      const file = texts.get(path)
      return file ? [[path, file] as const] : []
    }),
  )
}

const isBroken = 'most of its lines cannot be parsed'
/** Characters. In a shorter text errors cost little. */
const longText = 100_000

/** Long texts that are hardly code: the engine would search among errors for seconds, and find nothing that means anything. */
async function brokenFiles(texts: Texts, store: FactStore): Promise<ReadonlySet<string>> {
  const long = [...texts].filter(([, { text }]) => text.length > longText)
  const facts = await store.facts(long.map(([path, file]) => ({ path, ...file })))
  const broken = [...facts].filter(([, { errorLines, lineCount }]) => {
    const lines = errorLines.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)
    return lines > lineCount / 2
  })
  return new Set(broken.map(([path]) => path))
}

type Lines = { startLine: number; endLine: number }

/** The definitions in which the parser lost its way: what a rule of ours matches there may be something else. */
function misreadLines(facts: ReadonlyMap<string, FileFacts>): ReadonlyMap<string, readonly Lines[]> {
  return new Map(
    [...facts].map(([path, { errorLines, symbols }]) => [
      path,
      errorLines.map((error) => symbols.findLast((symbol) => overlaps(symbol, error)) ?? error),
    ]),
  )
}

/** Without a test in it, a file in a folder of tests is what tests are tried on, often wrong on purpose. */
function holdsTests(facts: FileFacts | undefined): boolean {
  return facts?.symbols.some(({ isTest }) => isTest) ?? true
}

function overlaps(a: Lines, b: Lines): boolean {
  return a.startLine <= b.endLine && b.startLine <= a.endLine
}

function matchesOf({ texts }: Answers, index: number): readonly EngineMatch[] {
  const answer = texts[index]
  return answer?.type === 'matched' ? answer.matches : []
}

function limitsOf({ texts, refused }: Answers, rules: readonly Rule[], paths: readonly string[]): string[] {
  const limits: string[] = []
  for (const [index, message] of refused) {
    const { id, place } = rules[index] ?? { id: '?', place: { file: '?', line: 1 } }
    const words = visibleLine(joinLines(message.replace(/\n[\s|>-]+/g, '\n'))).slice(0, 300)
    limits.push(`rule left out: ${visibleLine(place.file)}:${place.line} \`${id}\`: ${words}`)
  }
  for (const [index, answer] of texts.entries()) {
    const path = visibleLine(paths[index] ?? '')
    if (answer.type === 'failed') {
      limits.push(`${path}: the rules ${answer.reason === 'timeout' ? 'took too long' : 'could not be run'}`)
      continue
    }
    for (const question of answer.skipped)
      limits.push(
        `${path}: rule \`${rules[question]?.id ?? '?'}\` would take too long: too many nodes in one row`,
      )
    if (answer.omitted > 0)
      limits.push(
        `${path}: ${count(answer.omitted, 'further match of a rule is', 'further matches of rules are')} not listed`,
      )
  }
  return limits
}

/** Decides which rules apply to which files. Globs are compiled once for each rule. */
function createScope(): (rule: Rule, file: FileChange) => boolean {
  const compiled = new Map<Rule, { isIn: (path: string) => boolean; isOut: (path: string) => boolean }>()
  return (rule, file) => {
    if (rule.audience === 'tests' && file.role !== 'test') return false
    if (rule.audience === 'product-code' && file.role === 'test') return false
    if (rule.builtIn && file.role === 'test' && isTestMaterialPath(file.path)) return false
    const { isIn, isOut } = remembered(compiled, rule, ({ files, ignores }) => ({
      isIn: files.length === 0 ? () => true : matchGlobs(files),
      isOut: matchGlobs(ignores),
    }))
    return isIn(file.path) && !isOut(file.path)
  }
}
