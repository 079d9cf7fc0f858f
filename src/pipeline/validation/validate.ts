/**
 * Candidates in, verdicts out. Each candidate passes the steps in order and is dropped by the first one it fails, with
 * the reason; the rest is merged, limited and put in order. One bad candidate never affects another.
 */
import { isTestPath } from '../../base/file-paths.ts'
import { matchChanged, matchGlobs } from '../../base/globs.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { FileFacts } from '../../code-index/contract.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import {
  Candidate,
  checkFailed,
  type Finding,
  type FurtherPlace,
  type Verdict,
  type VerdictStep,
} from '../../domain/finding.ts'
import { bothReadersWords } from '../../domain/proof.ts'
import type { RepoHistory } from '../../domain/snapshot.ts'
import type { StageInput } from '../stage-input.ts'
import type { Checker } from './checker/contract.ts'
import { lastName } from './claims/names.ts'
import {
  type CandidateState,
  type DiffLocation,
  type EvidenceTable,
  isDropped,
  locationOf,
  type StepNotes,
  type ValidationContext,
  type ValidationStep,
} from './contract.ts'
import { fingerprintOf } from './fingerprint.ts'
import { settleVerdicts } from './settle.ts'
import { openSources } from './sources.ts'
import { allChecks } from './steps.ts'

export type ValidationInput = Omit<StageInput, 'onEvent' | 'signal'> & {
  candidates: readonly Candidate[]
  /** To recount what candidates count in the history; without it these claims stay unverified. */
  history?: RepoHistory
  /** Knows types; without it claims about them stay unverified. */
  checker?: Checker | null
  /** Names of the planes that ran, in the order of their weight. */
  planes: readonly string[]
}

/**
 * One verdict for every candidate: first the findings, most important first, then the dropped candidates in the order
 * they came. Never throws for a bad candidate.
 */
export async function validateCandidates(input: ValidationInput, checks = allChecks): Promise<Verdict[]> {
  const { candidates, config, planes } = input
  const context = openValidationContext(input)
  // Only to save round trips: should it fail, the step that needs the text meets the failure itself.
  await context.sources.preload(preloadFor(candidates, context.evidence)).catch(() => {})
  const verdicts: Verdict[] = []
  for (const [position, candidate] of candidates.entries())
    verdicts.push(await validateCandidate(candidate, position, context, checks.each))
  const excluded = new Set(
    input.context.change.files.filter(matchChanged(config.paths.exclude)).map(({ path }) => path),
  )
  return settleVerdicts(verdicts, { excluded, planes }, checks.together)
}

/** What the steps may read, for any number of candidates on one change. */
export function openValidationContext(input: Omit<ValidationInput, 'candidates'>): ValidationContext {
  const { context, base, head, facts, history, config, planes, checker } = input
  return {
    bundle: context,
    planes,
    checker: checker ?? null,
    sources: openSources({ change: context.change, base, head, facts, history: history ?? null }),
    evidence: new Map(context.evidence.map((item) => [item.id, item])),
    isTest: testPathsOf(context.change, config.paths.tests),
    unread: new Set(context.request.unread.map(({ path }) => path)),
  }
}

/** Which paths are test files: by the conventions of the languages, by what the change says, and by configuration. */
function testPathsOf(change: ChangeSet, globs: readonly string[]): (path: string) => boolean {
  const isConfigured = matchGlobs(globs)
  const changed = new Set(change.files.filter(({ role }) => role === 'test').map(({ path }) => path))
  return (path) => changed.has(path) || isTestPath(path) || isConfigured(path)
}

type Preload = { base: Set<string>; head: Set<string>; words: Set<string> }

/** What the checks will probably read, to be read in one go; anything else is read when needed. Accepts malformed candidates. */
function preloadFor(candidates: readonly Candidate[], evidence: EvidenceTable): Preload {
  const preload: Preload = { base: new Set(), head: new Set(), words: new Set() }
  for (const candidate of candidates) {
    try {
      addPreload(candidate, evidence, preload)
    } catch {
      // Not shaped like a candidate: the first step reports it.
    }
  }
  return preload
}

