/** Runs collect, diff, symbols and the checks of new code, the real ones, on one commit. */
import type { FactStore } from '../../src/code-index/contract.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { CandidateDraft } from '../../src/domain/finding.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { buildContext, numberEvidence } from '../../src/pipeline/context/build-context.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../src/pipeline/diff/symbol-changes.ts'
import { contractPlane } from '../../src/pipeline/planes/contract/plane.ts'
import { newCodePlane } from '../../src/pipeline/planes/new-code/plane.ts'
import { validateCandidates } from '../../src/pipeline/validation/validate.ts'

/** Rules of the contract plane that came with the checks of new code. */
const alsoCounted = /^contract\/(?:argument-order|argument-type|override-parameters|override-not-updated)$/

export type Found = {
  rule: string
  path: string
  line: number
  title: string
  /** The reason why validation dropped it; null for a finding. */
  dropped: string | null
}
export type PlaneRun = { found: Found[]; limits: string[]; files: number; milliseconds: number }

/** `callers`: also the rules of the contract plane, which search the whole tree. `borrowFrom`: whose objects it uses. */
export async function runPlanesOn(
  folder: string,
  commit: string,
  facts: FactStore,
  { callers, borrowFrom = [] }: { callers: boolean; borrowFrom?: readonly string[] },
): Promise<PlaneRun> {
  const selector = { kind: 'commit', commit } as const
  const collected = await collectLocal({ folder, selector, limits: defaultConfig.limits, borrowFrom })
  try {
    const { base, head, history, request } = collected
    const change = await readChangeSet(await collected.diff(), { ...defaultConfig.paths, base })
    const symbols = await diffSymbols({ change, base, head, facts })
    const empty = { tests: [], evidence: [], cuts: [] }
    const frozen = buildContext({ request, configHash: '', change, symbols, ...empty })
    const { signal } = new AbortController()
    const sides = { base, head, history, facts, config: defaultConfig }
    const startedAt = performance.now()
    const own = await newCodePlane.look({ context: frozen, ...sides, signal })
    const milliseconds = performance.now() - startedAt
    const other = callers
      ? await contractPlane.look({ context: frozen, ...sides, signal })
      : { candidates: [] }
    const drafts: CandidateDraft[] = [
      ...own.candidates,
      ...other.candidates.filter(({ rule }) => alsoCounted.test(rule)),
    ]
    const numbered = numberEvidence(frozen, drafts)
    const planes = [newCodePlane.name, contractPlane.name]
    const verdicts = await validateCandidates({ ...numbered, ...sides, planes })
    const found = verdicts.map(
      ({ candidate, finding, reason }): Found => ({
        rule: candidate.rule,
        path: candidate.anchor.path,
        line: finding?.startLine ?? 0,
        title: candidate.title,
        dropped: finding ? null : reason,
      }),
    )
    return { found, limits: own.limits, files: change.files.length, milliseconds }
  } finally {
    await collected.close()
  }
}
