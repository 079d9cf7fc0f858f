/** A review with one finding of each severity and hostile words in it, for tests of the outputs. */
import type { DiffLine } from '../../src/domain/change-set.ts'
import type { Evidence } from '../../src/domain/evidence.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { lineHash, tagOf } from '../../src/domain/line-tag.ts'
import { Review } from '../../src/domain/review.ts'

const tree = '0'.repeat(39)

export function sampleFinding(overrides: Partial<Finding> = {}): Finding {
  const line: DiffLine = {
    kind: 'added',
    old: null,
    new: 12,
    text: 'export function parse(text: string, strict: boolean) {',
    hash: lineHash('export function parse(text: string, strict: boolean) {'),
  }
  return {
    id: 'C1',
    plane: 'contract',
    rule: 'contract/signature-arity',
    severity: 'high',
    category: 'contract',
    confidence: 'certain',
    title: '`parse` now needs 2 arguments; 1 caller still passes 1',
    explanation: 'The call in `src/app.ts` fails to compile.\n\nIt was not updated with the change.',
    remedy: 'Pass `strict` in `src/app.ts:4`, or give it a default.',
    anchor: { path: 'src/parse.ts', tags: [tagOf(line)] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [{ evidence: 'E1', quote: 'parse(input)' }],
    fingerprint: 'f'.repeat(64),
    side: 'new',
    startLine: 12,
    endLine: 12,
    excerpt: [line],
    verifiedBy: ['1 claim confirmed by the code index'],
    ...overrides,
  }
}

export function sampleEvidence(overrides: Partial<Evidence> = {}): Evidence {
  return {
    id: 'E1',
    source: 'file',
    trust: 'foreign',
    title: 'caller of `parse`',
    path: 'src/app.ts',
    blob: `${tree}1`,
    side: 'new',
    startLine: 4,
    endLine: 4,
    text: 'const result = parse(input)',
    ...overrides,
  }
}

export function sampleReview(overrides: Partial<Review> = {}): Review {
  return Review.parse({
    schemaVersion: 1,
    tool: { name: 'sightline', version: '0.1.0' },
    depth: 'offline',
    request: {
      schemaVersion: 1,
      source: { kind: 'branch', label: 'branch feature against main' },
      objectFormat: 'sha1',
      base: { commit: `${tree}2`, tree: `${tree}3` },
      head: { commit: `${tree}4`, tree: `${tree}5` },
      title: 'Make parsing strict',
      body: '',
      author: 'Ada',
      limits: [],
      unread: [],
    },
    context: 'c'.repeat(64),
    summary: 'Changes 2 files.',
    keyChanges: ['`src/parse.ts`: `parse()` gained parameter `strict`'],
    files: [{ path: 'src/parse.ts', status: 'modified', added: 3, removed: 1, summary: '`parse()` changed' }],
    findings: [sampleFinding()],
    evidence: [sampleEvidence()],
    verdicts: [],
    coverage: {
      files: [
        { path: 'src/parse.ts', state: 'reviewed', reason: null },
        { path: 'big.bin', state: 'excluded', reason: 'binary' },
      ],
      planes: [{ plane: 'contract', state: 'ran', reason: null, candidates: 1 }],
      limits: ['the clone is shallow'],
      complete: true,
    },
    conclusion: {
      word: 'REQUEST_CHANGES',
      headline: 'REQUEST_CHANGES: 1 high finding. Code checks only; no model reviewed this change.',
      notices: [],
    },
    confidence: { score: null, reasons: ['No model read the change.'] },
    run: { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1200, stagesMs: {}, repository: 'demo' },
    ...overrides,
  } satisfies Review)
}
