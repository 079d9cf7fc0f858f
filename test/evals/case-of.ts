/** Cases, faults and scores with the few words a test cares about. */
import type { EvalCase, KnownFault, LineRange } from '../../evals/cases/eval-case.ts'
import type { CaseScore, FaultScore, FindingScore } from '../../evals/scores/case-score.ts'

export function placeAt(
  file: string,
  start: number,
  end = start,
  side: LineRange['side'] = 'right',
): LineRange {
  return { file, start, end, side }
}

export function faultAt(place: LineRange | null, words: Partial<KnownFault> = {}): KnownFault {
  return {
    place,
    also: [],
    severity: null,
    category: 'correctness',
    description: '',
    context: null,
    ...words,
  }
}

export function caseOf(words: Partial<EvalCase>): EvalCase {
  return {
    id: 'one',
    repo: 'owner/name',
    url: null,
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    kind: 'fault',
    source: 'test',
    language: null,
    expected: [],
    rejected: [],
    twin: null,
    ...words,
  }
}

export function scoreOf(words: Partial<CaseScore>): CaseScore {
  return {
    id: 'one',
    kind: 'fault',
    source: 'test',
    language: null,
    reviewed: true,
    complete: true,
    faults: [],
    findings: [],
    usd: 0,
    unpricedCalls: 0,
    tokens: 0,
    calls: 0,
    seconds: 1,
    ...words,
  }
}

export function faultScore(words: Partial<FaultScore> = {}): FaultScore {
  return {
    severity: null,
    category: 'correctness',
    context: null,
    placed: true,
    hit: false,
    hitInCategory: false,
    named: null,
    byRandomLines: 0,
    byFiveRandomLines: 0,
    byLargestHunks: false,
    byFiveLargestHunks: false,
    ...words,
  }
}

export function findingScore(words: Partial<FindingScore> = {}): FindingScore {
  return {
    plane: 'rules',
    rule: 'a-rule',
    severity: 'high',
    category: 'correctness',
    confidence: 'likely',
    correct: false,
    exact: false,
    rejected: false,
    onDiff: true,
    citations: 0,
    validCitations: 0,
    judged: null,
    ...words,
  }
}
