/** What the contract plane names in a repository made of a base and a change on top of it. */
import { defaultConfig } from '../../../../src/config/schema.ts'
import { collectLocal } from '../../../../src/hosts/local/collect.ts'
import { buildContext, numberEvidence } from '../../../../src/pipeline/context/build-context.ts'
import { readChangeSet } from '../../../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../../../src/pipeline/diff/symbol-changes.ts'
import { ruleFor } from '../../../../src/pipeline/planes/contract/breakage.ts'
import { brokenUsesIn, contractPlane } from '../../../../src/pipeline/planes/contract/plane.ts'
import { validateCandidates } from '../../../../src/pipeline/validation/validate.ts'
import { createRepo, type Files } from '../../../helpers/git-repo.ts'
import { sharedFacts } from '../../../helpers/shared-facts.ts'

const facts = sharedFacts()

/**
 * `path:line rule words`, sorted. Every call looks at a fresh repository of two commits. Throws when validation drops
 * a finding made of these places.
 */
export async function brokenUses(base: Files, head: Files): Promise<string[]> {
  const repo = createRepo()
  repo.commit(base)
  repo.commit(head)
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const collected = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
  try {
    const { request, base: old, head: now, history } = collected
    const change = await readChangeSet(await collected.diff(), { ...defaultConfig.paths, base: old })
    const symbols = await diffSymbols({ change, base: old, head: now, facts })
    const context = buildContext({
      request,
      configHash: '',
      change,
      symbols,
      tests: [],
      evidence: [],
      cuts: [],
    })
    const { signal } = new AbortController()
    const input = { change, context, base: old, head: now, history, facts, config: defaultConfig, signal }
    const { found } = await brokenUsesIn(input)
    const report = await contractPlane.look(input)
    const numbered = numberEvidence(context, report.candidates)
    const sides = { base: old, head: now, history, facts, config: defaultConfig }
    const verdicts = await validateCandidates({ ...numbered, ...sides, planes: ['contract'] })
    const dropped = verdicts.filter(({ finding }) => !finding)
    if (dropped.length > 0)
      throw new Error(
        dropped.map(({ candidate, step, reason }) => `${candidate.title}: ${step}: ${reason}`).join('\n'),
      )
    return found
      .map(
        ({ path, line, subject, failure, words }) =>
          `${path}:${line} ${ruleFor(subject, failure).slice(9)} ${words}`,
      )
      .sort()
  } finally {
    await collected.close()
  }
}
