/** Whether something grows with the work that is done: the slope of a line through samples, with its interval. */

export type Sample = {
  /** Each process has a line of its own, with the common slope: what starts anew begins low. */
  group: string
  /** Reviews so far. */
  x: number
  y: number
  /** Minutes since the beginning. */
  minute: number
}

export type Slope = {
  /** For 1,000 reviews. */
  slope: number
  /** Of 95 %. */
  low: number
  high: number
  samples: number
}

const perThousand = 1000
/** Of a normal distribution; there are many samples. */
const quantile = 1.96

/** Of a process: what it loads, compiles and keeps at hand comes with its first reviews. */
const warmUpReviews = 50

/** Without the first reviews of each group. */
export function warmSamples(samples: readonly Sample[]): Sample[] {
  return [...Map.groupBy(samples, ({ group }) => group).values()].flatMap((all) =>
    all.filter(({ x }) => x - (all[0]?.x ?? x) >= warmUpReviews),
  )
}

/** Null for too few samples to say anything. */
export function slopeOf(samples: readonly Sample[]): Slope | null {
  const groups = [...Map.groupBy(samples, ({ group }) => group).values()].filter((all) => all.length > 2)
  const centred = groups.flatMap((all) => {
    const [x, y] = [mean(all.map((one) => one.x)), mean(all.map((one) => one.y))]
    return all.map((one) => ({ x: one.x - x, y: one.y - y }))
  })
  const spread = centred.reduce((sum, { x }) => sum + x * x, 0)
  const free = centred.length - groups.length - 1
  if (spread === 0 || free < 3) return null
  const slope = centred.reduce((sum, { x, y }) => sum + x * y, 0) / spread
  const rest = centred.reduce((sum, { x, y }) => sum + (y - slope * x) ** 2, 0)
  const error = Math.sqrt(rest / free / spread)
  const scaled = (value: number) => value * perThousand
  return {
    slope: scaled(slope),
    low: scaled(slope - quantile * error),
    high: scaled(slope + quantile * error),
    samples: centred.length,
  }
}

export function wordsOf(slope: Slope | null, unit: string): string {
  if (slope === null) return 'too few samples'
  const [middle, low, high] = [slope.slope, slope.low, slope.high].map((value) => value.toFixed(1))
  return `${middle}${unit} more for 1,000 reviews (95 %: ${low} to ${high}; ${slope.samples} samples)`
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
