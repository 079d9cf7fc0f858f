/** What each way of searching found around a change, side by side, from the answers that the run recorded. */
import { z } from 'zod'
import type { Evidence } from '../../../domain/evidence.ts'
import { JournalAnswer } from '../../../domain/journal.ts'
import type { Review } from '../../../domain/review.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'
import {
  type GraphRetrieval,
  type PassageList,
  passageLists,
} from '../../../pipeline/context/retrieval/contract.ts'
import type { StoredRun } from '../../../storage/runs/stored-run.ts'
import type { RetrievalFamily, RetrievalUnit, RunRetrieval } from '../contract/runs.ts'

const Passage = z.object({
  path: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  title: z.string(),
})
const RankedPassage = Passage.extend({
  score: z.number(),
  ranks: z.partialRecord(z.enum(passageLists), z.number()),
})

const Graph = z.object({
  lists: z.record(z.enum(passageLists), z.array(Passage)),
  passages: z.array(RankedPassage),
  cuts: z.array(z.string()),
})

const StageRow = z.object({ path: z.string(), startLine: z.number(), score: z.number() })
const Search = z.object({
  stages: z.record(z.string(), z.array(StageRow)),
  fused: z.array(StageRow),
})

const words: Readonly<Record<PassageList, { family: RetrievalFamily; title: string }>> = {
  used: { family: 'graph', title: 'Definitions that changed lines use' },
  callers: { family: 'graph', title: 'Callers of changed symbols' },
  tests: { family: 'graph', title: 'Tests of changed symbols' },
  siblings: { family: 'graph', title: 'Beside the change in its file or class' },
  neighbours: { family: 'graph', title: 'Near in the graph of code' },
  'look-alikes': { family: 'words', title: 'Similar words' },
}

/** `bundle`: all evidence that the review rested on; freezes it again, which takes about as long as it did then. */
export async function retrievalOf(
  run: StoredRun,
  review: Review | null,
  bundleOf: (graph: GraphRetrieval | null) => Promise<Pick<ReviewContext, 'evidence' | 'around' | 'cuts'>>,
): Promise<RunRetrieval> {
  const graph = await answerOf(run, 'graph-retrieval', Graph)
  const bundle = await bundleOf(graph)
  const evidence = evidenceFinder(bundle.evidence)
  const lists: RunRetrieval['lists'] = passageLists.map((name) => ({
    ...words[name],
    units: (graph?.lists[name] ?? []).map((passage, at) => unitOf(passage, at, evidence, null)),
  }))
  const fused = (graph?.passages ?? []).map((passage, at) =>
    unitOf(passage, at, evidence, evidence(passage) === null ? 'no room in the bundle' : null),
  )
  lists.push({ family: 'fused', title: 'All lists fused', units: fused })
  lists.push(...(await searchLists(run, evidence)))
  lists.push({ family: 'history', title: 'Usually changed together', units: partnersOf(bundle) })
  lists.push({ family: 'final', title: 'In the bundle', units: bundle.evidence.map(evidenceUnit) })
  return {
    lists: lists.filter(({ units, family }) => units.length > 0 || family === 'final'),
    cuts: [...new Set([...(graph?.cuts ?? []), ...bundle.cuts, ...(review?.models?.trimmed ?? [])])],
  }
}

/** Of the searches that a model asked for, the stages of the first one. */
async function searchLists(run: StoredRun, evidence: EvidenceOf): Promise<RunRetrieval['lists']> {
  const search = await answerOf(run, 'search_code', Search)
  return Object.entries(search?.stages ?? {}).map(([stage, rows]) => ({
    family: stage === 'meaning' || stage === 'vectors' ? ('vectors' as const) : ('words' as const),
    title: `Search by ${stage}`,
    units: rows.map((row, at) => unitOf({ ...row, endLine: row.startLine, title: '' }, at, evidence, null)),
  }))
}

type Place = { path: string; startLine: number; endLine: number }
type EvidenceOf = (place: Place) => string | null

/** Evidence of the same file whose lines overlap. */
function evidenceFinder(evidence: readonly Evidence[]): EvidenceOf {
  const byPath = Map.groupBy(evidence, ({ path }) => path)
  return ({ path, startLine, endLine }) =>
    byPath.get(path)?.find((one) => (one.startLine ?? 0) <= endLine && startLine <= (one.endLine ?? 0))?.id ??
    null
}

function unitOf(
  passage: z.infer<typeof Passage> & { score?: number; ranks?: Readonly<Partial<Record<string, number>>> },
  at: number,
  evidence: EvidenceOf,
  cut: string | null,
): RetrievalUnit {
  const { path, startLine, endLine, title, score = null, ranks = {} } = passage
  const known = Object.entries(ranks).flatMap(([list, rank]) =>
    rank === undefined ? [] : [[list, rank] as const],
  )
  return {
    ...{ rank: at + 1, path, startLine, endLine, title, score, cut },
    ranks: Object.fromEntries(known),
    evidence: evidence(passage),
  }
}

function evidenceUnit({ id, path, startLine, endLine, title }: Evidence, at: number): RetrievalUnit {
  return {
    rank: at + 1,
    path: path ?? '',
    ...{ startLine, endLine, title },
    score: null,
    ranks: {},
    evidence: id,
    cut: null,
  }
}

/** Files that usually change with those of the change, and did not: counted from the history. */
function partnersOf({ around }: Pick<ReviewContext, 'around'>): RetrievalUnit[] {
  return (around?.history?.missingPartners ?? []).map(({ path, share }, at) => ({
    rank: at + 1,
    path,
    ...{ startLine: null, endLine: null },
    title: `in ${Math.round(share * 100)} % of the commits`,
    score: share,
    ranks: {},
    evidence: null,
    cut: null,
  }))
}

/** The first recorded answer of such a tool that has this shape; null without one. */
async function answerOf<Schema extends z.ZodType>(
  run: StoredRun,
  tool: string,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  for (const entry of run.entries) {
    if (entry.type !== 'answer' || entry.kind !== 'tool' || entry.target !== tool || entry.answer === null)
      continue
    const text = await run.object(entry.answer)
    const answer = text === null ? null : JournalAnswer.safeParse(JSON.parse(text))
    const read = answer?.success ? schema.safeParse(JSON.parse(answer.data.body)) : null
    if (read?.success) return read.data
  }
  return null
}
