/** A review by code alone of a change in memory: what each plane reports, and what validation keeps of it. */
import type { FactStore } from '../../../src/code-index/contract.ts'
import { type Config, defaultConfig } from '../../../src/config/schema.ts'
import type { Verdict } from '../../../src/domain/finding.ts'
import { buildContext, numberEvidence } from '../../../src/pipeline/context/build-context.ts'
import { findTests } from '../../../src/pipeline/context/find-tests.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../../src/pipeline/diff/symbol-changes.ts'
import type { Plane } from '../../../src/pipeline/planes/contract.ts'
import { planes } from '../../../src/pipeline/planes/registry.ts'
import { runPlanes } from '../../../src/pipeline/planes/run-planes.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { changeOf, type Texts } from './change.ts'

/** Those that read nothing but the change and its trees; `rules` asks another process. */
export const ownPlanes: readonly Plane[] = planes.filter(({ name }) => name !== 'rules' && name !== 'linters')

export type MemoryReview = { verdicts: Verdict[]; limits: string[] }

export async function reviewTexts(
  { base, head }: { base: Texts; head: Texts },
  facts: FactStore,
  config: Config = defaultConfig,
): Promise<MemoryReview> {
  const collected = changeOf(base, head)
  const { signal } = new AbortController()
  const sides = { base: collected.base, head: collected.head, history: collected.history, facts, config }
  const change = await readChangeSet(await collected.diff(), { ...config.paths, base: collected.base })
  const symbols = await diffSymbols({ change, ...sides })
  const tests = await findTests({ symbols, change, head: collected.head, globs: config.paths.tests })
  const context = buildContext({
    request: collected.request,
    configHash: '',
    change,
    symbols,
    tests,
    evidence: [],
    cuts: [],
  })
  const outcomes = await runPlanes(ownPlanes, { change, context, ...sides, signal }, () => {})
  const drafts = outcomes.flatMap((outcome) => outcome.drafts)
  const numbered = numberEvidence(context, drafts)
  const names = ownPlanes.map(({ name }) => name)
  const verdicts = await validateCandidates({ ...numbered, ...sides, planes: names })
  return {
    verdicts,
    limits: outcomes.flatMap(({ plane, reason }) => (reason ? [`${plane}: ${reason}`] : [])),
  }
}
