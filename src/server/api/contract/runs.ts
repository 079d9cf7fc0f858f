/** Runs: the list, and everything about one of them. All text that a repository, a person or a model wrote is foreign. */
import { z } from 'zod'
import { DiffLine, FileChange, Hunk } from '../../../domain/change-set.ts'
import { Comparison } from '../../../domain/comparison.ts'
import { Coverage } from '../../../domain/coverage.ts'
import { Evidence } from '../../../domain/evidence.ts'
import { Candidate, Finding, Refutation, VerdictStep } from '../../../domain/finding.ts'
import { journalKinds } from '../../../domain/journal.ts'
import { ModelCall, ModelRole, RunCost, TokenUsage } from '../../../domain/model-call.ts'
import { ReviewGroup } from '../../../domain/model-report.ts'
import {
  AuthorQuestion,
  Conflict,
  DismissedFinding,
  FileSummary,
  HiddenFinding,
  PlaneSignal,
  WalkthroughStep,
} from '../../../domain/review.ts'
import { CriterionCheck } from '../../../domain/ticket.ts'
import { RunFilter, RunRow } from '../../../storage/catalog/contract.ts'
import { CutText, PageQuery, pageOf } from './common.ts'

export { type RunFilter, RunRow } from '../../../storage/catalog/contract.ts'

export const RunsQuery = PageQuery.extend(RunFilter.shape)
export type RunsQuery = z.infer<typeof RunsQuery>

/** Newest first. */
export const RunPage = pageOf(RunRow)
export type RunPage = z.infer<typeof RunPage>

/** Under which names a list can be filtered. */
export const RunFacets = z.object({ repositories: z.array(z.object({ name: z.string(), runs: z.number() })) })
export type RunFacets = z.infer<typeof RunFacets>

const count = z.number().int().nonnegative()
const ms = z.number().nonnegative()

export const Stage = z.object({
  name: z.string(),
  state: z.enum(['running', 'finished']),
  startMs: ms,
  /** Of a running stage, up to the last thing that was recorded. */
  durationMs: ms,
  detail: z.string(),
})
export type Stage = z.infer<typeof Stage>

/** The head of the Review screen. What a run has not come to yet is null or empty. */
export const RunDetail = z.object({
  row: RunRow,
  stages: z.array(Stage),
  /** Commits; null where a side was never committed. */
  base: z.string().nullable(),
  head: z.string().nullable(),
  author: z.string().nullable(),
  /** Hash of the frozen bundle. */
  context: z.string().nullable(),
  summary: z.string().nullable(),
  notices: z.array(z.string()),
  confidence: z.object({ score: z.number().int().nullable(), reasons: z.array(z.string()) }).nullable(),
  keyChanges: z.array(z.string()),
  walkthrough: z.array(WalkthroughStep),
  files: z.array(FileSummary),
  signals: z.array(PlaneSignal),
  criteria: z.array(CriterionCheck),
  /** Open changes of other repositories with the other half of this one: `acme/web#12`, its page, and when to merge it. */
  companions: z.array(z.object({ name: z.string(), url: z.url(), words: z.string() })),
  instructions: z.array(z.string()),
  /** `provider/model` of each role that was asked. */
  models: z.array(z.object({ role: ModelRole, model: z.string() })),
  versions: z.record(z.string(), z.string()),
  /** False when the run was recorded without texts: calls, diff and evidence are not there then. */
  hasTexts: z.boolean(),
})
export type RunDetail = z.infer<typeof RunDetail>

export const RunFindings = z.object({
  /** Most important first. */
  findings: z.array(Finding.extend({ usd: z.number().nullable(), refutation: Refutation.nullable() })),
  hidden: z.array(HiddenFinding),
  dismissed: z.array(DismissedFinding),
  conflicts: z.array(Conflict),
  questions: z.array(AuthorQuestion),
})
export type RunFindings = z.infer<typeof RunFindings>

