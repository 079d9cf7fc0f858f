/** Findings, claims and answers as a model writes them. */

import type {
  ContextRequest,
  ReviewAnswer,
  WireClaim,
  WireFinding,
} from '../../../src/pipeline/reviewer/answer/schema.ts'
import { emptyAnswer } from '../../helpers/reviewer-answer.ts'

/** One claim of each kind, about `total` in `src/a.ts`. */
export const wireClaims: Readonly<Record<WireClaim['kind'], WireClaim>> = {
  'caller-not-updated': {
    kind: 'caller-not-updated',
    path: 'src/a.ts',
    line: 2,
    symbol: 'total',
    defined_in: 'src/b.ts',
  },
  undefined: { kind: 'undefined', path: 'src/a.ts', line: 2, name: 'total' },
  'not-exported': { kind: 'not-exported', path: 'src/a.ts', line: 2, name: 'total', from: 'src/b.ts' },
  'missing-path': { kind: 'missing-path', path: 'src/a.ts', line: 2, target: 'src/b.ts' },
  'duplicate-of': {
    kind: 'duplicate-of',
    path: 'src/a.ts',
    line: 2,
    end_line: 3,
    other_path: 'src/b.ts',
    other_line: 5,
    other_end_line: 6,
  },
  'no-test-calls': { kind: 'no-test-calls', path: 'src/a.ts', line: 2, symbol: 'total' },
  unused: { kind: 'unused', path: 'src/a.ts', line: 2, name: 'total' },
  'type-mismatch': {
    kind: 'type-mismatch',
    path: 'src/a.ts',
    line: 2,
    checker: 'tsc',
    message: 'number is not a string',
  },
  'line-contains': { kind: 'line-contains', path: 'src/a.ts', line: 2, side: 'new', text: 'total' },
}

export function wireFinding(changes: Partial<WireFinding> = {}): WireFinding {
  return {
    file: 'src/a.ts',
    tags: [],
    evidence: [],
    also_at: [],
    documented: null,
    explanation: 'It takes the second price for the first.',
    wrong_if: null,
    title: 'The wrong price is taken',
    category: 'correctness',
    severity: 'medium',
    confidence: 'likely',
    claims: [],
    enriches: '',
    remedy: null,
    edits: [],
    ...changes,
  }
}

export function wireRequest(changes: Partial<ContextRequest> = {}): ContextRequest {
  return {
    what: 'code',
    file: 'src/a.ts',
    symbol: '',
    line_start: 0,
    line_end: 0,
    reason: 'to see',
    ...changes,
  }
}

export function wireAnswer(changes: Partial<ReviewAnswer> = {}): ReviewAnswer {
  return { ...emptyAnswer, ...changes }
}
