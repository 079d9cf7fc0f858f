/** Chunks as they are shown: where they stand, and the line that says most of the query. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { termsOf } from '../lexical/terms.ts'
import type { Hit } from './contract.ts'
import type { Fused } from './fuse.ts'
import type { ChunkIndex } from './index/chunk-index.ts'

const longestLine = 200

export async function hitsOf(
  snapshot: RepoSnapshot,
  index: ChunkIndex,
  fused: readonly Fused[],
  query: string,
): Promise<Hit[]> {
  const tokens = new Set(termsOf(query))
  const shown = fused.map(({ document, score, ranks }) => ({ chunk: index.note(document), score, ranks }))
  const texts = await snapshot.readMany(shown.map(({ chunk }) => chunk.path))
  return shown.map(({ chunk, score, ranks }) => {
    const { path, startLine, endLine } = chunk
    const lines =
      texts
        .get(path)
        ?.text.split('\n')
        .slice(startLine - 1, endLine) ?? []
    const at = bestLine(lines, tokens)
    const text = (lines[at] ?? '').trim().slice(0, longestLine)
    return { ...chunk, score: round(score), ranks, line: startLine + at, text }
  })
}

/** Six places are more than order needs, and print alike everywhere. */
export function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

/** The first of the lines with most different words of the query. */
function bestLine(lines: readonly string[], tokens: ReadonlySet<string>): number {
  let best = { at: 0, count: 0 }
  for (const [at, line] of lines.entries()) {
    const count = new Set(termsOf(line.slice(0, 1_000)).filter((token) => tokens.has(token))).size
    if (count > best.count) best = { at, count }
  }
  return best.at
}
