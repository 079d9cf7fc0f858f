/**
 * A logistic model of things that are true of a finding or not, fitted to judgements: the weights that make these most likely, drawn
 * towards weights known before, so that what a few cases show moves little. Some weights have a sense that they may not lose.
 */

/** What is true of a finding, and whether it was judged important. `group`: rows of one group are held out together. */
export type Row = { features: readonly string[]; isImportant: boolean; group: string }

export type LogisticModel = { start: number; weights: Readonly<Record<string, number>> }

export type FitOptions = {
  before: LogisticModel
  /** How strongly a weight is held to what it was, as so many judgements against it. */
  strength: number
  /** By feature, whether it may only raise or only lower. */
  senses: Readonly<Record<string, 'raises' | 'lowers'>>
}

const rounds = 500
/** A round that moves no weight by more is the last. */
const stillness = 1e-6

/**
 * One weight after the other is moved to where its own slope ends (Newton's step), until none moves. What is sought has one
 * minimum, whatever the number of rows, and a bound on a weight does not change that. The same rows give the same weights.
 */
export function fitLogistic(rows: readonly Row[], { before, strength, senses }: FitOptions): LogisticModel {
  const names = Object.keys(before.weights)
  const sums = rows.map(({ features }) =>
    features.reduce((sum, name) => sum + (before.weights[name] ?? 0), before.start),
  )
  const all = [...rows.keys()]
  const parts = [null, ...names].map((name) => {
    const was = name === null ? before.start : (before.weights[name] ?? 0)
    const own = name === null ? all : all.filter((at) => rows[at]?.features.includes(name))
    return { own, was, is: was, sense: name === null ? undefined : senses[name] }
  })
  for (let round = 0; round < rounds; round++) {
    let most = 0
    for (const part of parts) {
      const moved = moveOf(part, { rows, sums, strength })
      part.is += moved
      for (const at of part.own) sums[at] = (sums[at] ?? 0) + moved
      most = Math.max(most, Math.abs(moved))
    }
    if (most < stillness) break
  }
  const [start, ...weights] = parts.map(({ is }) => Math.round(is * 100) / 100 || 0)
  return {
    start: start ?? before.start,
    weights: Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0])),
  }
}

type Part = { own: readonly number[]; was: number; is: number; sense: 'raises' | 'lowers' | undefined }

/** Never more than one at a time: far from its end a slope says little of where that is. */
function moveOf(
  { own, was, is, sense }: Part,
  { rows, sums, strength }: { rows: readonly Row[]; sums: readonly number[]; strength: number },
): number {
  let [slope, bend] = [strength * (is - was), strength]
  for (const at of own) {
    const said = chance(sums[at] ?? 0)
    slope += said - (rows[at]?.isImportant ? 1 : 0)
    bend += said * (1 - said)
  }
  const wanted = is - Math.max(-1, Math.min(1, slope / bend))
  const allowed = sense === 'raises' ? Math.max(0, wanted) : sense === 'lowers' ? Math.min(0, wanted) : wanted
  return allowed - is
}

export function chanceOf({ features }: Pick<Row, 'features'>, { start, weights }: LogisticModel): number {
  return chance(features.reduce((sum, name) => sum + (weights[name] ?? 0), start))
}

function chance(sum: number): number {
  return 1 / (1 + Math.exp(-sum))
}

export type HeldOut = {
  /** By a model that saw no row of its group. */
  chance: number
  /** By the model of all rows. */
  fitted: number
  isImportant: boolean
  group: string
}

export function holdOut(rows: readonly Row[], options: FitOptions): HeldOut[] {
  const whole = fitLogistic(rows, options)
  return [...new Set(rows.map(({ group }) => group))].flatMap((group) => {
    const model = fitLogistic(
      rows.filter((row) => row.group !== group),
      options,
    )
    return rows
      .filter((row) => row.group === group)
      .map((row) => ({
        chance: chanceOf(row, model),
        fitted: chanceOf(row, whole),
        isImportant: row.isImportant,
        group,
      }))
  })
}

export type Reliability = { from: number; to: number; rows: number; said: number; seen: number }

/**
 * Ten bands of equal width, without empty ones: how likely they were said to be, and the share that was. What the model of all rows says
 * decides the band: a group with many important rows lowers what is said of it by leaving it out, so that next to a limit the outcome would
 * decide on which side a row falls.
 */
export function reliabilityOf(rows: readonly HeldOut[]): Reliability[] {
  return Array.from({ length: 10 }, (_, band) => {
    const own = rows.filter((row) => Math.min(9, Math.floor(row.fitted * 10)) === band)
    const mean = (values: readonly number[]) =>
      values.reduce((sum, one) => sum + one, 0) / (values.length || 1)
    return {
      from: band / 10,
      to: (band + 1) / 10,
      rows: own.length,
      said: mean(own.map((row) => row.chance)),
      seen: mean(own.map((row) => (row.isImportant ? 1 : 0))),
    }
  }).filter((one) => one.rows > 0)
}

/** By how much what was said misses what was seen, on average over all rows. */
export function calibrationError(rows: readonly HeldOut[]): number {
  return reliabilityOf(rows).reduce(
    (sum, one) => sum + (one.rows / rows.length) * Math.abs(one.said - one.seen),
    0,
  )
}
