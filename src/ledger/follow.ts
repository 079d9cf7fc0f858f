/**
 * What a review says of the findings that are known: which are still there, which are new, fixed, outdated or back. The
 * answer is events for the ledger. Pure: the same review of the same ledger gives the same events with the same ids.
 */
import { sha256 } from '../base/canonical-json.ts'
import type { Finding } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import { placeOf, type ReviewRequest } from '../domain/review-request.ts'
import type { EventOf, FindingFacts, LedgerEvent } from './contract.ts'
import { isOpen, type Ledger, type LedgerFinding } from './fold.ts'
import { whyGone } from './gone.ts'
import { openPlaces } from './locate.ts'
import { type Paired, pairFindings } from './pair.ts'
import { type FindingRecord, recordsOf, type TextOf } from './record.ts'

export type LedgerKeys = { repository: string; change: string }

/**
 * Whose ledger it is, and which line of work: `github.com/owner/repo` and `12`; `local/shop-1a2b3c4d` and `branch:feature`.
 * Two clones of one name on a machine are two repositories.
 */
export function ledgerKeys(
  request: ReviewRequest,
  repositoryLabel: string,
  branch: string | null,
): LedgerKeys {
  const { repository, changeRequest, source } = request
  const change = changeRequest
    ? `${changeRequest.number}`
    : branch === null
      ? source.kind
      : `branch:${branch}`
  if (repository)
    return { repository: [repository.host, ...repository.owner, repository.name].join('/'), change }
  const [, name = 'repository'] = placeOf(request, repositoryLabel).split('/')
  return { repository: `local/${name}-${sha256(repositoryLabel).slice(0, 8)}`, change }
}

export type FollowInput = {
  ledger: Ledger
  review: Review
  change: string
  run: string | null
  /** Files of the change by their path now, and those that it renamed. */
  changed: ReadonlySet<string>
  /** Not every file of the change is listed. */
  isPartial: boolean
  textOf: TextOf
  pathNow: (path: string) => string
  at: Date
}

export function followReview(input: FollowInput): LedgerEvent[] {
  const { ledger, review, change, textOf, pathNow } = input
  const findings = [...reported(review), ...(review.dismissed ?? []).map(({ finding }) => finding)]
  const records = recordsOf(findings, textOf)
  const asides = asidesOf(review)
  const write = writer(input)
  const pairs = pairUp(ledger, records, input)
  const taken = new Set(ledger.findings.keys())
  const events = records.flatMap((record, at): LedgerEvent[] => {
    const finding = findings[at]
    if (!finding) return []
    const aside = asides.get(finding.id)
    const seen = { record, facts: factsOf(finding, review), ...(aside ? { aside } : {}) }
    const pair = pairs.get(record.id) ?? null
    if (!pair || pair.isEdited) {
      const id = newId(record.id, taken)
      const why = pair && `its code changed after ${pair.known.id} was dismissed`
      return [
        write('seen', id, seen),
        ...(why ? [write('reopened', id, { cause: 'code-changed', why })] : []),
      ]
    }
    const { known } = pair
    const isMoved =
      JSON.stringify(withoutId(known.record)) !== JSON.stringify(withoutId(record)) ||
      (aside ?? null) !== known.aside
    const isBack = isEnded(known)
    const why = `it was ${known.state}, and was found again`
    return [
      ...(isMoved || known.change !== change ? [write('seen', known.id, seen, known)] : []),
      ...(isBack ? [write('reopened', known.id, { cause: 'found-again', why }, known)] : []),
    ]
  })
  const there = new Set([...pairs.values()].flatMap(({ known, isEdited }) => (isEdited ? [] : [known.id])))
  const isChanged = (path: string) => input.changed.has(path)
  const left = { ...input, isChanged, lineNow: openPlaces(textOf, pathNow).lineNow }
  const gone = [...ledger.findings.values()]
    .filter((one) => one.change === change && !isEnded(one) && !there.has(one.id))
    .flatMap((one): LedgerEvent[] => {
      const how = whyGone(one.record, left)
      return how ? [write(how.type, one.id, { why: how.why }, one)] : []
    })
  const { bundle = review.context, basis = '', files = {} } = review.models?.restsOn ?? {}
  return [...events, ...gone, write('reviewed', null, { bundle, basis, files })]
}

