/** A missing partner as a candidate, with the commits that tie it to the changed file. */
import { count as counted } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag } from '../../../domain/line-tag.ts'
import type { Partner } from './partners.ts'

/** Commits named in the evidence, the newest ones. */
const shownCommits = 5

/** Counts from which a missing partner is more than a hint. */
const strong = { together: 20, share: 0.95 }

export function describePartner(tie: Partner): CandidateDraft {
  const { path, partner, together, total } = tie
  const isStrong = together >= strong.together && together / total >= strong.share
  const [here, there] = [visibleLine(path), visibleLine(partner)]
  const evidence = evidenceOf(tie)
  return {
    plane: 'co-change',
    rule: 'co-change/missing-partner',
    severity: isStrong ? 'medium' : 'low',
    category: 'maintainability',
    confidence: isStrong ? 'likely' : 'possible',
    title: `\`${lastPart(there)}\` usually changes with \`${lastPart(here)}\`, and did not now`,
    explanation: `${together} of the last ${counted(total, 'commit')} that changed \`${here}\` also changed \`${there}\`. This change leaves it as it was, so one half of something may be missing.`,
    remedy: `See whether \`${there}\` needs the same change.`,
    anchor: { path, tags: [formatFileTag(path)] },
    claims: [{ kind: 'changes-together', path, partner, together, total }],
    suggestion: null,
    preExisting: false,
    evidence: [{ item: evidence, quote: evidence.text.split('\n')[0] ?? '' }],
  }
}

/** Counted by us, but the subjects are other people's words: the whole is foreign. */
function evidenceOf({ path, partner, together, total, commits }: Partner): EvidenceDraft {
  const newest = commits.slice(0, shownCommits)
  const lines = newest.map(
    ({ commit, subject }) => `${commit.slice(0, 10)} ${visibleLine(subject).slice(0, 100)}`,
  )
  const more = together > newest.length ? [`and ${together - newest.length} earlier ones`] : []
  const count = `${together} of ${counted(total, 'commit')} that changed ${visibleLine(path)} changed ${visibleLine(partner)} too`
  return {
    source: 'history',
    trust: 'foreign',
    title: 'commits that changed both',
    path: partner,
    blob: null,
    side: null,
    startLine: null,
    endLine: null,
    text: [count, ...lines, ...more].join('\n'),
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 100)
}
