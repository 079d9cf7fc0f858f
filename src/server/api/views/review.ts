/** What a finished review says, in the shapes of the API. A run without a review has empty ones. */
import { remembered } from '../../../base/remembered.ts'
import type { Review } from '../../../domain/review.ts'
import { allKinds, factsOf, repositoryPath } from '../../../hosts/remote/facts.ts'
import type { LinkTo } from '../../../pipeline/publish/contract.ts'
import { linksAt } from '../../../pipeline/publish/links.ts'
import { companionLines } from '../../../pipeline/publish/review-words.ts'
import type { RunRow } from '../../../storage/catalog/contract.ts'
import { callsOf } from '../../../storage/catalog/describe-run.ts'
import type { StoredRun } from '../../../storage/runs/stored-run.ts'
import { stagesOf } from '../../../telemetry/timeline.ts'
import type {
  CandidateFate,
  EvidencePage,
  RunCandidates,
  RunCostAccount,
  RunCoverage,
  RunDetail,
  RunFindings,
} from '../contract/runs.ts'
import { cutText } from './cut.ts'

const longestEvidence = 20_000

export function detailOf(run: StoredRun, row: RunRow, review: Review | null): RunDetail {
  const end = run.entries.find((entry) => entry.type === 'end')
  const roles = new Map(callsOf(run).map(({ role, model }) => [`${role} ${model}`, { role, model }]))
  return {
    row,
    stages: stagesOf(run),
    base: review?.request.base.commit ?? null,
    head: review?.request.head.commit ?? null,
    author: review?.request.author ?? null,
    context: review?.context ?? null,
    summary: review?.summary ?? null,
    notices: review?.conclusion.notices ?? [],
    confidence: review?.confidence ?? null,
    keyChanges: review?.keyChanges ?? [],
    walkthrough: review?.walkthrough ?? [],
    files: review?.files ?? [],
    signals: review?.signals ?? [],
    criteria: review?.criteria ?? [],
    companions: review ? companionLines(review) : [],
    instructions: review?.instructions ?? [],
    models: [...roles.values()],
    versions: run.header.versions,
    hasTexts: end !== undefined && end.review !== null,
  }
}

/** A change request lies below its repository on every host, and each has its own word for it. */
function linksOf({ url, repository }: RunRow, { request }: Review): LinkTo | null {
  const parts = repository.split('/').slice(1)
  for (const kind of allKinds) {
    const path = `/${repositoryPath(kind, parts)}`
    const at = url?.indexOf(`${path}/${factsOf(kind).page}/`) ?? -1
    if (url !== null && parts.length > 0 && at >= 0)
      return linksAt(url.slice(0, at + path.length), request, kind)
  }
  return null
}

export function findingsOf(review: Review | null): RunFindings {
  const costs = new Map(review?.models?.findingCosts.map(({ finding, usd }) => [finding, usd]))
  const refutations = new Map(review?.refutations?.map((one) => [one.finding, one]))
  return {
    findings: (review?.findings ?? []).map((finding) => ({
      ...finding,
      usd: costs.get(finding.id) ?? null,
      refutation: refutations.get(finding.id) ?? null,
    })),
    hidden: review?.hidden ?? [],
    dismissed: review?.dismissed ?? [],
    conflicts: review?.conflicts ?? [],
    questions: review?.questions ?? [],
  }
}

export function candidatesOf(review: Review | null): RunCandidates {
  const candidates = (review?.verdicts ?? []).map(
    ({ candidate, outcome, step, reason, finding }): CandidateFate => ({
      candidate,
      fate: outcome === 'dropped' && step === 'duplicates' ? 'merged' : outcome,
      step,
      reason,
      finding: finding?.fingerprint ?? null,
    }),
  )
  return { candidates, unfit: review?.models?.unfit ?? [] }
}

/** `after`: the number of the last item of the page before; 0 for the first page. */
export function evidenceOf(row: RunRow, review: Review | null, after: number, limit: number): EvidencePage {
  const link = review && linksOf(row, review)
  const all = review?.evidence ?? []
  const citedBy = new Map<string, string[]>()
  for (const { fingerprint, evidence } of review?.findings ?? [])
    for (const { evidence: id } of evidence) remembered(citedBy, id, (): string[] => []).push(fingerprint)
  const items = all.slice(after, after + limit).map(({ text, ...item }) => ({
    ...item,
    ...cutText(text, longestEvidence),
    citedBy: [...new Set(citedBy.get(item.id))],
    url:
      item.path && item.startLine !== null
        ? (link?.({ ...item, path: item.path, side: item.side ?? 'new' }) ?? null)
        : null,
  }))
  return { items, next: after + limit < all.length ? String(after + limit) : null }
}

export function coverageOf(review: Review | null): RunCoverage {
  return { coverage: review?.coverage ?? null, trimmed: review?.models?.trimmed ?? [] }
}

export function costOf(run: StoredRun, review: Review | null): RunCostAccount {
  return {
    cost: review?.run.cost ?? null,
    calls: callsOf(run),
    groups: review?.models?.groups ?? [],
    byFinding: review?.models?.findingCosts ?? [],
  }
}
