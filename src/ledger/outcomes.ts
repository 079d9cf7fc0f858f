/**
 * What became of findings, counted: how many were right, wrong or not worth it, by plane, rule, repository and model, each
 * share with its 95 % interval. Pure.
 */
import { compareText } from '../base/compare-text.ts'
import type { HostReaction } from './contract.ts'
import type { Ledger, LedgerFinding } from './fold.ts'

/**
 * `right`: fixed at its place, accepted, or liked; `wrong`: dismissed as wrong, refuted by evidence, or disliked;
 * `unimportant`: dismissed as such, not understood, or resolved without a change; `undecided`: nothing of this yet, or the change no longer has the code.
 */
export type Outcome = 'right' | 'wrong' | 'unimportant' | 'undecided'

export type Tally = Record<Outcome, number>

export type Share = { share: number; low: number; high: number }

export type OutcomeRow = {
  by: 'all' | 'plane' | 'rule' | 'repository' | 'model'
  name: string
  tally: Tally
  /** Of those that were decided, how many were right; null when none was. */
  precision: Share | null
  /** Repositories whose reviews show such findings as minor, in the order of code units. */
  minorIn: string[]
}

const noModel = 'no model (code checks)'

/** What was there before anybody looked (`sightline dismiss --all`) is no outcome. */
export function outcomeOf({ findings: _, reactions }: Ledger, finding: LedgerFinding): Outcome | null {
  const { state, dismissal, id } = finding
  if (dismissal?.kind === 'baseline') return null
  if (dismissal) {
    if (dismissal.kind === 'accepted') return 'right'
    return dismissal.kind
  }
  if (state === 'fixed') return 'right'
  return outcomeOfReactions(reactions.filter((one) => one.finding === id))
}

/** The last word of each person counts. Nobody's thread is resolved for being right: it was not worth a change. */
function outcomeOfReactions(reactions: Ledger['reactions']): Outcome {
  const last = [...new Map(reactions.map(({ by, reaction }) => [by.name, reaction])).values()]
  const of = (wanted: HostReaction) => last.filter((one) => one === wanted).length
  if (of('up') !== of('down')) return of('up') > of('down') ? 'right' : 'wrong'
  if (of('up') > 0) return 'undecided'
  return of('confused') + of('resolved') > 0 ? 'unimportant' : 'undecided'
}

/** The same rows, with the repositories where something follows from them. */
export function calibratedOutcomes(ledgers: ReadonlyMap<string, Ledger>): OutcomeRow[] {
  const minor = new Map<string, string[]>()
  for (const [repository, ledger] of [...ledgers].sort(([a], [b]) => compareText(a, b)))
    for (const { by, name } of calibrate(ledger).poor) {
      const key = `${by}\0${by === 'repository' ? repository : name}`
      minor.set(key, [...(minor.get(key) ?? []), repository])
    }
  return countOutcomes(ledgers).map((row) => ({ ...row, minorIn: minor.get(`${row.by}\0${row.name}`) ?? [] }))
}

/** All first, then each group by name, most findings first. */
export function countOutcomes(ledgers: ReadonlyMap<string, Ledger>): OutcomeRow[] {
  const rows = new Map<string, OutcomeRow>()
  const add = (by: OutcomeRow['by'], name: string, outcome: Outcome): void => {
    const key = `${by}\0${name}`
    const row = rows.get(key) ?? {
      by,
      name,
      tally: { right: 0, wrong: 0, unimportant: 0, undecided: 0 },
      precision: null,
      minorIn: [],
    }
    row.tally[outcome]++
    rows.set(key, row)
  }
  for (const [repository, ledger] of ledgers)
    for (const finding of ledger.findings.values()) {
      const outcome = outcomeOf(ledger, finding)
      if (outcome === null) continue
      const { plane, rule, model } = finding.facts
      add('all', 'all findings', outcome)
      add('plane', plane, outcome)
      add('rule', rule, outcome)
      add('repository', repository, outcome)
      add('model', model ?? noModel, outcome)
    }
  const order: readonly OutcomeRow['by'][] = ['all', 'plane', 'rule', 'repository', 'model']
  const size = ({ tally }: OutcomeRow) => Object.values(tally).reduce((sum, one) => sum + one, 0)
  return [...rows.values()]
    .map((row) => ({ ...row, precision: precisionOf(row.tally) }))
    .sort(
      (a, b) => order.indexOf(a.by) - order.indexOf(b.by) || size(b) - size(a) || (a.name < b.name ? -1 : 1),
    )
}

