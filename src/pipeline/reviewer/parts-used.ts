/** What one question uses of files that are asked about in another: so much of their diffs that the use can be understood. */
import type { ChangedDefinition, ChangedUses, DiffLine, FileChange, Hunk } from '../../domain/change-set.ts'

/** Of a definition in one hunk, from its first changed line on, before the change and after it; the question about its own file shows the rest. */
const mostLines = 10

/** The most used first. What is shown of a use is the same, however a change is split into questions. */
export function partsUsedBy(
  question: ReadonlySet<string>,
  files: readonly FileChange[],
  uses: ChangedUses,
): FileChange[] {
  const used = new Set([...question].flatMap((path) => uses.get(path) ?? []))
  const byPath = Map.groupBy(used, ({ path }) => path)
  return files
    .filter(({ path }) => !question.has(path))
    .map((file) => {
      const definitions = byPath.get(file.path) ?? []
      const hunks = file.hunks.flatMap((hunk) => beginningsIn(hunk, definitions))
      return { part: { ...file, hunks }, weight: definitions.length }
    })
    .filter(({ part }) => part.hunks.length > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ part }) => part)
}

function beginningsIn(hunk: Hunk, definitions: readonly ChangedDefinition[]): Hunk[] {
  const below = linesBelow(hunk)
  const shown = new Set(
    definitions.flatMap(({ startLine, endLine }) => {
      const inside = hunk.lines.filter(
        (_, at) => startLine <= (below[at] ?? 0) && (below[at] ?? 0) <= endLine,
      )
      const first = inside.findIndex(({ kind }) => kind !== 'context')
      const [removed, others] = [true, false].map((isRemoved) =>
        inside.slice(first).filter(({ kind }) => (kind === 'removed') === isRemoved),
      )
      return first < 0 ? [] : [removed, others].flatMap((lines = []) => lines.slice(0, mostLines))
    }),
  )
  const runs: { at: number; lines: DiffLine[] }[] = []
  for (const [at, line] of hunk.lines.entries()) {
    if (!shown.has(line)) continue
    const last = runs.at(-1)
    if (last && last.at + last.lines.length === at) last.lines.push(line)
    else runs.push({ at, lines: [line] })
  }
  return runs.map(({ at, lines }) => ({ ...hunk, ...headOf(hunk, at, lines), lines }))
}

/** The number after the change of each line, and of a removed one that of the next line that is still there. */
function linesBelow({ newStart, newLines, lines }: Hunk): number[] {
  let next = newStart + newLines
  return lines
    .toReversed()
    .map((line) => {
      next = line.new ?? next
      return next
    })
    .reverse()
}

/** Where a run of the lines of a hunk begins on each side, and how many lines it has there. */
function headOf({ oldStart, newStart, lines: all }: Hunk, at: number, lines: readonly DiffLine[]) {
  const before = all.slice(0, at)
  return {
    oldStart: oldStart + countOf(before, 'old'),
    oldLines: countOf(lines, 'old'),
    newStart: newStart + countOf(before, 'new'),
    newLines: countOf(lines, 'new'),
  }
}

function countOf(lines: readonly DiffLine[], side: 'old' | 'new'): number {
  return lines.filter((line) => line[side] !== null).length
}