function addPreload(candidate: Candidate, evidence: EvidenceTable, { base, head, words }: Preload): void {
  head.add(candidate.anchor.path)
  for (const { evidence: id } of candidate.evidence) {
    const item = evidence.get(id)
    if (item?.path && item.trust === 'foreign') (item.side === 'old' ? base : head).add(item.path)
  }
  for (const claim of candidate.claims) {
    if (claim.kind === 'line-contains' && claim.side === 'old') base.add(claim.path)
    else head.add(claim.path)
    if (claim.kind === 'caller-not-updated') {
      base.add(claim.definedIn)
      head.add(claim.definedIn)
    }
    if (claim.kind === 'not-exported') head.add(claim.from)
    if (claim.kind === 'duplicate-of') head.add(claim.otherPath)
    if (claim.kind === 'no-test-calls') words.add(lastName(claim.symbol))
    if (claim.kind === 'unused') words.add(lastName(claim.name))
  }
}

type Passed = StepNotes & { step: VerdictStep }

/** Dropped by the first step it fails, with the reason. Never throws, whatever the candidate is. */
export async function validateCandidate(
  candidate: unknown,
  position: number,
  context: ValidationContext,
  steps: readonly ValidationStep[],
): Promise<Verdict> {
  const shown = presentableCandidate(candidate, position)
  const passed: Passed[] = []
  let at: VerdictStep = 'shape'
  const dropped = (reason: string): Verdict => ({
    candidate: shown,
    outcome: 'dropped',
    step: at,
    reason,
    finding: null,
  })
  try {
    // Whether it has the shape of a candidate is for the first step to say.
    let state: CandidateState = { candidate: candidate as Candidate, location: null, checkedClaims: [] }
    for (const { step, run } of steps) {
      at = step
      const result = await run(state, context)
      if (isDropped(result)) return dropped(result.dropped)
      const { verifiedBy = [], demotions = [], ...changed } = result
      passed.push({ step, verifiedBy, demotions })
      state = { ...state, ...changed }
    }
    const location = locationOf(state)
    const facts = await context.sources.facts(location.side, location.file.path)
    return verdictOf(shown, makeFinding(state.candidate, location, passed, facts, state.places), passed)
  } catch (error) {
    return dropped(`${checkFailed}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** `facts` are those of the file on the side of the location, or null when it is not parsed. */
export function makeFinding(
  candidate: Candidate,
  location: DiffLocation,
  notes: readonly StepNotes[],
  facts: FileFacts | null,
  places: readonly FurtherPlace[] = [],
): Finding {
  return {
    ...candidate,
    ...(places.length > 0 ? { places: [...places] } : {}),
    anchor: { path: location.file.path, tags: location.tags },
    fingerprint: fingerprintOf(candidate, location, facts),
    side: location.side,
    startLine: location.startLine,
    endLine: location.endLine,
    excerpt: location.excerpt,
    verifiedBy: [
      ...notes.flatMap(({ verifiedBy }) => verifiedBy),
      ...(candidate.reader === 'both' ? [bothReadersWords] : []),
    ],
  }
}

/** Kept when it passed every step unchanged; demoted when a step took something away. */
function verdictOf(
  candidate: Candidate,
  finding: Verdict['finding'] & object,
  passed: readonly Passed[],
): Verdict {
  const losses = passed.flatMap(({ step, demotions }) => demotions.map((reason) => ({ step, reason })))
  const [first] = losses
  return first
    ? {
        candidate,
        outcome: 'demoted',
        step: first.step,
        reason: losses.map(({ reason }) => reason).join('; '),
        finding,
      }
    : { candidate, outcome: 'kept', step: 'kept', reason: finding.verifiedBy.join('; '), finding }
}

/** The candidate itself when it fits the schema, else a stand-in for the verdict with what could be read of it. Never throws. */
export function presentableCandidate(candidate: unknown, position: number): Candidate {
  const parsed = Candidate.safeParse(candidate)
  if (parsed.success) return parsed.data
  const source = isRecord(candidate) ? candidate : {}
  const anchor = isRecord(source.anchor) ? source.anchor : {}
  return {
    id: textOr(source.id, `?${position + 1}`, 200),
    plane: textOr(source.plane, 'unknown', 200),
    rule: textOr(source.rule, 'unknown', 200),
    severity: 'low',
    category: 'maintainability',
    confidence: 'possible',
    title: textOr(source.title, 'A candidate that is not well-formed', 300),
    explanation: '',
    remedy: null,
    anchor: { path: textOr(anchor.path, '?', 4000), tags: ['?'] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [],
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function textOr(value: unknown, fallback: string, longest: number): string {
  const text = typeof value === 'string' ? visibleLine(value.slice(0, longest)).slice(0, longest) : ''
  return text.trim() === '' ? fallback : text
}
