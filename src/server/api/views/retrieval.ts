/** What each way of searching found around a change, side by side, from the answers that the run recorded. */
import { z } from 'zod'
import { JournalAnswer } from '../../../domain/journal.ts'
import type { Review } from '../../../domain/review.ts'
import { type PassageList, passageLists } from '../../../pipeline/context/retrieval/contract.ts'
import type { StoredRun } from '../../../storage/runs/stored-run.ts'
import type { RetrievalFamily, RetrievalUnit, RunRetrieval } from '../contract/runs.ts'

const Passage = z.object({
  path: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  title: z.string(),
  score: z.number().optional(),
  ranks: z.record(z.string(), z.number()).optional(),
})

const Graph = z.object({
  lists: z.partialRecord(z.enum(passageLists), z.array(Passage)),
  passages: z.array(Passage),
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

export async function retrievalOf(run: StoredRun, review: Review | null): Promise<RunRetrieval> {
  const graph = await answerOf(run, (target) => target === 'graph-retrieval', Graph)
  const evidence = evidenceFinder(review)
  const lists: RunRetrieval['lists'] = passageLists.map((name) => ({
    ...words[name],
    units: (graph?.lists[name] ?? []).map((passage, at) => unitOf(passage, at, evidence, null)),
  }))
  const fused = graph?.passages ?? []
  lists.push({
    family: 'fused',
    title: 'All lists fused',
    units: fused.map((passage, at) =>
      unitOf(passage, at, evidence, evidence(passage) === null ? 'no room in the bundle' : null),
    ),
  })
  lists.push(...(await searchLists(run, evidence)))
  lists.push({
    family: 'history',
    title: 'Counted from the history',
    units: evidenceUnits(review, ['history']),
  })
  lists.push({
    family: 'final',
    title: 'In the bundle',
    units: evidenceUnits(review, ['file', 'history', 'ticket', 'discussion', 'tool']),
  })
  return {
    lists: lists.filter(({ units, family }) => units.length > 0 || family === 'final'),
    cuts: [...(graph?.cuts ?? []), ...(review?.models?.trimmed ?? [])],
  }
}

/** Of the searches that a model asked for, the stages of the first one. */
async function searchLists(run: StoredRun, evidence: EvidenceOf): Promise<RunRetrieval['lists']> {
  const search = await answerOf(run, (target) => target === 'search_code', Search)
  return Object.entries(search?.stages ?? {}).map(([stage, rows]) => ({
    family: stage === 'meaning' || stage === 'vectors' ? ('vectors' as const) : ('words' as const),
    title: `Search by ${stage}`,
    units: rows.map((row, at) => unitOf({ ...row, endLine: row.startLine, title: '' }, at, evidence, null)),
  }))
}

type Place = { path: string; startLine: number; endLine: number }
type EvidenceOf = (place: Place) => string | null

/** Evidence of the same file whose lines overlap. */
function evidenceFinder(review: Review | null): EvidenceOf {
  const byPath = Map.groupBy(review?.evidence ?? [], ({ path }) => path)
  return ({ path, startLine, endLine }) =>
    byPath
      .get(path)
      ?.find(
        (one) => (one.startLine ?? 0) <= endLine && startLine <= (one.endLine ?? 0) && one.source !== 'diff',
      )?.id ?? null
}

function unitOf(
  passage: z.infer<typeof Passage>,
  at: number,
  evidence: EvidenceOf,
  cut: string | null,
): RetrievalUnit {
  const { path, startLine, endLine, title, score = null, ranks = {} } = passage
  return { rank: at + 1, path, startLine, endLine, title, score, ranks, evidence: evidence(passage), cut }
}

function evidenceUnits(review: Review | null, sources: readonly string[]): RetrievalUnit[] {
  return (review?.evidence ?? [])
    .filter(({ source }) => sources.includes(source))
    .map(({ id, path, startLine, endLine, title }, at) => ({
      rank: at + 1,
      path: path ?? '',
      ...{ startLine, endLine, title },
      score: null,
      ranks: {},
      evidence: id,
      cut: null,
    }))
}

/** The first recorded answer of such a tool that has this shape; null without one. */
async function answerOf<Schema extends z.ZodType>(
  run: StoredRun,
  isIt: (target: string) => boolean,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  for (const entry of run.entries) {
    if (entry.type !== 'answer' || entry.kind !== 'tool' || !isIt(entry.target) || entry.answer === null)
      continue
    const text = await run.object(entry.answer)
    const answer = text === null ? null : JournalAnswer.safeParse(JSON.parse(text))
    const read = answer?.success ? schema.safeParse(JSON.parse(answer.data.body)) : null
    if (read?.success) return read.data
  }
  return null
}
