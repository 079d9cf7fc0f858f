/**
 * The stage of a review that shows findings by tests: those worth it, one after another, until the time or the money for it
 * is used up. What was shown loses every cap on its severity; what a test was to show and did not is ranked lower.
 */

import type { Sandbox } from '../base/sandbox/contract.ts'
import { type KeepEnd, OutOfTime, withinKeptSeconds } from '../base/time-budget.ts'
import {
  type Finding,
  type FindingVerdict,
  hasFinding,
  type Refutation,
  type Verdict,
} from '../domain/finding.ts'
import { isConfirmedByCode, notShownWords, reproducedWords } from '../domain/proof.ts'
import type { Reproduction } from '../domain/reproduction.ts'
import { type Category, isAtLeast, type Severity, severityRank } from '../domain/severity.ts'
import type { Gateway } from '../llm/contract.ts'
import { openFence } from '../llm/fence-of-run.ts'
import type { ModelParts } from './ask-models.ts'
import { notTried, type ProveInput, proveFinding } from './prove-finding.ts'
import { demote } from './refutation/apply-judgement.ts'
import type { StageInput } from './stage-input.ts'
import { rankFindings } from './synthesis/synthesise.ts'

/** What the operator lets a review run, and on what. */
export type Prover = Pick<ProveInput, 'base' | 'head' | 'checkout' | 'limits'> & {
  /** How many findings at most, and how long for all of them; null for none. */
  most: { findings: number; seconds: number } | null
  /** What may be spent on mutants of changed lines in a deep review; null for nothing. */
  mutants: { runs: number; seconds: number } | null
  /** Null where nothing of strangers can be run. */
  findSandbox(): Promise<Sandbox | null>
  /** On record, where a replay finds it. */
  keep<Result>(address: string, input: object, work: () => Promise<Result>): Promise<Result>
  keepEnd: KeepEnd
  /** Everything is on record, and nothing is run. */
  isReplay: boolean
}

export type ProveStageInput = Omit<StageInput, 'config'> & {
  verdicts: readonly Verdict[]
  refutations: readonly Refutation[] | null
}

export type Proofs = {
  verdicts: Verdict[]
  /** One for each finding that was chosen, in the order they were tried. */
  reproductions: Reproduction[]
  /** What each took of the models, by the finding's id; null where a price is not known. */
  costs: Map<string, number | null>
}

export const noSandbox = 'no sandbox works here, and nothing of a repository runs without one'
const outOfTime = 'the time for tests of this review was used up'

/** Rejects only after an abort, and in a replay that is not on record. */
export async function proveFindings(
  prover: Prover,
  { gateway, journal, explorer }: ModelParts,
  input: ProveStageInput,
): Promise<Proofs> {
  const { context, facts, onEvent, signal } = input
  const { findings, seconds: allSeconds } = prover.most ?? { findings: 0, seconds: 0 }
  const chosen = worthProving(input).slice(0, findings)
  const proofs: Proofs = { verdicts: [...input.verdicts], reproductions: [], costs: new Map() }
  if (chosen.length === 0 || !explorer) return proofs
  const sandbox = await prover.findSandbox()
  // On record for a replay, and found out again by every other run.
  const { failed } = await prover.keepEnd('prove/sandbox', async () => ({
    late: null,
    failed: sandbox || prover.isReplay ? null : noSandbox,
  }))
  const fence = await openFence(`${context.hash} prove`, journal)
  const until = performance.now() + allSeconds * 1000
  const timed = <Result>(name: string, work: (signal: AbortSignal) => Promise<Result>) => {
    const seconds = Math.max(0.001, (until - performance.now()) / 1000)
    return withinKeptSeconds({ name, seconds, signal, keepEnd: prover.keepEnd }, work)
  }
  const patient = withTime(gateway, timed)
  for (const [at, finding] of chosen.entries()) {
    onEvent({ type: 'stage-progress', stage: 'prove', done: at, total: chosen.length })
    const before = gateway.cost()
    const reproduction =
      failed === null
        ? await proveOne(finding, {
            ...prover,
            context,
            facts,
            code: explorer,
            sandbox,
            keep: (address, about, work) =>
              timed(address, (within) => prover.keep(address, about, () => work(within))),
            gateway: patient,
            fence,
            signal,
          })
        : notTried(finding.id, failed)
    const after = gateway.cost()
    const isPriced = after.unpricedCalls === before.unpricedCalls
    proofs.costs.set(finding.id, isPriced ? after.usd - before.usd : null)
    proofs.reproductions.push(reproduction)
  }
  const known = new Map(proofs.reproductions.map((one) => [one.finding, one]))
  const judged = new Map((input.refutations ?? []).map((one) => [one.finding, one]))
  proofs.verdicts = proofs.verdicts.map((verdict) => {
    const id = verdict.finding?.id ?? ''
    return applyReproduction(verdict, known.get(id), judged.get(id))
  })
  return proofs
}

