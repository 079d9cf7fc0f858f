/** The duplicate plane: new functions that repeat one that already exists elsewhere in the repository. */
import { setImmediate } from 'node:timers/promises'
import { compareText } from '../../../base/compare-text.ts'
import { count } from '../../../base/count.ts'
import { fileNameOf } from '../../../base/file-paths.ts'
import { looksGenerated } from '../../../base/generated-mark.ts'
import { remembered } from '../../../base/remembered.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FactStore } from '../../../code-index/contract.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { nearestTag } from '../changed-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { oncePerCause } from '../one-cause.ts'
import { candidateFiles, findTwin, type HeadFile, type Twin } from './find-twin.ts'
import { isComparable, isComparablePath, newSymbols, type Subject, subjectOf } from './subjects.ts'

const mostFindings = 3
/** New functions compared per change, the longest first. */
const mostSubjects = 40
const mostFiles = 200

export const duplicatePlane: Plane = {
  name: 'duplicate',
  description: 'new functions that repeat an existing one, with the place',
  wrongIf: 'the two pieces of code are to change for different reasons',
  look,
}

async function look({ context, head, facts, keep, signal }: PlaneInput): Promise<PlaneReport> {
  const limits: string[] = []
  const all = newSymbols(context.symbols, context.change.files).filter(({ file }) =>
    isComparablePath(file.path),
  )
  const isBuilt = all.length > 0 ? await openIsBuilt(head) : () => false
  const fresh = all.filter(({ file }) => !isBuilt(file.path))
  if (fresh.length === 0) return { candidates: [], limits }
  const read = openReader(head, facts)
  const changed = await read(fresh.map(({ file }) => file.path))
  const largest = fresh
    .flatMap((one) => {
      const file = changed.get(one.file.path)
      return (file && subjectOf(one, file.facts, file.lines)) ?? []
    })
    .sort(compareSize)
  const subjects = largest.slice(0, mostSubjects)
  if (largest.length > mostSubjects)
    limits.push(
      `${count(largest.length - mostSubjects, 'new function was', 'new functions were')} not compared`,
    )

  const nominations = await candidateFiles(subjects, head)
  const wanted = [...new Set(nominations.flatMap(({ paths }) => paths))]
  if (wanted.length > mostFiles)
    limits.push(
      `${count(wanted.length - mostFiles, 'file that may hold a twin was', 'files that may hold a twin were')} not read`,
    )
  const files = await read(wanted.slice(0, mostFiles))

  const isTouched = createIsTouched(context.symbols)
  const isPutTogether = openPutTogether(head, read)
  const hits: Hit[] = []
  for (const { subject, paths } of nominations) {
    const twin = findTwin(
      subject,
      paths.flatMap((path) => files.get(path) ?? []),
      isTouched,
    )
    if (
      twin &&
      !hits.some((hit) => isInside(subject, hit.subject) || isPair(hit, subject, twin)) &&
      !(await isPutTogether(subject))
    )
      hits.push({ subject, twin })
    keep?.({ candidates: describeHits(hits), limits })
    // Comparing blocks the event loop; between two functions the time limit of the review takes effect.
    await setImmediate()
    signal.throwIfAborted()
  }
  return { candidates: describeHits(hits), limits }
}

/** A script with a minified one next to it is what users get, built from the sources. */
async function openIsBuilt(head: RepoSnapshot): Promise<(path: string) => boolean> {
  const paths = new Set((await head.list()).map(({ path }) => path))
  return (path) => /\.[cm]?js$/.test(path) && paths.has(path.replace(/(?=\.\w+$)/, '.min'))
}

/** Two functions that repeat each other are told once. */
function isPair({ subject, twin }: Hit, other: Subject, its: Twin): boolean {
  return (
    subject.file.path === its.file.path &&
    twin.file.path === other.file.path &&
    subject.symbol.name === its.symbol.name &&
    twin.symbol.name === other.symbol.name
  )
}

/** Lines. */
const longestWritten = 5_000

function isBundle(path: string, hits: readonly Hit[]): boolean {
  const own = hits.filter(({ subject }) => subject.file.path === path)
  const sources = new Set(own.map(({ twin }) => twin.file.path))
  return sources.size >= fewestSources || own.some(({ subject }) => subject.facts.lineCount > longestWritten)
}

function describeHits(all: readonly Hit[]): CandidateDraft[] {
  const hits = all.filter(({ subject }) => !isBundle(subject.file.path, all))
  const candidates = hits.flatMap(({ subject, twin }) => {
    const { startLine: from, endLine: to, nameLine: near } = subject.symbol
    const tag = nearestTag(subject.file, 'new', { from, to, near })
    return tag === null ? [] : [describeTwin(subject, twin, tag)]
  })
  return oncePerCause(candidates, filesOf).slice(0, mostFindings)
}

/** What was copied from one file to another was copied once. */
function filesOf({ anchor, claims }: CandidateDraft): string {
  return [anchor.path, ...claims.flatMap((claim) => ('otherPath' in claim ? [claim.otherPath] : []))].join(
    '\0',
  )
}

type Hit = { subject: Subject; twin: Twin }

