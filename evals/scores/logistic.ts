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

const rounds = 4_000
const step = 0.02

/** The same rows give the same weights. */
export function fitLogistic(rows: readonly Row[], { before, strength, senses }: FitOptions): LogisticModel {
  const names = Object.keys(before.weights)
  const was = names.map((name) => before.weights[name] ?? 0)
  const weights = [...was]
  let start = before.start
  const indexed = rows.map(({ features, isImportant }) => ({
    at: features.map((name) => names.indexOf(name)).filter((at) => at >= 0),
    isImportant,
  }))
  for (let round = 0; round < rounds; round++) {
    const slopes = weights.map((weight, at) => strength * (weight - (was[at] ?? 0)))
    let slope = strength * (start - before.start)
    for (const { at, isImportant } of indexed) {
      const error = chance(at.reduce((sum, one) => sum + (weights[one] ?? 0), start)) - (isImportant ? 1 : 0)
      slope += error
      for (const one of at) slopes[one] = (slopes[one] ?? 0) + error
    }
    start -= step * slope
    for (const [at, name] of names.entries()) {
      const moved = (weights[at] ?? 0) - step * (slopes[at] ?? 0)
      const sense = senses[name]
      weights[at] = sense === 'raises' ? Math.max(0, moved) : sense === 'lowers' ? Math.min(0, moved) : moved
    }
  }
  const rounded = (value: number) => Math.round(value * 100) / 100 || 0
  return {
    start: rounded(start),
    weights: Object.fromEntries(names.map((name, at) => [name, rounded(weights[at] ?? 0)])),
  }
}

export function chanceOf({ features }: Pick<Row, 'features'>, { start, weights }: LogisticModel): number {
  return chance(features.reduce((sum, name) => sum + (weights[name] ?? 0), start))
}

function chance(sum: number): number {
  return 1 / (1 + Math.exp(-sum))
}

export type HeldOut = { chance: number; isImportant: boolean; group: string }

/** Each row by a model that saw no row of its group. */
export function holdOut(rows: readonly Row[], options: FitOptions): HeldOut[] {
  return [...new Set(rows.map(({ group }) => group))].flatMap((group) => {
    const model = fitLogistic(
      rows.filter((row) => row.group !== group),
      options,
    )
    return rows
      .filter((row) => row.group === group)
      .map((row) => ({ chance: chanceOf(row, model), isImportant: row.isImportant, group }))
  })
}

export type Reliability = { from: number; to: number; rows: number; said: number; seen: number }

/** Ten bands of equal width, without empty ones: how likely they were said to be, and the share that was. */
export function reliabilityOf(rows: readonly HeldOut[]): Reliability[] {
  return Array.from({ length: 10 }, (_, band) => {
    const own = rows.filter((row) => Math.min(9, Math.floor(row.chance * 10)) === band)
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
