/** What one plane says of one change, in memory or a commit of a real repository, and what validation makes of it. */
import { type Config, defaultConfig } from '../../../src/config/schema.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { Finding, Verdict } from '../../../src/domain/finding.ts'
import type { CollectedChange } from '../../../src/hosts/contract.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { maskChange } from '../../../src/hosts/masked/mask-change.ts'
import { buildContext, numberEvidence } from '../../../src/pipeline/context/build-context.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../../src/pipeline/diff/symbol-changes.ts'
import { withoutAnnounced } from '../../../src/pipeline/planes/announced.ts'
import type { Plane, PlaneInput } from '../../../src/pipeline/planes/contract.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { type Changed, changeOver, type Texts } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

export type PlaneReview = { findings: Finding[]; verdicts: Verdict[]; evidence: Evidence[]; limits: string[] }

/** `repository` is any folder of it, bare or not; `commit` whatever git resolves. For what only git knows: moves, bytes. */
export async function reviewCommit(
  plane: Plane,
  repository: string,
  commit = 'HEAD',
  config: Config = defaultConfig,
): Promise<PlaneReview> {
  const selector = { kind: 'commit', commit } as const
  const collected = await collectLocal({ folder: repository, selector, limits: config.limits })
  try {
    return await askPlane(plane, await inputOf(collected, config))
  } finally {
    await collected.close()
  }
}

/** The same of a change in memory, masked as the collector masks one. `title`: of its commit. */
export async function reviewChange(
  plane: Plane,
  base: Texts,
  changed: Changed,
  { title, config = defaultConfig }: { title?: string; config?: Config } = {},
): Promise<PlaneReview> {
  return askPlane(plane, await inputOf(maskChange(changeOver(base, changed, title)), config))
}

export async function inputOf(collected: CollectedChange, config = defaultConfig): Promise<PlaneInput> {
  const { signal } = new AbortController()
  const facts = sharedFacts()
  const { request, base, head, history } = collected
  const change = await readChangeSet(await collected.diff(), { ...config.paths, base })
  const symbols = await diffSymbols({ change, base, head, facts })
  const context = buildContext({
    request,
    configHash: '',
    change,
    symbols,
    tests: [],
    evidence: [],
    cuts: [],
  })
  return { change, context, base, head, history, facts, config, signal }
}

export async function askPlane(plane: Plane, input: PlaneInput): Promise<PlaneReview> {
  const report = await plane.look(input)
  const drafts = withoutAnnounced(report.candidates, input.context.request.title)
  const { context, candidates } = numberEvidence(input.context, drafts)
  const verdicts = await validateCandidates({ ...input, candidates, context, planes: [plane.name] })
  const findings = verdicts.flatMap(({ finding }) => finding ?? [])
  return { findings, verdicts, evidence: context.evidence, limits: report.limits }
}

/** `path:line rule`, and for what was dropped `dropped rule: reason`, in the order of the verdicts. */
export function outcomesOf({ verdicts }: PlaneReview): string[] {
  return verdicts.map(({ candidate, finding, reason }) =>
    finding
      ? `${finding.anchor.path}:${finding.startLine} ${finding.rule}`
      : `dropped ${candidate.rule}: ${reason}`,
  )
}