/** Texts and facts of head files, each read once. Generated files are left out: nobody edits them by hand. */
function openReader(head: RepoSnapshot, store: FactStore) {
  const known = new Map<string, HeadFile>()
  return async (paths: readonly string[]): Promise<ReadonlyMap<string, HeadFile>> => {
    const missing = [...new Set(paths)].filter((path) => !known.has(path))
    const texts = [...(await head.readMany(missing))].map(([path, text]) => ({ path, ...text }))
    const facts = await store.facts(texts)
    for (const file of texts) {
      const found = facts.get(file.path)
      if (found && !looksGenerated(file.text))
        known.set(file.path, { ...file, facts: found, lines: file.text.split('\n') })
    }
    return known
  }
}

/** True for functions that the change itself adds or edits: whoever wrote it had both in view. */
function createIsTouched(symbols: PlaneInput['context']['symbols']) {
  const keyOf = (path: string, { scope, name, startLine }: CodeSymbol) =>
    `${path}\0${scope}\0${name}\0${startLine}`
  const touched = new Set(
    symbols.flatMap(({ kind, after, bodyChanged }) =>
      (kind === 'added' || bodyChanged) && after ? [keyOf(after.path, after.symbol)] : [],
    ),
  )
  return (path: string, symbol: CodeSymbol) => touched.has(keyOf(path, symbol))
}

/** The largest first, then by path and line. */
function compareSize(a: Subject, b: Subject): number {
  return (
    b.shape.tokens.length - a.shape.tokens.length ||
    (a.file.path === b.file.path ? 0 : a.file.path < b.file.path ? -1 : 1) ||
    a.symbol.startLine - b.symbol.startLine
  )
}

function isInside({ file, symbol }: Subject, outer: Subject): boolean {
  return (
    file.path === outer.file.path &&
    outer.symbol.startLine <= symbol.startLine &&
    symbol.endLine <= outer.symbol.endLine
  )
}

/** Lines of the other function that are shown. */
const shownLines = 40

function describeTwin({ file, symbol }: Subject, twin: Twin, tag: string): CandidateDraft {
  const [name, otherName] = [nameOf(symbol), nameOf(twin.symbol)]
  const place = `${visibleLine(twin.file.path)}:${twin.symbol.nameLine}`
  const item = evidenceOf(twin)
  return {
    plane: 'duplicate',
    rule: 'duplicate/repeated-function',
    severity: 'low',
    category: 'maintainability',
    // A true fact, and perhaps meant: two copies may have to change for different reasons.
    confidence: 'likely',
    title: `\`${name}\` repeats \`${otherName}\` of \`${lastPart(twin.file.path)}\``,
    explanation: `Apart from local names, all of it repeats the function at \`${place}\`. A bug that is fixed in one copy will remain in the other.`,
    remedy: `Call \`${otherName}\`, or move the shared code to one place.`,
    anchor: { path: file.path, tags: [tag] },
    claims: [
      {
        kind: 'duplicate-of',
        path: file.path,
        line: symbol.nameLine,
        endLine: symbol.endLine,
        otherPath: twin.file.path,
        otherLine: twin.symbol.nameLine,
        otherEndLine: twin.symbol.endLine,
      },
    ],
    suggestion: null,
    preExisting: false,
    evidence: [{ item, quote: item.text.split('\n')[0] ?? '' }],
  }
}

function evidenceOf({ file, symbol }: Twin): EvidenceDraft {
  const endLine = Math.min(symbol.endLine, symbol.nameLine + shownLines - 1)
  return {
    source: 'file',
    trust: 'foreign',
    title: `the function it repeats, \`${nameOf(symbol)}\``,
    path: file.path,
    blob: file.blob,
    side: 'new',
    startLine: symbol.nameLine,
    endLine,
    text: file.lines.slice(symbol.nameLine - 1, endLine).join('\n'),
  }
}

function nameOf({ name }: { name: string }): string {
  return visibleLine(name).slice(0, 80)
}

function lastPart(path: string): string {
  return visibleLine(fileNameOf(path)).slice(0, 100)
}

/** A file whose functions are those of so many others is put together from them. */
const fewestSources = 3
/** Functions of the file that are looked for in others, the longest first. */
const mostFunctions = 40
const mostSources = 60

type Read = (paths: readonly string[]) => Promise<ReadonlyMap<string, HeadFile>>

/** Whether a build puts the file together from others; by all of its functions, since a change may bring a single one up to date. */
function openPutTogether(head: RepoSnapshot, read: Read): (subject: Subject) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (subject) => remembered(known, subject.file.path, () => isPutTogether(subject, head, read))
}

async function isPutTogether({ file, facts }: Subject, head: RepoSnapshot, read: Read): Promise<boolean> {
  const functions = facts.symbols
    .filter(isComparable)
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine))
    .slice(0, mostFunctions)
  const bodies = new Set(functions.map(({ bodyHash }) => bodyHash))
  const names = [...new Set(functions.map(({ name }) => name))]
  if (names.length < fewestSources) return false
  const found = await head.filesWithWords(names)
  const others = [...new Set([...found.values()].flat())]
    .filter((path) => path !== file.path && isComparablePath(path))
    .sort(compareText)
    .slice(0, mostSources)
  const known = await read(others)
  const sources = others
    .flatMap((path) => known.get(path) ?? [])
    .filter(
      (other) =>
        other.facts.lineCount < facts.lineCount &&
        other.facts.symbols.some((symbol) => isComparable(symbol) && bodies.has(symbol.bodyHash)),
    )
  return sources.length >= fewestSources
}
