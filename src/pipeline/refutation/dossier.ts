/**
 * What a judge is shown of a finding: the diff around every place of it, the code there before and after the change, each
 * function that it names, what code looked for that would speak against it, and references where it says that nothing uses a symbol.
 * Dossiers of several findings can be joined into one, in which each line is shown once.
 */

import { askTool } from '../../agent/ask-tool.ts'
import { bytesAdded, linesInDiffs, type ShownLines } from '../../agent/evidence-views.ts'
import { firstBy } from '../../base/grouped.ts'
import type { DiffLine, FileChange } from '../../domain/change-set.ts'
import type { Evidence, EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { lookAgainst } from './against.ts'
import { type Around, codeAround } from './code-around.ts'
import { namedDefinitions, namedFiles } from './named-definitions.ts'
import { absentSymbols } from './named-symbols.ts'
import { bytesOfDiffs, diffsAround, type Place, placesOf, unique } from './places.ts'
import type { DossierContext } from './sources.ts'

/** Lines of one changed file. */
export type ShownDiff = { file: FileChange; lines: DiffLine[] }

export type Dossier = {
  /** Numbered; what the findings cite comes first. */
  evidence: Evidence[]
  /** By file: the lines around the places. */
  diffs: ShownDiff[]
  /** The lines of the diffs. */
  inDiffs: ShownLines
  /** Those, and the lines of the evidence: each is shown once. */
  shown: ShownLines
  /** What had no room, in words. */
  left: string[]
}

/** A dossier whose evidence has no numbers yet, so that what is not asked in the end leaves no gap in them. */
export type DossierDraft = {
  /** One key for all findings whose first place is in the same definition, before or after the change. */
  piece: string
  diffs: ShownDiff[]
  /** Numbered already, since the findings cite them. */
  cited: Evidence[]
  drafts: EvidenceDraft[]
  left: string[]
  /** Of all lines, each counted once. */
  bytes: number
}

/** Symbols of one finding that references are asked for. */
const mostReferences = 3

/** Of one finding, within the room of the context. Adds nothing to the book. Rejects only after an abort. */
export async function gatherDossier(finding: Finding, input: DossierContext): Promise<DossierDraft> {
  const { context, book } = input
  const places = unique(placesOf(finding, context))
  const around = await Promise.all(places.map((place) => codeAround(place, input)))
  const drafts = [
    ...around.flatMap(({ drafts: [first] }) => first ?? []),
    ...(await referencesFor(finding, around, input)),
    ...around.flatMap(({ drafts: [, ...others] }) => others),
    ...(await againstFirst(places, around, input)),
    ...(await namedDefinitions(finding, input)),
    ...(await namedFiles(finding, input)),
  ]
  const cited = [...evidenceNamedBy(finding)].flatMap((id) => book.get(id) ?? [])
  return {
    piece: pieceOf(finding, around),
    ...fitted({ diffs: diffsAround(places, context), cited, drafts }, input.room),
  }
}

async function againstFirst(
  [place]: readonly Place[],
  [around]: readonly Around[],
  input: DossierContext,
): Promise<EvidenceDraft[]> {
  return place && around ? await lookAgainst(place, around, input) : []
}

/** What it quotes, and what its text refers to by number: a judge who cannot see that cannot judge the finding. */
function evidenceNamedBy({ evidence, explanation, remedy }: Finding): Set<string> {
  const named = `${explanation}\n${remedy ?? ''}`.match(/\bE\d{1,6}\b/g) ?? []
  return new Set([...evidence.map(({ evidence: id }) => id), ...named])
}

/**
 * One dossier with everything that each of these shows alone; null when it would be more than so many bytes, and more than
 * the largest of them is anyway.
 */
export function joinDossiers(parts: readonly DossierDraft[], room: number): DossierDraft | null {
  const [first, ...others] = parts
  if (!first || others.length === 0) return first ?? null
  const joined = fitted(
    {
      diffs: joinDiffs(parts.flatMap(({ diffs }) => diffs)),
      cited: [...new Set(parts.flatMap(({ cited }) => cited))],
      drafts: firstBy(
        parts.flatMap(({ drafts }) => drafts),
        JSON.stringify,
      ),
    },
    Number.POSITIVE_INFINITY,
  )
  if (joined.bytes > Math.max(room, ...parts.map(({ bytes }) => bytes))) return null
  const left = [...new Set(parts.flatMap((part) => part.left))]
  return { piece: first.piece, ...joined, left }
}

/** Numbers its evidence; what an earlier dossier holds too has the same number there. */
export function numberDossier({ diffs, cited, drafts, left }: DossierDraft, book: EvidenceBook): Dossier {
  const numbered = drafts.flatMap((draft) => book.get(book.add(draft)) ?? [])
  const [inDiffs, shown] = [linesInDiffs(diffs), linesInDiffs(diffs)]
  const evidence = [...new Set([...cited, ...numbered])]
  shown.addAll(evidence)
  return { evidence, diffs, inDiffs, shown, left }
}

type Parts = Pick<DossierDraft, 'diffs' | 'cited' | 'drafts'>

/** Leaves out what the room does not hold, in the order of what matters, and what is shown already. */
function fitted({ diffs, cited, drafts }: Parts, room: number): Omit<DossierDraft, 'piece'> {
  const [inDiffs, shown] = [linesInDiffs(diffs), linesInDiffs(diffs)]
  const left: string[] = []
  let bytes = 0
  const holds = (item: EvidenceDraft): boolean => {
    const added = bytesAdded(item, shown)
    const isHeld = bytes + added <= room
    if (isHeld) {
      bytes += added
      shown.addAll([item])
    } else left.push(titleOf(item))
    return isHeld
  }
  return {
    diffs,
    cited: cited.filter(holds),
    // What the diff or an earlier item shows needs no number of its own. Unchanged code that is shown as it is now does:
    // only words from before the change can prove that something was so before.
    drafts: drafts.filter((draft) => {
      const isNews = draft.side === 'old' ? hasOtherLines(draft, inDiffs) : bytesAdded(draft, shown) > 0
      return isNews && holds(draft)
    }),
    left,
    bytes: bytes + bytesOfDiffs(diffs),
  }
}

/** By file, the lines that any of them shows, in the order of the file. */
function joinDiffs(diffs: readonly ShownDiff[]): ShownDiff[] {
  const files = [...new Set(diffs.map(({ file }) => file))]
  return files.map((file) => {
    const wanted = new Set(diffs.flatMap((one) => (one.file === file ? one.lines : [])))
    return { file, lines: file.hunks.flatMap(({ lines }) => lines.filter((line) => wanted.has(line))) }
  })
}

function hasOtherLines({ side, path, startLine, endLine }: EvidenceDraft, shown: ShownLines): boolean {
  if (path === null || startLine === null) return true
  const lines = shown.of(side, path)
  for (let line = startLine; line <= (endLine ?? startLine); line++) if (!lines.has(line)) return true
  return false
}

function pieceOf({ anchor }: Finding, [first]: readonly Around[]): string {
  const symbol = first?.symbol
  return JSON.stringify([anchor.path, symbol ? [symbol.scope, symbol.name] : null])
}

/** For what a finding calls unused, uncalled or untested; where it names no symbol, the one around it. */
async function referencesFor(
  finding: Finding,
  around: readonly Around[],
  { code, signal }: DossierContext,
): Promise<EvidenceDraft[]> {
  const symbols = absentSymbols(finding)
  if (!code || symbols === null) return []
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

function titleOf({ title, path, startLine }: EvidenceDraft): string {
  return path === null ? title : `${title} (${path}${startLine === null ? '' : `:${startLine}`})`
}
