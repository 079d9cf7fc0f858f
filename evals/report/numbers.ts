/** How scores are written. */
import type { Interval } from '../scores/bootstrap.ts'
import type { Metric } from '../scores/metrics.ts'

/** `41.2 %`, `0.30`, `$0.012`, `1.4 s`; a dash for none. */
export function formatScore(value: number | null, unit: Metric['unit']): string {
  if (value === null) return '–'
  if (unit === 'share') return `${(value * 100).toFixed(1)} %`
  if (unit === 'usd') return `$${value.toFixed(4)}`
  if (unit === 'seconds') return `${value.toFixed(2)} s`
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)
}

/** `31.0 % – 52.5 %`; a dash for none. */
export function formatInterval(interval: Interval | null, unit: Metric['unit']): string {
  return interval ? `${formatScore(interval.low, unit)} – ${formatScore(interval.high, unit)}` : '–'
}

/** `+3.1 %`, with its sign. */
export function formatDifference(value: number | null, unit: Metric['unit']): string {
  if (value === null) return '–'
  const size = formatScore(Math.abs(value), unit)
  return value > 0 ? `+${size}` : value < 0 ? `−${size}` : size
}
