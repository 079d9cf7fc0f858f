/** Findings, claims and answers as a model writes them. */
import type { ReviewAnswer, WireClaim, WireFinding } from '../../../src/pipeline/reviewer/answer/schema.ts'

export function wireClaim(changes: Partial<WireClaim> = {}): WireClaim {
  return {
    kind: 'line-contains',
    path: 'src/a.ts',
    line: 2,
    end_line: 0,
    name: '',
    other_path: '',
    other_line: 0,
    other_end_line: 0,
    side: 'new',
    text: '',
    together: 0,
    total: 0,
    ...changes,
  }
}

export function wireFinding(changes: Partial<WireFinding> = {}): WireFinding {
  return {
    file: 'src/a.ts',
    tags: [],
    evidence: [],
    explanation: 'It takes the second price for the first.',
    title: 'The wrong price is taken',
    category: 'correctness',
    severity: 'medium',
    confidence: 'likely',
    claims: [],
    remedy: null,
    suggestion: null,
    ...changes,
  }
}

export function wireAnswer(changes: Partial<ReviewAnswer> = {}): ReviewAnswer {
  return { findings: [], verdicts: [], insufficient_context: [], context_request: null, ...changes }
}
