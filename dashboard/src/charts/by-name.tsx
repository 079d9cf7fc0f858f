/** Values by name as lying bars, the largest first; the figure is beside its bar. */
import { Name } from '../parts/foreign.tsx'
import type { Series } from './over-time.tsx'

type Row = { name: string; parts: readonly { look: Series['look']; value: number }[]; label: string }

/** More would not be read. */
const rowsShown = 12

export function ByName({ rows, max }: { rows: readonly Row[]; max: number }) {
  return (
    <ul className="by-name">
      {rows.slice(0, rowsShown).map(({ name, parts, label }) => {
        let from = 0
        return (
          <li key={name}>
            <span className="by-name-name">
              <Name text={name} />
            </span>
            <svg className="bar" aria-hidden="true">
              {parts.map(({ look, value }) => {
                const x = from
                from += value
                return (
                  <rect
                    key={look}
                    className={look}
                    x={`${(x / max) * 100}%`}
                    width={`${(value / max) * 100}%`}
                    height="100%"
                  />
                )
              })}
            </svg>
            <span className="by-name-value">{label}</span>
          </li>
        )
      })}
      {rows.length > rowsShown && <li className="quiet">{rows.length - rowsShown} more in the table</li>}
    </ul>
  )
}

/** Shares with their 95 % interval: a dot on a line from 0 to 1. */
export function Intervals({
  rows,
}: {
  rows: readonly { name: string; share: number; low: number; high: number; label: string }[]
}) {
  return (
    <ul className="by-name">
      {rows.slice(0, rowsShown).map(({ name, share, low, high, label }) => (
        <li key={name}>
          <span className="by-name-name">
            <Name text={name} />
          </span>
          <svg className="bar interval" aria-hidden="true">
            <line className="grid" x1="0" x2="100%" y1="50%" y2="50%" />
            <line className="whisker" x1={`${low * 100}%`} x2={`${high * 100}%`} y1="50%" y2="50%" />
            <circle className="series-1" cx={`${share * 100}%`} cy="50%" r="4" />
          </svg>
          <span className="by-name-value">{label}</span>
        </li>
      ))}
    </ul>
  )
}