/** What ran out of time is as if it had not been tried. */
async function proveOne(finding: Finding, parts: Omit<ProveInput, 'finding'>): Promise<Reproduction> {
  try {
    return await proveFinding({ ...parts, finding })
  } catch (error) {
    if (error instanceof OutOfTime) return notTried(finding.id, outOfTime)
    throw error
  }
}

/** The same models, whose answers are not waited for longer than there is time. */
function withTime(
  gateway: Gateway,
  timed: <Result>(name: string, work: (signal: AbortSignal) => Promise<Result>) => Promise<Result>,
): Gateway {
  return {
    ...gateway,
    ask: (question) => timed(`${question.address}/answer`, (signal) => gateway.ask({ ...question, signal })),
  }
}

/** A test shows what code does wrong; how it is written, and what documents say, is nothing to run. */
const provable: ReadonlySet<Category> = new Set(['correctness', 'contract', 'security', 'performance'])

/** The most important first. What was there before the change fails before it, too. */
function worthProving({ verdicts, context, refutations }: ProveStageInput): Finding[] {
  const sources = new Set(
    context.change.files.filter(({ role }) => role === 'source').map(({ path }) => path),
  )
  const findings = verdicts
    .filter(hasFinding)
    .map(({ finding }) => finding)
    .filter(
      ({ preExisting, side, category, severity, lowered, anchor }) =>
        !preExisting &&
        side === 'new' &&
        provable.has(category) &&
        isAtLeast(lowered?.from ?? severity, 'medium') &&
        sources.has(anchor.path),
    )
  const around = { evidence: context.evidence, refutations: refutations ?? [], talkative: 'usual' } as const
  return rankFindings(findings, [], around).flatMap(({ id }) => findings.find((one) => one.id === id) ?? [])
}

/** What was not run changes nothing, and neither does a test that could not be loaded or fails for another reason. */
export function applyReproduction(
  verdict: Verdict,
  reproduction: Reproduction | undefined,
  refutation: Refutation | undefined,
): Verdict {
  const { finding } = verdict
  if (!finding || !reproduction) return verdict
  if (reproduction.outcome === 'reproduced') return shown({ ...verdict, finding }, refutation)
  const passes = reproduction.outcome === 'not-reproduced' && reproduction.head?.status === 'passed'
  return passes && !isConfirmedByCode(finding) ? doubted({ ...verdict, finding }) : verdict
}

function shown(verdict: FindingVerdict, refutation: Refutation | undefined): FindingVerdict {
  const { lowered, ...finding } = verdict.finding
  const severity = severityOf(verdict, refutation)
  const verifiedBy = [...finding.verifiedBy, reproducedWords]
  const proven: Finding = { ...finding, severity, confidence: 'certain', verifiedBy }
  // A cap is lifted as if it had never been; whatever else was taken away stays.
  const isCapAlone = lowered !== undefined && verdict.reason.startsWith(lowered.why)
  if (verdict.outcome === 'kept' || isCapAlone)
    return { ...verdict, outcome: 'kept', step: 'kept', reason: verifiedBy.join('; '), finding: proven }
  return { ...verdict, reason: `${verdict.reason}; then ${reproducedWords}`, finding: proven }
}

/** As its author rated it, or milder where an independent check says so: a run shows that it fails, not how much harm it does. */
function severityOf({ finding, candidate }: FindingVerdict, refutation: Refutation | undefined): Severity {
  const { lowered, severity } = finding
  const uncapped = lowered?.from ?? (refutation?.outcome === 'undecided' ? candidate.severity : severity)
  const rated = refutation?.severity
  return rated && severityRank(rated) > severityRank(uncapped) ? rated : uncapped
}

/** Ranked lower and no less severe: that one test passes does not refute it. */
function doubted(verdict: FindingVerdict): FindingVerdict {
  const verifiedBy = [...verdict.finding.verifiedBy, notShownWords]
  return demote(verdict, notShownWords, { confidence: 'possible', verifiedBy })
}
