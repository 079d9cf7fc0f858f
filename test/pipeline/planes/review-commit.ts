/** What one plane says of one commit of a real repository, and what validation makes of it. */
import { type Config, defaultConfig } from '../../../src/config/schema.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { Finding, Verdict } from '../../../src/domain/finding.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { buildContext, numberEvidence } from '../../../src/pipeline/context/build-context.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../../src/pipeline/diff/symbol-changes.ts'
import type { Plane } from '../../../src/pipeline/planes/contract.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

export type PlaneReview = { findings: Finding[]; verdicts: Verdict[]; evidence: Evidence[]; limits: string[] }

/** `repository` is any folder of it, bare or not; `commit` whatever git resolves. */
export async function reviewCommit(
  plane: Plane,
  repository: string,
  commit = 'HEAD',
  config: Config = defaultConfig,
): Promise<PlaneReview> {
  const signal = new AbortController().signal
  const facts = sharedFacts()
  const selector = { kind: 'commit', commit } as const
  const collected = await collectLocal({ folder: repository, selector, limits: config.limits, signal })
  try {
    const { request, base, head, history } = collected
    const change = await readChangeSet(await collected.diff(), { ...config.paths, base })
    const symbols = await diffSymbols({ change, base, head, facts })
    const frozen = buildContext({
      request,
      configHash: '',
      change,
      symbols,
      tests: [],
      evidence: [],
      cuts: [],
    })
    const report = await plane.look({ change, context: frozen, base, head, history, facts, config, signal })
    const { context, candidates } = numberEvidence(frozen, report.candidates)
    const sides = { base, head, history, facts, config }
    const verdicts = await validateCandidates({ candidates, context, ...sides, planes: [plane.name] })
    const findings = verdicts.flatMap(({ finding }) => finding ?? [])
    return { findings, verdicts, evidence: context.evidence, limits: report.limits }
  } finally {
    await Promise.all([facts.close(), collected.close()])
  }
}

/** `path:line rule`, and for what was dropped `dropped rule: reason`, in the order of the verdicts. */
export function outcomesOf({ verdicts }: PlaneReview): string[] {
  return verdicts.map(({ candidate, finding, reason }) =>
    finding
      ? `${finding.anchor.path}:${finding.startLine} ${finding.rule}`
      : `dropped ${candidate.rule}: ${reason}`,
  )
}
