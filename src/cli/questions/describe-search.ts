/** Hits of a search in lines for people. */
import { count, usdWords } from '../../base/count.ts'
import type { Hit, MeaningNote, PricedSearch, SearchAnswer, StageName, StageRow } from '../../index.ts'
import { lines } from './describe.ts'

const headings: Readonly<Record<StageName, string>> = {
  words: 'BM25 over words',
  names: 'names of definitions',
  paths: 'paths',
  meaning: 'meaning',
  graph: 'close by imports',
  history: 'close by history',
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
          `Query cache: the order of "${reused.query}" was reused, which has a similarity of ${reused.cosine}; hits so far: ${hits}.`,
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
      ? sideBySide([{ heading: 'close to the hits by imports, not in the ranking', rows: nearby }])
      : []),
  ]
}

type Column = { heading: string; rows: readonly StageRow[] }

const rowsShown = 10
const widest = 46

/** Lines without ends; the columns are as wide as their content, up to a limit. */
function sideBySide(columns: readonly Column[]): string[] {
  const cells = columns.map(({ heading, rows }) => [
    `${heading} (${rows.length})`,
    ...rows
      .slice(0, rowsShown)
      .map(({ path, startLine, score }) => `${score} ${shorten(`${path}:${startLine}`)}`),
  ])
  const widths = cells.map((column) => Math.max(...column.map((cell) => [...cell].length)))
  const height = Math.max(0, ...cells.map((column) => column.length))
  return Array.from({ length: height }, (_, line) => {
    const mark = line === 0 ? '   ' : `#${line}`.padEnd(3)
    const row = cells.map((column, at) => pad(column[line] ?? '', widths[at] ?? 0)).join('  ')
    return `  ${mark} ${row}`.trimEnd()
  })
}

/** The end of a path tells more than its beginning. */
function shorten(place: string): string {
  const characters = [...place]
  return characters.length <= widest ? place : `…${characters.slice(1 - widest).join('')}`
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length))
}