function precisionOf({ right, wrong, unimportant }: Tally): Share | null {
  const decided = right + wrong + unimportant
  return decided === 0 ? null : { share: right / decided, ...wilson(right, decided) }
}

/** The normal quantile of 95 %. */
const z = 1.959964

/** Wilson's score interval for `part` of `whole`, which is at least 1. */
export function wilson(part: number, whole: number): { low: number; high: number } {
  const share = part / whole
  const middle = share + (z * z) / (2 * whole)
  const spread = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole))
  const scale = 1 + (z * z) / whole
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}

/** A group of findings that were mostly wrong or not worth it, with 95 % certainty. */
export type PoorGroup = {
  by: 'rule' | 'plane' | 'model' | 'repository'
  /** Of the rule, plane or model; empty for all that models say of the repository. */
  name: string
  right: number
  decided: number
}

export type Calibration = {
  /** What reviews show as minor, the narrowest groups first. */
  poor: PoorGroup[]
  /** Rules about which enough is decided, and which are not poor: no wider group speaks for them. */
  sound: string[]
}

/** Decided findings that a group needs before anything follows from them: the wider it is, the more. */
const fewest: Readonly<Record<PoorGroup['by'], number>> = { rule: 8, plane: 20, model: 20, repository: 40 }
/** A group whose precision is below this, with 95 % certainty, is not worth a prominent place. */
const poor = 0.5

/** What follows from the outcomes of one repository for its next review. Names in the order of code units. */
export function calibrate(ledger: Ledger): Calibration {
  const rows = [
    ...countOutcomes(new Map([['', ledger]])).filter(({ by }) => by !== 'all' && by !== 'repository'),
    // Checks by code say nothing of how well models do here.
    ...countOutcomes(new Map([['', ofModels(ledger)]])).filter(({ by }) => by === 'repository'),
  ]
  const decided = rows.flatMap(({ by, name, tally, precision }) => {
    if (by === 'all' || (by === 'model' && name === noModel) || !precision) return []
    const group = { by, name, right: tally.right, decided: tally.right + tally.wrong + tally.unimportant }
    return group.decided < fewest[by] ? [] : [{ ...group, isPoor: precision.high < poor }]
  })
  const order: readonly PoorGroup['by'][] = ['rule', 'plane', 'model', 'repository']
  return {
    poor: decided
      .filter(({ isPoor }) => isPoor)
      .map(({ isPoor: _, ...group }) => group)
      .sort((a, b) => order.indexOf(a.by) - order.indexOf(b.by) || (a.name < b.name ? -1 : 1)),
    sound: decided.flatMap(({ by, name, isPoor }) => (by === 'rule' && !isPoor ? [name] : [])).sort(),
  }
}

function ofModels(ledger: Ledger): Ledger {
  const findings = [...ledger.findings].filter(([, { facts }]) => facts.model !== null)
  return { ...ledger, findings: new Map(findings) }
}

/** `of the earlier findings of the plane tests in this repository, 3 of 24 were right`. */
export function describePoor({ by, name, right, decided }: PoorGroup): string {
  const whose = {
    rule: 'of this rule ',
    plane: `of the plane ${name} `,
    model: `of ${name} `,
    repository: 'of models ',
  }[by]
  return `of the earlier findings ${whose}in this repository, ${right} of ${decided} were right`
}
