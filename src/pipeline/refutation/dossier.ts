/** What a judge is shown for one finding: the evidence it cites, the definition around its lines, its part of the diff. */
import type { FactStore } from '../../code-index/contract.ts'
import type { DiffLine, FileChange } from '../../domain/change-set.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { Evidence, EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'

/** Bytes of evidence in one question. */
export const mostEvidenceBytes = 24_000
/** Of a longer definition, and of a longer hunk, only the lines near the finding are shown. */
const longestDefinition = 120
const aroundDefinition = 40
const aroundDiff = 40
/** Lines above and below a finding outside any definition. */
const beside = 20

export type Dossier = {
  finding: Finding
  file: FileChange | null
  /** Numbered; what the finding cites comes first. */
  evidence: Evidence[]
  /** Lines of the one file, around the finding. */
  diff: DiffLine[]
}

export type DossierContext = {
  context: ReviewContext
  book: EvidenceBook
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
}

/** Adds the definition, or the lines around, to the book, so that it can be cited. */
export async function gatherDossier(finding: Finding, input: DossierContext): Promise<Dossier> {
  const { context, book } = input
  const file = context.change.files.find(({ path }) => path === finding.anchor.path) ?? null
  const cited = [...new Set(finding.evidence.map(({ evidence }) => evidence))]
  const definition = file && (await definitionAround(finding, file, input))
  const ids = [...cited, ...(definition ? [book.add(definition)] : [])]
  let room = mostEvidenceBytes
  const evidence = [...new Set(ids)].flatMap((id) => {
    const item = book.get(id)
    room -= item ? Buffer.byteLength(item.text) : 0
    return item && room >= 0 ? [item] : []
  })
  return { finding, file, evidence, diff: file ? diffAround(finding, file) : [] }
}

async function definitionAround(
  { side, startLine, endLine }: Finding,
  file: FileChange,
  { base, head, facts }: DossierContext,
): Promise<EvidenceDraft | null> {
  const path = side === 'old' ? (file.oldPath ?? file.path) : file.path
  const source = await (side === 'old' ? base : head).read(path)
  if (!source) return null
  const known = await facts.facts([{ path, blob: source.blob, text: source.text }])
  const symbol = innermost(known.get(path)?.symbols ?? [], startLine, endLine)
  const [from, to] = symbol ? rangeIn(symbol, startLine) : [Math.max(1, startLine - beside), endLine + beside]
  const lines = source.text.split('\n').slice(from - 1, to)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return null
  return {
    source: 'file',
    trust: 'foreign',
    title: symbol
      ? `the ${symbol.kind} \`${symbol.name}\` around the finding`
      : 'the lines around the finding',
    path,
    blob: source.blob,
    side,
    startLine: from,
    endLine: from + lines.length - 1,
    text: lines.map((line) => line.replace(/\r$/, '')).join('\n'),
  }
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

/** The lines of its hunk, or of a long one those nearby; without a line, the start of the first hunk. */
function diffAround({ side, startLine, endLine }: Finding, { hunks }: FileChange): DiffLine[] {
  const isIn = (line: DiffLine) => {
    const number = line[side]
    return number !== null && startLine <= number && number <= endLine
  }
  for (const { lines } of hunks) {
    const first = lines.findIndex(isIn)
    if (first < 0) continue
    const last = lines.findLastIndex(isIn)
    return lines.slice(Math.max(0, first - aroundDiff), Math.min(last, first + aroundDiff) + aroundDiff + 1)
  }
  return hunks[0]?.lines.slice(0, aroundDiff) ?? []
}
