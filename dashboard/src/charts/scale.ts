/** Round numbers for an axis from zero. */

export function scaleOf(most: number): { max: number; ticks: number[] } {
  if (most <= 0) return { max: 1, ticks: [0] }
  const rough = most / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const count = Math.ceil(most / step)
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, at) => at * step) }
}
