/** Findings and verdicts as synthesis sees them. */
import type { Finding, Verdict } from '../../../src/domain/finding.ts'
import { upheldWords } from '../../../src/domain/proof.ts'
import {
  type Synthesis,
  type SynthesisInput,
  synthesise,
} from '../../../src/pipeline/synthesis/synthesise.ts'
import { sampleEvidence, sampleFinding } from '../../helpers/sample-review.ts'
import { verdictOn } from '../conclude/parts.ts'

export const planes = ['secrets', 'contract', 'correctness', 'security', 'performance']

/** Of a model, on line 12 of `src/parse.ts`, which `parse` stands on, unless told otherwise. */
export function finding(id: string, overrides: Partial<Finding> = {}): Finding {
  const { plane = 'correctness', category = 'correctness' } = overrides
  return sampleFinding({
    id,
    plane,
    category,
    rule: `${plane}/${category}`,
    severity: 'medium',
    confidence: 'likely',
    byModel: true,
    title: 'The text is parsed twice when it is empty',
    evidence: [{ evidence: 'E1', quote: 'const result = parse(input)' }],
    verifiedBy: [],
    fingerprint: id,
    ...overrides,
  })
}

export function verdictFor(one: Finding, overrides: Partial<Verdict> = {}): Verdict {
  return { ...verdictOn({}, overrides), candidate: one, finding: one, ...overrides }
}

export function run(
  findings: readonly Finding[],
  more: { [Key in keyof SynthesisInput]?: SynthesisInput[Key] } = {},
): Synthesis {
  return synthesise({
    verdicts: findings.map((one) => verdictFor(one)),
    outcomes: planes.map((plane) => ({ plane, state: 'ran' })),
    context: { evidence: [sampleEvidence()] },
    refutations: [],
    talkative: 'usual',
    ...more,
  })
}

export function standingIds({ verdicts }: Synthesis): string[] {
  return verdicts.flatMap((verdict) => verdict.finding?.id ?? [])
}

export const proven = { verifiedBy: ['1 claim confirmed by the code index'] }
export const checked = { verifiedBy: ['1 claim confirmed by pyright 1.1'] }
export const upheld = { verifiedBy: [upheldWords] }
