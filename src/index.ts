/** The library's entry point: everything that other programs may use, by name. */

export { type Asked, askAboutRun, replayQuestion } from './assembly/ask-run.ts'
export type { BackTest } from './assembly/back-test.ts'
export {
  type OpenedChangeRequest,
  openChangeRequest,
  type PostOptions,
  watchHead,
} from './assembly/change-request.ts'
export { type ChangedCode, type ChangedCodeOptions, openChangedCode } from './assembly/changed-code.ts'
export {
  askCode,
  collectIndexGarbage,
  indexCode,
  type PricedSearch,
  type QuestionOptions,
  readIndexStatus,
  searchCode,
} from './assembly/code-questions.ts'
export type { ReviewOverrides } from './assembly/conduct-review.ts'
export type { TicketOrigin } from './assembly/fetch-tickets.ts'
export { type Fixable, type Fixes, type OfferedFix, openFixes } from './assembly/fixes.ts'
export { logInForeign, logOutForeign, trustForeign } from './assembly/foreign-tools.ts'
export type { IndexAdvice } from './assembly/index-advice.ts'
export { adviseIndex } from './assembly/index-advice.ts'
export {
  type Decision,
  dismissFinding,
  exportLedger,
  type LedgerOptions,
  makeBaseline,
  oneFinding,
  openLedgerOf,
  outcomesOf,
  restoreFinding,
} from './assembly/ledgers.ts'
export {
  acceptNote,
  type ListedNote,
  listMemory,
  type MemoryList,
  oneNote,
  openMemory,
  proposeFor,
  testNote,
} from './assembly/memory.ts'
export {
  type ModelOptions,
  openModelGateway,
  type PreparedModels,
  prepareModels,
} from './assembly/open-models.ts'
export { type Proved, proveOfRun, replayProof } from './assembly/prove-run.ts'
export { type ComparedRuns, compareRuns, reviewOfRun } from './assembly/recorded-reviews.ts'
export {
  exportRunTo,
  importRunFrom,
  listRuns,
  type RunExchange,
  type RunTrace,
  readRun,
  removeRuns,
} from './assembly/runs.ts'
export { listServers } from './assembly/servers-on-demand.ts'
export { defaultCacheFolder, openServices, type Services, type ServicesOptions } from './assembly/services.ts'
export { type FreezeOptions, freezeChange, type ShownContext } from './assembly/show-context.ts'
export {
  type ExpertsAnswer,
  findExperts,
  findRelatedTo,
  type RelatedAnswer,
} from './assembly/team-questions.ts'
export { readWorkspaceGraph } from './assembly/workspace/graph.ts'
export { type RepositorySearch, searchWorkspace } from './assembly/workspace/search.ts'
export { type MemberStatus, updateWorkspace, workspaceStatus } from './assembly/workspace/status.ts'
export { exitCodes, UserError } from './base/errors.ts'
export { isTestPath } from './base/file-paths.ts'
export { createFence, type Fence, Untrusted } from './base/untrusted/untrusted.ts'
export { visibleLine, visibleText } from './base/visible-text.ts'
export type { FactStore, IndexStore } from './code-index/contract.ts'
export { createFactStore } from './code-index/fact-store.ts'
export type {
  ServedCallers,
  ServedDefinitions,
  ServedReferences,
  ServerPart,
} from './code-index/language-servers/served/serve.ts'
export {
  serveCallers,
  serveDefinitions,
  serveReferences,
} from './code-index/language-servers/served/serve.ts'
export { findCallers, findImpact } from './code-index/query/callers.ts'
export type {
  Caller,
  CallersAnswer,
  CodeTree,
  DefinitionsAnswer,
  Emptiness,
  ImpactAnswer,
  ImpactStep,
  OutlineAnswer,
  OutlineEntry,
  ReferenceEdge,
  ReferencesAnswer,
  SymbolSite,
  UnresolvedUse,
} from './code-index/query/contract.ts'
export { findDefinitions, findTargets, outlineFile, siteOf } from './code-index/query/definitions.ts'
export { findReferences } from './code-index/query/references.ts'
export type { Hit, MeaningNote, SearchAnswer, StageName, StageRow } from './code-index/search/contract.ts'
export type { Garbage } from './code-index/tree-index/collect-garbage.ts'
export type { IndexReport, IndexStatus } from './code-index/tree-index/contract.ts'
export { type Config, ContextSection, defaultConfig } from './config/schema.ts'
export { loadSettings } from './config/settings/load.ts'
export type { ChangeSet } from './domain/change-set.ts'
export type { ComparedFinding, Comparison, FindingBrief } from './domain/comparison.ts'
export { modelNotices } from './domain/conclusion.ts'
export type { EventListener, ReviewEvent } from './domain/events.ts'
export type { Evidence } from './domain/evidence.ts'
export type { Candidate, Finding, Verdict } from './domain/finding.ts'
export { type FormatName, formatNames } from './domain/formats.ts'
export { Gate } from './domain/gate.ts'
export { type MemoryNote, memoryFolder } from './domain/memory.ts'
export type { ModelEstimate, ModelReport } from './domain/model-report.ts'
export { Depth, Review } from './domain/review.ts'
export type { ReviewContext } from './domain/review-context.ts'
export { isAtLeast, Severity, severityRank } from './domain/severity.ts'
export type { ToolResult } from './domain/tool-result.ts'
export type { ElsewhereAnswer, UsesElsewhere, WorkspaceGraph } from './domain/workspace.ts'
export type { ChangeSelector, ChangeSource, CollectedChange, ReviewTarget } from './hosts/contract.ts'
export { frozenSource, writeFrozen } from './hosts/frozen/frozen-change.ts'
export { localSource } from './hosts/local/collect.ts'
export { readToolResults } from './hosts/tool-results/read-results.ts'
export type { LedgerEvent, LedgerStore } from './ledger/contract.ts'
export type { Ledger, LedgerFinding } from './ledger/fold.ts'
export type { OutcomeRow } from './ledger/outcomes.ts'
export type { Gateway as ModelGateway } from './llm/contract.ts'
export { readNote, scopeWords, writeNote } from './memory/note-file.ts'
export { type Proposal, type ProposalSource, proposalSources } from './memory/propose.ts'
export { searchNotes } from './memory/search-notes.ts'
export { listPlaneNames, planesAt } from './pipeline/choose-planes.ts'
export { type Passage, type PassageLists, passageLists } from './pipeline/context/retrieval/contract.ts'
export {
  defaultWeights as defaultPassageWeights,
  fusePassages,
} from './pipeline/context/retrieval/retrieve-graph.ts'
export { planeNames } from './pipeline/planes/registry.ts'
export { type RuleTest, testRules } from './pipeline/planes/rules/test-rules.ts'
export { refusalWords } from './pipeline/publish/check-anchors.ts'
export type { RenderOptions } from './pipeline/publish/contract.ts'
export { linksAt } from './pipeline/publish/links.ts'
export { formats } from './pipeline/publish/registry.ts'
export { selectFindings } from './pipeline/publish/selection.ts'
export { proofWords } from './pipeline/publish/shown-test.ts'
export type { Delivery } from './pipeline/publish/sync/deliver.ts'
export { WireFinding } from './pipeline/reviewer/answer/schema.ts'
export { featuresOf, importanceModel } from './pipeline/synthesis/importance.ts'
export { checkNames } from './pipeline/validation/steps.ts'
export {
  type Analysis,
  type AnalyzeOptions,
  analyze,
  collect,
  listRules,
  type Publication,
  publish,
  type Replayed,
  type ReplayOptions,
  type ReviewOptions,
  type RuleLine,
  replayRun,
  reviewChange,
} from './sightline.ts'
export type { RunEntry, RunSummary } from './storage/runs/contract.ts'
export { describeExport, exportEvaluation, exportException, exportRun } from './telemetry/export-run.ts'
export { openRunExporter } from './telemetry/exporter.ts'
export { type RunTimeline, timelineOf } from './telemetry/timeline.ts'
export { isCommentLine, lineMutations } from './test-runs/line-mutations.ts'
