/** The door of the evaluation: what the command and evals/ use of it. */
export {
  type AblateOptions,
  ablate,
  matrixOf,
  type Parts,
  type Variant,
  withoutEach,
} from './ablation/ablate.ts'
export { type BroughtRepository, bringRepository } from './bring/bring-repository.ts'
export { type ChangedFile, readChangedLines } from './bring/changed-lines.ts'
export { linkRepository } from './bring/link-repository.ts'
export { writeHistory } from './bring/write-history.ts'
export type { EvalCase, KnownFault, NeededContext, Place } from './cases/eval-case.ts'
export { writeCase } from './cases/formats/own.ts'
export { parseCases, readCases } from './cases/read-cases.ts'
export { type Comparison, compareSheets } from './compare/compare-sheets.ts'
export { type GateResult, gate } from './compare/gate.ts'
export type { CaseJudgement, Judge, JudgeQuestion } from './judge/contract.ts'
export { gatewayJudge } from './judge/gateway-judge.ts'
export { judgeRun } from './judge/judgements.ts'
export { openJudge } from './judge/open-judge.ts'
export { withHistory } from './mine/history.ts'
export { mineClean } from './mine/mine-clean.ts'
export { mineFaults } from './mine/mine-faults.ts'
export { reportAsHtml } from './report/html.ts'
export { reportAsMarkdown, tableAsMarkdown } from './report/markdown.ts'
export type { Table } from './report/table.ts'
export { comparisonTable, tablesOf } from './report/tables.ts'
export { measureRetrieval, type RetrievalMeasured } from './retrieval/measure.ts'
export { runRetrieval } from './retrieval/run-retrieval.ts'
export { type Reviewer, sightlineReviewer } from './run/reviewer.ts'
export { beginRunFolder, openRunFolder, type RunFolder } from './run/run-folder.ts'
export { type RunSetReport, runSet } from './run/run-set.ts'
export { type EvalSettings, usualSettings } from './run/settings.ts'
export type { CaseScore, ScoreSheet } from './scores/case-score.ts'
export { metrics } from './scores/metrics.ts'
export { seededRandom } from './scores/random.ts'
export { scoreRun } from './scores/score-run.ts'
export { readSheet, writeSheet } from './scores/sheet-file.ts'
