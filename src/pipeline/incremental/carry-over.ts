/**
 * What need not be asked again of a change that was reviewed before: files that are as they were, with all that an answer
 * about them rests on. What was found in them is carried over: it passes the checks again, and no judge is asked again.
 */
import type { RaisedContest } from '../../domain/contest.ts'
import type { EarlierReview } from '../../domain/earlier-review.ts'
import type { Evidence, EvidenceDraft } from '../../domain/evidence.ts'
import type {
  Candidate,
  CandidateDraft,
  Citation,
  DraftCitation,
  Finding,
  Refutation,
  Verdict,
} from '../../domain/finding.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Ties } from './rests-on.ts'

export type CarryInput = {
  earlier: EarlierReview
  now: Ties
  /** Of checks by code, numbered. */
  candidates: readonly Candidate[]
  base: RepoSnapshot
  head: RepoSnapshot
}

export type CarriedOver = {
  /** The commit or tree at which the files were read. */
  head: string
  /** Not asked about again. */
  files: ReadonlySet<string>
  /** One for each candidate of a model in these files that no check dropped. */
  drafts: readonly CandidateDraft[]
  /** For each draft what a judge said of it then; null where none was asked. */
  refutations: readonly (JudgedBefore | null)[]
  /** What was contested in these files of findings of code that are there again, by the numbers that these have now. */
  contests: readonly ContestedBefore[]
  /** Every finding of a model then, also in files that are asked about: evidence for the questions. */
  findings: readonly Finding[]
}

/** A judgement with the items that it cites, one for each citation, since their numbers are others now. */
export type JudgedBefore = { refutation: Refutation; items: readonly EvidenceDraft[] }

/** The same for a contest. */
export type ContestedBefore = {
  raised: RaisedContest
  items: readonly EvidenceDraft[]
  judged: JudgedBefore | null
}

/** Null where everything is to be asked. */
export async function carryOver(input: CarryInput): Promise<CarriedOver | null> {
  const { earlier, now } = input
  // The same question again: recorded answers serve it, and the review is the same to the byte.
  if (earlier.restsOn.bundle === now.bundle && !earlier.isPartial) return null
  if (earlier.restsOn.basis !== now.basis) return null
  const items = new Map(earlier.evidence.map((item) => [item.id, item]))
  const held = heldVerdicts(earlier.verdicts)
  const same = Object.keys(now.files).filter((path) => now.files[path] === earlier.restsOn.files[path])
  const contested = contestsBefore(input, items)
  const cited = [
    ...held.map((verdict) => ({ path: pathOf(verdict), items: citedBy(verdict.candidate.evidence, items) })),
    ...contested,
  ]
  const lost = await pathsOfLostEvidence(cited, input)
  const files = new Set(same.filter((path) => !lost.has(path)))
  if (files.size === 0) return null
  const carried = held.filter((verdict) => files.has(pathOf(verdict)))
  const refutations = new Map(earlier.refutations.map((one) => [one.finding, one]))
  return {
    head: earlier.head,
    files,
    drafts: carried.map(({ candidate }) => draftOf(candidate, items, input)),
    refutations: carried.map(({ candidate: { id } }) => judgedBefore(refutations.get(id), items)),
    contests: contested.filter(({ path }) => files.has(path)),
    findings: held.flatMap(({ finding }) => finding ?? []),
  }
}

/** Steps that drop what is true all the same: as one of several, as one too many, or because somebody dismissed it. */
const dropsTheTrue: ReadonlySet<Verdict['step']> = new Set(['duplicates', 'limits', 'ledger'])

/** Of models, in the order of their candidates: what no check of its own dropped. */
function heldVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  // What was the same as a finding that a judge refuted would come back without it.
  const refuted = new Set(
    verdicts.flatMap((one) => (one.step === 'refutation' && !one.finding ? pathOf(one) : [])),
  )
  const isHeld = (one: Verdict) =>
    one.finding !== null ||
    (dropsTheTrue.has(one.step) && !(one.step === 'duplicates' && refuted.has(pathOf(one))))
  const number = ({ candidate: { id } }: Verdict) => Number(id.slice(1))
  return verdicts
    .filter((one) => one.candidate.byModel === true && isHeld(one))
    .sort((a, b) => number(a) - number(b))
}

