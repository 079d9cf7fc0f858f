/** Hits of a search in lines for people. */
import type { Hit, SearchAnswer, StageName, StageRow } from '../../index.ts'
import { lines } from './describe.ts'

const rowsShown = 10

const headings: Readonly<Record<StageName, string>> = {
  words: 'BM25 over words',
  names: 'Names of definitions',
  paths: 'Paths',
}

export function describeSearch(answer: SearchAnswer, debug: boolean): string {
  const { hits, searched, limits, emptiness, mode } = answer
  return lines([
    ...hits.flatMap((hit) => hitLines(hit, debug)),
    ...(emptiness ? [`Nothing found: ${emptiness.why}.`] : []),
    ...(debug ? stageLines(answer) : []),
    `Searched ${searched.chunks} chunks of ${searched.files} files; ${mode}.`,
    ...limits.map((limit) => `Note: ${limit}.`),
  ])
}

function hitLines(
  { path, startLine, endLine, symbol, line, text, score, ranks }: Hit,
  debug: boolean,
): string[] {
  const scope = symbol && symbol.scope !== '' ? `${symbol.scope}.` : ''
  const what = symbol ? `  ${symbol.kind} ${scope}${symbol.name}` : ''
  const why = Object.entries(ranks).map(([stage, rank]) => `${stage} #${rank}`)
  return [
    `${path}:${startLine}-${endLine}${what}${debug ? `  ${score} = ${why.join(' + ')}` : ''}`,
    `  ${line}: ${text}`,
  ]
}

function stageLines({ stages, nearby }: SearchAnswer): string[] {
  return [
    ...(['words', 'names', 'paths'] as const).flatMap((name) => listLines(headings[name], stages[name])),
    ...(nearby ? listLines('Near the hits in the graph of imports, not fused', nearby) : []),
  ]
}

function listLines(heading: string, rows: readonly StageRow[]): string[] {
  return [
    `${heading} (${rows.length}):`,
    ...rows
      .slice(0, rowsShown)
      .map(({ path, startLine, score }, at) => `  #${at + 1}  ${score}  ${path}:${startLine}`),
  ]
}
