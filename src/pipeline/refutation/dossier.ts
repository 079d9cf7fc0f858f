/**
 * What judges are shown of one piece of code: the diff around every place of its findings, the code there before and after
 * the change, each function that a finding names, and references where one says that nothing uses a symbol. All findings of
 * a piece share one dossier, so that one defect reported twice is judged by the same evidence, and prompts begin alike.
 */
import { bytesAdded, linesInDiffs, type ShownLines, takeWithin } from '../../agent/evidence-views.ts'
import { type DiffLine, type FileChange, pathOn, type Side } from '../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../domain/code-symbol.ts'
import type { Evidence, EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { askTool } from './look-up.ts'
import { namedDefinitions } from './named-definitions.ts'
import { absentSymbols } from './named-symbols.ts'
import { diffsAround, fileAt, type Place, placesOf, unique } from './places.ts'
import { type DossierContext, linesOf, longestDefinition, snapshotOf } from './sources.ts'

export type Dossier = {
  /** Numbered; what the findings cite comes first. */
  evidence: Evidence[]
  /** By file: the lines around the places, in the order of the diff. */
  diffs: { file: FileChange; lines: DiffLine[] }[]
  /** The lines of the diffs. */
  inDiffs: ShownLines
  /** Those, and the lines of the evidence: each is shown once. */
  shown: ShownLines
  /** What had no room, in words. */
  left: string[]
}

/** Lines above and below a finding, of a definition that is too long. */
const aroundDefinition = 60

/** Lines above and below a finding outside any definition. */
const beside = 20

/** Symbols of one dossier that references are asked for. */
const mostReferences = 3

/** Adds what it gathers to the book, so that it can be cited. Rejects only after an abort. */
export async function gatherDossier(findings: readonly Finding[], input: DossierContext): Promise<Dossier> {
  const { context, book } = input
  const places = unique(findings.flatMap((finding) => placesOf(finding, context)))
  const cited = new Set(findings.flatMap(({ evidence }) => evidence.map(({ evidence: id }) => id)))
  const around = await Promise.all(places.map((place) => codeAround(place, input)))
  const drafts = [
    ...around.flatMap(({ drafts: [first] }) => first ?? []),
    ...(await referencesFor(findings, around, input)),
    ...around.flatMap(({ drafts: [, ...others] }) => others),
    ...(await namedDefinitions(findings, input)),
  ]
  const diffs = diffsAround(places, context)
  const [inDiffs, shown] = [linesInDiffs(diffs), linesInDiffs(diffs)]
  const evidence: Evidence[] = []
  const left: string[] = []
  let { room } = input
  const show = (item: Evidence | undefined): void => {
    if (!item || evidence.includes(item)) return
    const { taken, bytes } = takeWithin([item], room, shown)
    if (taken.length === 0) left.push(titleOf(item))
    evidence.push(...taken)
    room -= bytes
  }
  for (const id of cited) show(book.get(id))
  // What the diff or an earlier item shows needs no number of its own. Unchanged code that is shown as it is now does: only
  // words from before the change can prove that something was so before.
  for (const draft of drafts)
    if (draft.side === 'old' ? hasOtherLines(draft, inDiffs) : bytesAdded(draft, shown) > 0)
      show(book.get(book.add(draft)))
  return { evidence, diffs, inDiffs, shown, left }
}

function hasOtherLines({ side, path, startLine, endLine }: EvidenceDraft, shown: ShownLines): boolean {
  if (path === null || startLine === null) return true
  const lines = shown.of(side, path)
  for (let line = startLine; line <= (endLine ?? startLine); line++) if (!lines.has(line)) return true
  return false
}

/** One key for all findings whose first place is in the same definition, before or after the change. */
export async function pieceOf(finding: Finding, input: DossierContext): Promise<string> {
  const [place] = placesOf(finding, input.context)
  const { symbol } = place ? await codeAround(place, input) : { symbol: null }
  return JSON.stringify([finding.anchor.path, symbol ? [symbol.scope, symbol.name] : null])
}

type Around = { symbol: CodeSymbol | null; path: string; drafts: EvidenceDraft[] }

/** The innermost definition around a place, or the lines beside it; then the same definition on the other side. */
async function codeAround(place: Place, input: DossierContext): Promise<Around> {
  const { side, startLine, endLine } = place
  const file = fileAt(input.context.change.files, place.path)
  const path = side === 'old' && file ? pathOn(side, file) : place.path
  const source = await snapshotOf(side, input).read(path)
  if (!source) return { symbol: null, path, drafts: [] }
  const known = await input.facts.facts([{ path, blob: source.blob, text: source.text }])
  const symbol = innermost(known.get(path)?.symbols ?? [], startLine, endLine)
  const [from, to] = symbol ? rangeIn(symbol, startLine) : [Math.max(1, startLine - beside), endLine + beside]
  const title = symbol
    ? `the ${symbol.kind} \`${symbol.name}\` around the finding`
    : 'the lines around the finding'
  const own = linesOf(source, { path, side, startLine: from, endLine: to }, title)
  const other = symbol && (await otherSide({ symbol, path, side }, input))
  return { symbol, path, drafts: [own, other].filter((draft) => draft !== null) }
}

async function otherSide(
  { symbol, path, side }: { symbol: CodeSymbol; path: string; side: Side },
  input: DossierContext,
): Promise<EvidenceDraft | null> {
  const [here, there] = side === 'new' ? (['after', 'before'] as const) : (['before', 'after'] as const)
  const isThis = (change: SymbolChange) =>
    change[here]?.path === path &&
    change[here].symbol.name === symbol.name &&
    change[here].symbol.startLine === symbol.startLine
  const counterpart = input.context.symbols.find(isThis)?.[there]
  if (!counterpart) return null
  const other = side === 'new' ? 'old' : 'new'
  const source = await snapshotOf(other, input).read(counterpart.path)
  const [startLine, endLine] = rangeIn(counterpart.symbol, counterpart.symbol.startLine)
  const place = { path: counterpart.path, side: other, startLine, endLine } as const
  const { kind, name } = counterpart.symbol
  const when = other === 'old' ? 'before' : 'after'
  return source && linesOf(source, place, `the ${kind} \`${name}\` ${when} the change`)
}

/** For what a finding calls unused, uncalled or untested; where it names no symbol, the one around it. */
async function referencesFor(
  findings: readonly Finding[],
  around: readonly Around[],
  { code, signal }: DossierContext,
): Promise<EvidenceDraft[]> {
  const symbols = findings.flatMap((finding) => absentSymbols(finding) ?? [])
  const denies = findings.some((finding) => absentSymbols(finding) !== null)
  if (!code || !denies) return []
  const enclosing = around.flatMap(({ symbol, path }) => (symbol ? [{ symbol: symbol.name, path }] : []))
  const asked = [
    ...symbols.map((symbol) => enclosing.find((one) => one.symbol === symbol) ?? { symbol }),
    ...enclosing.slice(0, 1),
  ]
  const calls = [...new Map(asked.map((args) => [args.symbol, args])).values()].slice(0, mostReferences)
  const toolbox = await code.openToolbox('refute')
  const answers = await Promise.all(
    calls.map((args) => askTool(toolbox, { tool: 'find_references', args }, signal)),
  )
  return answers.flatMap(({ evidence, isError }) => (isError ? [] : evidence))
}

function rangeIn({ startLine, endLine }: CodeSymbol, near: number): [number, number] {
  if (endLine - startLine < longestDefinition) return [startLine, endLine]
  return [Math.max(startLine, near - aroundDefinition), Math.min(endLine, near + aroundDefinition)]
}

/** The smallest definition of more than one line that holds all of the lines. */
function innermost(symbols: readonly CodeSymbol[], from: number, to: number): CodeSymbol | null {
  let best: CodeSymbol | null = null
  for (const symbol of symbols) {
    if (symbol.startLine > from || symbol.endLine < to || symbol.startLine === symbol.endLine) continue
    if (!best || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol
  }
  return best
}

function titleOf({ title, path, startLine }: Evidence): string {
  return path === null ? title : `${title} (${path}${startLine === null ? '' : `:${startLine}`})`
}