/** Where it was shown, which may not be where its author put it. */
function pathOf({ candidate, finding }: Verdict): string {
  return (finding ?? candidate).anchor.path
}

type Items = ReadonlyMap<string, Evidence>

/** Files with a finding that cites what is no longer so, or cannot be compared: a secret in it is masked by now. */
async function pathsOfLostEvidence(
  cited: readonly { path: string; items: readonly EvidenceDraft[] }[],
  { head, base }: CarryInput,
): Promise<Set<string>> {
  const paths = { old: new Set<string>(), new: new Set<string>() }
  for (const { side, path } of cited.flatMap(({ items }) => items))
    if (path !== null) paths[side ?? 'new'].add(path)
  const [old, fresh] = await Promise.all([base.readMany([...paths.old]), head.readMany([...paths.new])])
  const texts = { old, new: fresh }
  const isTrue = ({ source, path, side, startLine, endLine, text }: EvidenceDraft): boolean => {
    if (path === null) return source === 'ticket' || source === 'history'
    const whole = texts[side ?? 'new'].get(path)?.text
    if (whole === undefined) return false
    if (startLine === null) return whole.includes(text) || side === 'old'
    const lines = whole.split('\n').slice(startLine - 1, endLine ?? startLine)
    return lines.map((line) => line.replace(/\r$/, '')).join('\n') === text
  }
  return new Set(cited.filter((one) => !one.items.every(isTrue)).map(({ path }) => path))
}

function citedBy(citations: readonly Citation[], items: Items): EvidenceDraft[] {
  return citations.flatMap(({ evidence }) => {
    const item = items.get(evidence)
    return item ? [withoutId(item)] : []
  })
}

/**
 * Those that changed a finding which is there again, with the file of each. What was rejected then is not weighed again: why it
 * was, such as a text that speaks to models, may lie in a file that is not read now.
 */
function contestsBefore(
  { earlier, candidates }: CarryInput,
  items: Items,
): (ContestedBefore & { path: string })[] {
  const effective = earlier.contests.filter(({ outcome }) => outcome === 'dropped' || outcome === 'open')
  return effective.flatMap(({ finding, reason, citations }) => {
    const now = sameCheck(finding, earlier.verdicts, candidates)
    const held = citations.filter(({ evidence }) => items.has(evidence))
    const judged = judgedBefore(
      earlier.refutations.find((one) => one.finding === finding),
      items,
    )
    if (!now) return []
    const { id, anchor } = now
    return [
      {
        path: anchor.path,
        raised: { finding: id, reason, citations: held },
        items: citedBy(held, items),
        judged,
      },
    ]
  })
}

/** As its author proposed it then, with what it cites. */
function draftOf(candidate: Candidate, items: Items, { earlier, candidates }: CarryInput): CandidateDraft {
  const { id: _, enriches, evidence, ...words } = candidate
  const strengthened =
    enriches === undefined ? undefined : sameCheck(enriches, earlier.verdicts, candidates)?.id
  return {
    ...words,
    carriedFrom: candidate.carriedFrom ?? earlier.head,
    ...(strengthened ? { enriches: strengthened } : {}),
    evidence: evidence.map(({ evidence: cited, quote }): DraftCitation => {
      const item = items.get(cited)
      return item ? { item: withoutId(item), quote } : { cited, quote }
    }),
  }
}

/** What a finding of code is now. */
function sameCheck(
  id: string,
  verdicts: readonly Verdict[],
  candidates: readonly Candidate[],
): Candidate | undefined {
  const then = verdicts.find(({ candidate }) => candidate.id === id)?.candidate
  const isSame = ({ rule, anchor }: Candidate) =>
    rule === then?.rule && anchor.path === then.anchor.path && anchor.tags.join() === then.anchor.tags.join()
  return candidates.find(isSame)
}

/** Those that were not asked are asked now. */
function judgedBefore(refutation: Refutation | undefined, items: Items): JudgedBefore | null {
  if (!refutation || refutation.outcome === 'not-asked') return null
  const citations = refutation.citations.filter(({ evidence }) => items.has(evidence))
  return { refutation: { ...refutation, citations }, items: citedBy(citations, items) }
}

function withoutId({ id: _, ...item }: Evidence): EvidenceDraft {
  return item
}