/** Shown, and hidden by a filter: those are found all the same. */
export function reported({ findings, hidden = [], verdicts }: Review): Finding[] {
  const ids = new Set(hidden.map(({ id }) => id))
  return [
    ...findings,
    ...verdicts.flatMap(({ finding }) => (finding && ids.has(finding.id) ? [finding] : [])),
  ]
}

/** Its code is gone, or was when it was last looked for. */
function isEnded({ state }: LedgerFinding): boolean {
  return state === 'fixed' || state === 'outdated'
}

/** By the id of the finding. What was dismissed itself is known to the ledger as such. */
function asidesOf({ findings, hidden = [], dismissed = [] }: Review): Map<string, EventOf<'seen'>['aside']> {
  return new Map([
    ...findings.flatMap(({ id, preExisting }) => (preExisting ? [[id, 'pre-existing'] as const] : [])),
    ...hidden.map(({ id }) => [id, 'hidden'] as const),
    ...dismissed.flatMap(({ finding, how }) => (how === 'here' ? [] : [[finding.id, 'dismissed'] as const])),
  ])
}

type Fields<Type extends LedgerEvent['type']> = Omit<
  EventOf<Type>,
  'id' | 'at' | 'change' | 'type' | 'finding' | 'head' | 'run'
>

/** The id of an event follows from what it says of which head, after which state. */
function writer({ change, review, run, at }: FollowInput) {
  const { commit, tree } = review.request.head
  const head = commit ?? tree
  return <Type extends 'seen' | 'reopened' | 'fixed' | 'outdated' | 'reviewed'>(
    type: Type,
    finding: string | null,
    fields: Fields<Type>,
    known: LedgerFinding | null = null,
  ): LedgerEvent => {
    // The same move may be made again later, from another state.
    const from = known && [known.last.id, known.record, known.change]
    const id = sha256(JSON.stringify([type, change, finding, head, fields, from])).slice(0, 32)
    const common = { id, at: at.toISOString(), change, type, head, ...fields }
    const withRun = type === 'seen' || type === 'reviewed' ? { ...common, run } : common
    return (finding === null ? withRun : { ...withRun, finding }) as unknown as LedgerEvent
  }
}

type Found = Paired<LedgerFinding & { dismissed: FindingRecord | null }>

/** Open and dismissed ones pair first; what was fixed or outdated may come back among the rest. By the id of the record. */
function pairUp(
  ledger: Ledger,
  records: readonly FindingRecord[],
  { change, textOf, pathNow }: FollowInput,
): Map<string, Found> {
  const known = [...ledger.findings.values()].map((one) => ({
    ...one,
    dismissed: one.dismissal?.record ?? null,
  }))
  const rounds = [
    known.filter((one) => one.dismissal !== null || (one.change === change && isOpen(one))),
    known.filter((one) => one.dismissal === null && one.change === change && !isOpen(one)),
  ]
  const pairs = new Map<string, Found>()
  for (const round of rounds) {
    const left = records.filter(({ id }) => pairs.get(id)?.isEdited ?? true)
    for (const [record, pair] of pairFindings(round, left, { textOf, pathNow })) pairs.set(record, pair)
  }
  return pairs
}

function factsOf({ plane, rule, severity, category, byModel }: Finding, { models }: Review): FindingFacts {
  return { plane, rule, severity, category, model: byModel ? (models?.model ?? null) : null }
}

/** The id of its first record, or the next one that is free. */
function newId(wanted: string, taken: Set<string>): string {
  const [print = ''] = wanted.split('-')
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${print}-${number}`
  taken.add(id)
  return id
}

function withoutId({ id: _, ...record }: FindingRecord): Omit<FindingRecord, 'id'> {
  return record
}
