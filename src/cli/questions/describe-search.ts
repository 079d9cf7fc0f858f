/** Hits of a search in lines for people. */
import { count } from '../../base/count.ts'
import { usdWords } from '../../base/usd-words.ts'
import type { Hit, MeaningNote, PricedSearch, SearchAnswer, StageName, StageRow } from '../../index.ts'
import { lines } from './describe.ts'
import { sideBySide } from './side-by-side.ts'

const headings: Readonly<Record<StageName, string>> = {
  words: 'BM25 over words',
  names: 'names of definitions',
  paths: 'paths',
  meaning: 'meaning',
  graph: 'near by imports',
  history: 'near by history',
}

export function describeSearch(answer: PricedSearch, debug: boolean): string {
  const { hits, searched, limits, emptiness, mode, meaning, cost } = answer
  return lines([
    ...hits.flatMap((hit) => hitLines(hit, debug)),
    ...(emptiness ? [`Nothing found: ${emptiness.why}.`] : []),
    ...(debug ? stageLines(answer) : []),
    `Searched ${count(searched.chunks, 'chunk')} of ${count(searched.files, 'file')}; ${mode}.`,
    ...(meaning ? meaningLines(meaning) : []),
    ...(cost?.byRole ?? []).map(
      ({ role, model, calls, usd }) => `Cost: ${role} ${model}, ${count(calls, 'call')}, ${usdWords(usd)}.`,
    ),
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

function meaningLines({ embedder, chunks, embedded, calls, tokens, cache }: MeaningNote): string[] {
  const { hits, reused } = cache
  return [
    `Meaning: ${embedded} of ${count(chunks, 'chunk')} ${embedded === 1 ? 'is' : 'are'} embedded by ${embedder}; ${count(calls, 'call')} and ${count(tokens, 'token')} for this answer.`,
    ...(reused
      ? [
          `Query cache: the order of "${reused.query}" was reused, which is as near as ${reused.cosine}; hits so far: ${hits}.`,
        ]
      : hits > 0
        ? [`Query cache: not used this time; hits so far: ${hits}.`]
        : []),
  ]
}

/** Every stage's list, with its scores, in columns; a list that is empty says so in its heading. */
function stageLines({ stages, fused, reranked, nearby }: SearchAnswer): string[] {
  const columns: { heading: string; rows: readonly StageRow[] }[] = [
    ...(Object.keys(headings) as StageName[]).map((name) => ({
      heading: headings[name],
      rows: stages[name],
    })),
    { heading: 'fused', rows: fused },
    ...(reranked ? [{ heading: `reranked by ${reranked.by}`, rows: reranked.rows }] : []),
  ]
  return [
    ...sideBySide(columns),
    ...(nearby
      ? sideBySide([{ heading: 'near the hits in the graph of imports, not fused', rows: nearby }])
      : []),
  ]
}