/** The fate of everything that planes and models reported. */
export const CandidateFate = z.object({
  candidate: Candidate,
  /** `merged`: another finding says the same and was kept instead. */
  fate: z.enum(['kept', 'demoted', 'merged', 'dropped']),
  step: VerdictStep,
  reason: z.string(),
  /** Fingerprint of the finding that it became; null when it became none. */
  finding: z.string().nullable(),
})
export type CandidateFate = z.infer<typeof CandidateFate>

export const RunCandidates = z.object({
  candidates: z.array(CandidateFate),
  /** What models said that could not even become a candidate. */
  unfit: z.array(z.object({ address: z.string(), what: z.string(), reason: z.string() })),
})
export type RunCandidates = z.infer<typeof RunCandidates>

export const ShownLine = DiffLine.pick({ kind: true, old: true, new: true, noNewline: true }).extend(
  CutText.shape,
)
export type ShownLine = z.infer<typeof ShownLine>

export const ShownFile = FileChange.pick({
  path: true,
  oldPath: true,
  status: true,
  kind: true,
  role: true,
  language: true,
  added: true,
  removed: true,
  omitted: true,
}).extend({
  hunks: z.array(
    Hunk.pick({ oldStart: true, oldLines: true, newStart: true, newLines: true, section: true }).extend({
      lines: z.array(ShownLine),
    }),
  ),
})
export type ShownFile = z.infer<typeof ShownFile>

export const DiffQuery = PageQuery.extend({
  /** Only this file. */
  path: z.string().max(4096).optional(),
})

/** Files in the order of the diff; a page has at most 5,000 lines unless one file alone has more. */
export const RunDiff = pageOf(ShownFile).extend({
  /** All files of the change, also those of other pages. */
  files: z.array(ShownFile.pick({ path: true, oldPath: true, status: true, added: true, removed: true })),
  /** Changed files beyond the cap: by name, and how many more. */
  overflow: z.array(z.string()),
  unlisted: count,
})
export type RunDiff = z.infer<typeof RunDiff>

/** In the order of their numbers. */
export const EvidencePage = pageOf(
  Evidence.omit({ text: true }).extend({
    ...CutText.shape,
    /** Fingerprints of the findings that cite it. */
    citedBy: z.array(z.string()),
    /** Its lines on the host; null where it is in no commit of a repository that has a page. */
    url: z.string().nullable(),
  }),
)
export type EvidencePage = z.infer<typeof EvidencePage>

export const RunCoverage = z.object({ coverage: Coverage.nullable(), trimmed: z.array(z.string()) })
export type RunCoverage = z.infer<typeof RunCoverage>

export const RunCostAccount = z.object({
  /** Null when no model was to be asked, or the run has not finished. */
  cost: RunCost.nullable(),
  calls: z.array(ModelCall),
  groups: z.array(ReviewGroup),
  byFinding: z.array(z.object({ finding: z.string(), usd: z.number().nullable() })),
})
export type RunCostAccount = z.infer<typeof RunCostAccount>

export const SpanKind = z.enum(['stage', 'plane', ...journalKinds, 'retry', 'note', 'event'])
export type SpanKind = z.infer<typeof SpanKind>

/** One bar of the timeline. Times are milliseconds since the run began. */
export const TimelineSpan = z.object({
  /** `s3`: stable within the run. */
  id: z.string(),
  /** Of the exported span: 16 hexadecimal digits. */
  spanId: z.string(),
  /** The stage that it happened in; null for stages themselves. */
  parent: z.string().nullable(),
  kind: SpanKind,
  /** `context`, `quick/group-1/review`, `find_references`. */
  name: z.string(),
  startMs: ms,
  durationMs: ms,
  outcome: z.enum(['ok', 'failed', 'running']),
  /** Number of the call, for `calls/{n}`; null for what is no call. */
  call: count.nullable(),
  /** `record`: answered from the record of an earlier run (a cache hit). Null for what is no call. */
  served: z.enum(['live', 'record']).nullable(),
  role: ModelRole.nullable(),
  model: z.string().nullable(),
  usage: TokenUsage.nullable(),
  usd: z.number().nullable(),
  /** In words. */
  detail: z.string(),
})
export type TimelineSpan = z.infer<typeof TimelineSpan>

