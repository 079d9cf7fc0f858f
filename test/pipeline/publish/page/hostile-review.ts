/** A review that keeps to its schema and has hostile words in every field that somebody else may fill. */
import type { Finding } from '../../../../src/domain/finding.ts'
import { Review } from '../../../../src/domain/review.ts'
import type { Random } from '../../../helpers/random.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../../helpers/sample-review.ts'
import { hostilePath, hostileText } from './hostile-text.ts'

/** What is made of each hostile text before it goes into the review. */
export type Say = (text: string) => string

/** The same white space and the same equalities between texts, and no other character of the original. */
export function tame(): Say {
  const names = new Map<string, string>()
  return (text) => {
    const name = names.get(text) ?? `w${names.size}w`
    names.set(text, name)
    return text.replace(/\S+/g, name)
  }
}

/** The same numbers from `random` give the same review, whatever `say` makes of its words. */
export function hostileReview(random: Random, say: Say): Review {
  const text = (most = 1_000) => say(hostileText(random).slice(0, most))
  const path = () => say(hostilePath(random))
  const few = <Item>(most: number, make: (at: number) => Item): Item[] =>
    Array.from({ length: random.between(0, most) }, (_, at) => make(at))

  const evidence = few(3, (at) => evidenceItem(random, at, text, path))
  const findings = few(3, (at) => finding(random, at, evidence.length, text, path))
  const review = sampleReview()
  return Review.parse({
    ...review,
    request: { ...review.request, source: { kind: 'branch', label: text() }, title: text(), body: text() },
    tool: { name: 'sightline', version: '0.1.0' },
    // Each line of it begins with words of ours.
    summary: text().replace(/^/gm, 'Changes '),
    keyChanges: few(2, () => text()),
    files: few(2, () => ({ path: path(), status: 'modified', added: 3, removed: 1, summary: text() })),
    findings,
    evidence,
    verdicts: findings.slice(0, 1).map((candidate) => ({
      candidate,
      outcome: 'dropped',
      step: 'claims',
      reason: text(),
      finding: null,
    })),
    coverage: {
      files: few(2, () => ({ path: path(), state: 'partly', reason: text() })),
      planes: few(1, () => ({ plane: 'contract', state: 'failed', reason: text(), candidates: 0 })),
      limits: few(2, () => text()),
      complete: false,
    },
    conclusion: { word: 'NEEDS_DISCUSSION', headline: text(), notices: [text()] },
    confidence: { score: 2, reasons: few(2, () => text()) },
    models: modelReport(random, text, path),
    signals: [{ plane: 'contract', severity: 'high', findings: 1, confidence: 'certain' }],
    conflicts: few(1, () => ({ upheld: 'C1', yielded: 'C2', about: 'severity', reason: text() })),
    refutations: few(2, () => ({ finding: 'C1', outcome: 'upheld', reason: text(), citations: [] })),
    criteria: few(2, (at) => ({
      ticket: text(30),
      id: `AC${at}`,
      text: text(),
      state: random.pick(['covered', 'not-covered', 'undecidable']),
      lines: few(2, () => ({ path: path(), tags: ['L1#aaa'] })),
      reason: text(),
      by: 'model',
    })),
  })
}

type Words = () => string

function evidenceItem(random: Random, at: number, text: Words, path: Words) {
  const side = random.pick(['old', 'new'] as const)
  return sampleEvidence({
    id: `E${at + 1}`,
    title: text(),
    path: random.chance(0.9) ? path() : null,
    side,
    text: text(),
  })
}

function finding(
  random: Random,
  at: number,
  items: number,
  text: (most?: number) => string,
  path: Words,
): Finding {
  const file = path()
  const offers = random.between(0, 2)
  return sampleFinding({
    id: `C${at + 1}`,
    severity: random.pick(['critical', 'high', 'medium', 'low']),
    side: random.pick(['old', 'new']),
    title: text(300),
    explanation: text(),
    remedy: random.chance(0.5) ? text() : null,
    byModel: random.chance(0.5),
    preExisting: random.chance(0.3),
    anchor: { path: file, tags: ['L12#aaa'] },
    excerpt: [{ kind: 'added', old: null, new: 12, text: text().replaceAll('\n', ' '), hash: 'aaa' }],
    evidence: Array.from({ length: items }, (_, item) => ({ evidence: `E${item + 1}`, quote: text() })),
    claims: [
      { kind: 'undefined', name: text(), path: file, line: 3 },
      { kind: 'missing-path', target: path(), path: file, line: 4 },
    ],
    verifiedBy: [text()],
    suggestion: offers === 1 ? { path: file, startLine: 12, endLine: 13, replacement: text() } : null,
    ...(offers === 2 ? { example: text() } : {}),
  })
}

function modelReport(random: Random, text: Words, path: Words) {
  if (random.chance(0.5)) return undefined
  return {
    model: text(),
    prompts: [],
    groups: [
      {
        address: 'quick/group-1/review',
        files: [path()],
        outcome: 'refused',
        reason: text(),
        findings: 0,
        usd: null,
      },
    ],
    followUps: [],
    insufficient: [{ path: path(), reason: text() }],
    trimmed: [text()],
    unfit: [{ address: 'quick/group-1/review', what: text(), reason: text() }],
    suspicions: [{ origin: text(), line: 1, sign: text(), excerpt: text() }],
    findingCosts: [],
  }
}
