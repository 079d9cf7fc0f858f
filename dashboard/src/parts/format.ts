/** Figures as people read them, the same everywhere. */

const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })

export const formatCount = (value: number) => whole.format(value)
export const formatShort = (value: number) => short.format(value)
export const formatShare = (value: number | null) => (value === null ? '–' : percent.format(value))

/** `$0.0042`, `$1.20`; a dash where the price is not known. */
export function formatUsd(value: number | null): string {
  if (value === null) return '–'
  if (value === 0) return '$0'
  return value < 0.01 ? `$${value.toPrecision(2)}` : `$${value.toFixed(2)}`
}

/** `420 ms`, `3.1 s`, `4 min 12 s`. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

export function formatTime(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : moment.format(time)
}

/** `2026-11-21` as `Nov 21`. */
export function formatDay(day: string): string {
  return date.format(new Date(`${day}T00:00:00Z`))
}

export function formatAgo(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000
  if (Number.isNaN(seconds)) return at
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return ago.format(Math.round(seconds / length), unit)
  return 'just now'
}

/** `1 finding`, `3 findings`. */
export function countOf(value: number, word: string, plural = `${word}s`): string {
  return `${whole.format(value)} ${value === 1 ? word : plural}`
}
