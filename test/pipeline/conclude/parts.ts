/** Parts of a review for the tests of the conclusion. */
import type { ChangeSet, FileChange } from '../../../src/domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../src/domain/code-symbol.ts'
import type { Coverage } from '../../../src/domain/coverage.ts'
import type { Verdict } from '../../../src/domain/finding.ts'
import { lineHash } from '../../../src/domain/line-tag.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import type { PlaneOutcome } from '../../../src/pipeline/conclude/coverage.ts'
import { sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

export function fileChange(path: string, overrides: Partial<FileChange> = {}): FileChange {
  return {
    path,
    oldPath: null,
    status: 'modified',
    kind: 'text',
    role: 'source',
    language: 'typescript',
    oldMode: '100644',
    newMode: '100644',
    oldBlob: '1'.repeat(40),
    newBlob: '2'.repeat(40),
    similarity: null,
    added: 3,
    removed: 1,
    hunks: [
      {
        oldStart: 1,
        oldLines: 0,
        newStart: 1,
        newLines: 1,
        section: '',
        lines: [{ kind: 'added', old: null, new: 1, text: 'x', hash: lineHash('x') }],
      },
    ],
    omitted: null,
    ...overrides,
  }
}

export function contextWith(
  change: Partial<ChangeSet>,
  overrides: Partial<ReviewContext> = {},
): ReviewContext {
  return {
    schemaVersion: 1,
    hash: 'c'.repeat(64),
    request: { ...sampleReview().request, limits: [] },
    configHash: 'd'.repeat(64),
    change: { files: [], overflow: [], ...change },
    symbols: [],
    tests: [],
    evidence: [],
    around: null,
    cuts: [],
    ...overrides,
  }
}

export function outcome(plane: string, overrides: Partial<PlaneOutcome> = {}): PlaneOutcome {
  return { plane, state: 'ran', reason: null, drafts: [], ...overrides }
}

export function verdictOn(
  overrides: Parameters<typeof sampleFinding>[0] = {},
  verdict: Partial<Verdict> = {},
): Verdict {
  const finding = sampleFinding(overrides)
  const { fingerprint, side, startLine, endLine, excerpt, verifiedBy, ...candidate } = finding
  return { candidate, outcome: 'kept', step: 'kept', reason: '', finding, ...verdict }
}

export function coverageOf(overrides: Partial<Coverage> = {}): Coverage {
  return {
    files: [{ path: 'a.ts', state: 'reviewed', reason: null }],
    planes: [{ plane: 'contract', state: 'ran', reason: null, candidates: 0 }],
    limits: [],
    complete: true,
    ...overrides,
  }
}

export function codeSymbol(name: string, overrides: Partial<CodeSymbol> = {}): CodeSymbol {
  return {
    name,
    kind: 'function',
    scope: '',
    startLine: 1,
    endLine: 2,
    nameLine: 1,
    signature: { text: '', parameters: [], returnType: null },
    visibility: 'exported',
    signatureHash: '0'.repeat(16),
    bodyHash: '0'.repeat(16),
    isTest: false,
    doc: null,
    ...overrides,
  }
}

/** A change of one symbol in one file; `kind` says on which sides it stands. */
export function changed(
  kind: SymbolChange['kind'],
  path: string,
  symbol: CodeSymbol,
  overrides: Partial<SymbolChange> = {},
): SymbolChange {
  const place = { path, symbol }
  return {
    kind,
    language: 'typescript',
    before: kind === 'added' ? null : place,
    after: kind === 'removed' ? null : place,
    delta: null,
    bodyChanged: kind === 'body-changed',
    similarity: null,
    ...overrides,
  }
}
