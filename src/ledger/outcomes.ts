/**
 * What became of findings, counted: how many were right, wrong or not worth it, by plane, rule, repository and model, each
 * share with its 95 % interval. Pure.
 */
import type { Ledger, LedgerFinding } from './fold.ts'

/**
 * `right`: fixed at its place, accepted, or liked; `wrong`: dismissed as wrong, refuted by evidence, or disliked;
 * `unimportant`: dismissed as such; `undecided`: nothing of this yet, or the change no longer has the code.
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
}

/** What was there before anybody looked (`sightline baseline`) is no outcome. */
export function outcomeOf({ findings: _, reactions }: Ledger, finding: LedgerFinding): Outcome | null {
  const { state, dismissal, id } = finding
  if (dismissal?.kind === 'baseline') return null
  if (dismissal) {
    if (dismissal.kind === 'accepted') return 'right'
    return dismissal.kind
  }
  if (state === 'fixed') return 'right'
  const last = reactions.findLast((one) => one.finding === id)
  if (last) return last.reaction === 'up' ? 'right' : 'wrong'
  return 'undecided'
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
      add('model', model ?? 'no model (code checks)', outcome)
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

/** Decided findings that a rule needs before anything follows from them. */
const fewest = 8
/** A rule whose precision is below this, with 95 % certainty, is not worth a prominent place. */
const poor = 0.5

/** Rules that were mostly wrong or not worth it: reviews show their findings as minor. In the order of code units. */
export function poorRules(ledger: Ledger): { rule: string; right: number; decided: number }[] {
  return countOutcomes(new Map([['', ledger]]))
    .flatMap(({ by, name, tally, precision }) => {
      const decided = tally.right + tally.wrong + tally.unimportant
      const isPoor = by === 'rule' && precision !== null && decided >= fewest && precision.high < poor
      return isPoor ? [{ rule: name, right: tally.right, decided }] : []
    })
    .sort((a, b) => (a.rule < b.rule ? -1 : 1))
}