export const RunTimeline = z.object({
  durationMs: ms,
  spans: z.array(TimelineSpan),
  /** Ids of the exported trace and root span of this run (hex), the same in logs and in exported spans. */
  trace: z.object({ traceId: z.string(), spanId: z.string() }),
})
export type RunTimeline = z.infer<typeof RunTimeline>

/** As telemetry exports it; `spanId` is that of an entry of the timeline, or of the whole run. */
export const ExportedSpan = z.object({
  spanId: z.string(),
  /** Null for the run itself. */
  parentSpanId: z.string().nullable(),
  name: z.string(),
  kind: z.enum(['internal', 'client']),
  isFailed: z.boolean(),
  /** By the names of the conventions. */
  attributes: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]),
  ),
})
export type ExportedSpan = z.infer<typeof ExportedSpan>

export const RunSpans = z.object({
  traceId: z.string(),
  /** Where the trace is shown, as the operator's `telemetry.traceUrl` says; null without it. */
  traceUrl: z.string().nullable(),
  /** The run itself first. */
  spans: z.array(ExportedSpan),
})
export type RunSpans = z.infer<typeof RunSpans>

/** One exchange as it was sent and received, without secrets. */
export const RunCall = z.object({
  call: count,
  kind: z.enum(journalKinds),
  role: ModelRole.nullable(),
  address: z.string(),
  /** Address on the network, or the name of the tool. */
  target: z.string(),
  status: z.number(),
  served: z.enum(['live', 'record']),
  startMs: ms,
  durationMs: ms,
  model: z.string().nullable(),
  usage: TokenUsage.nullable(),
  usd: z.number().nullable(),
  /** The prompt, where it is one: the texts in their order. Empty for tools. */
  messages: z.array(z.object({ role: z.string(), ...CutText.shape })),
  /** What the model wrote, put together from its stream; null where it is no model. */
  answer: CutText.nullable(),
  /** The bodies as they went over the wire; null when texts are not kept. */
  request: CutText.nullable(),
  response: CutText.nullable(),
})
export type RunCall = z.infer<typeof RunCall>

/** The way of searching, or what was made of all of them. */
export const RetrievalFamily = z.enum(['words', 'vectors', 'graph', 'history', 'fused', 'final'])
export type RetrievalFamily = z.infer<typeof RetrievalFamily>

export const RetrievalUnit = z.object({
  /** 1 is best. */
  rank: count,
  path: z.string(),
  startLine: z.number().int().nullable(),
  endLine: z.number().int().nullable(),
  title: z.string(),
  score: z.number().nullable(),
  /** Its rank in the other lists that have it. */
  ranks: z.record(z.string(), z.number()),
  /** Number of the evidence that it became; null when it became none. */
  evidence: z.string().nullable(),
  /** Why it is not in the bundle; null when it is. */
  cut: z.string().nullable(),
})
export type RetrievalUnit = z.infer<typeof RetrievalUnit>

/** Side by side: what each way of searching found, and what came of it. */
export const RunRetrieval = z.object({
  lists: z.array(
    z.object({
      family: RetrievalFamily,
      /** For people: `Callers of changed symbols`. */
      title: z.string(),
      units: z.array(RetrievalUnit),
    }),
  ),
  /** What was cut or not searched, in words. */
  cuts: z.array(z.string()),
})
export type RunRetrieval = z.infer<typeof RunRetrieval>

export const RunComparison = z.object({ before: RunRow, after: RunRow, comparison: Comparison })
export type RunComparison = z.infer<typeof RunComparison>
