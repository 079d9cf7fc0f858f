/** Change requests that are open beside the reviewed one and change the same lines or definitions. */
import { type ChangeSet, type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../domain/code-symbol.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import { nowhere } from '../../../domain/evidence.ts'
import { describeOverlap, type OpenChange, type Overlap } from '../../../domain/open-change.ts'
import type { LineRange } from '../../../domain/team-history.ts'
import { type ChangedCode, rankOverlaps } from '../../../graph/open-changes.ts'

const mostShown = 5

/** The nearest ones. One that has only a file in common is left to whoever asks the tool. */
export function retrieveOpenChanges(
  others: readonly OpenChange[],
  change: ChangeSet,
  symbols: readonly SymbolChange[],
): { evidence: EvidenceDraft[]; trimmed: number } {
  const near = rankOverlaps(changedCode(change, symbols), others).filter(
    ({ lines, symbols: shared }) => lines.length + shared.length > 0,
  )
  const kept = near.slice(0, mostShown)
  return { evidence: kept.map(draftOf), trimmed: near.length - kept.length }
}

/** What the change touches, by the paths and lines of its base. */
export function changedCode(change: ChangeSet, symbols: readonly SymbolChange[]): ChangedCode[] {
  return change.files.map((file) => {
    const path = pathOn('old', file)
    const own = symbols.flatMap(({ before }) => (before?.path === path ? [before.symbol] : []))
    return {
      path,
      places: placesOf(file),
      symbols: own
        .filter((symbol) => !own.some((inner) => inner !== symbol && isWithin(inner, symbol)))
        .map(({ name, scope, startLine, endLine }) => ({
          name: scope === '' ? name : `${scope}.${name}`,
          start: startLine,
          end: endLine,
        })),
    }
  })
}

/** Of a class whose method changed, the method is what changed. */
function isWithin(inner: CodeSymbol, outer: CodeSymbol): boolean {
  const isSmaller = inner.endLine - inner.startLine < outer.endLine - outer.startLine
  return isSmaller && inner.startLine >= outer.startLine && inner.endLine <= outer.endLine
}

/** Lines that are removed, and those between which lines are added. */
function placesOf({ hunks }: Pick<FileChange, 'hunks'>): LineRange[] {
  const places: LineRange[] = []
  const add = (line: number) => {
    const last = places.at(-1)
    if (last && line <= last.end + 1) last.end = Math.max(last.end, line)
    else places.push({ start: line, end: line })
  }
  for (const { oldStart, lines } of hunks) {
    let next = Math.max(1, oldStart)
    for (const { kind, old } of lines) {
      if (old !== null) next = old + 1
      if (kind === 'removed' && old !== null) add(old)
      if (kind === 'added') add(Math.max(1, next - 1))
    }
  }
  return places
}

function draftOf(overlap: Overlap): EvidenceDraft {
  const { lines, symbols } = overlap
  const shared = symbols.length > 0 ? symbols.slice(0, 3).join(', ') : lines[0]?.path
  return {
    source: 'tool',
    trust: 'foreign',
    title: `open change request that changes ${lines.length > 0 ? 'the same lines of' : 'the same code:'} ${shared}`,
    ...nowhere,
    text: describeOverlap(overlap).join('\n'),
  }
}
