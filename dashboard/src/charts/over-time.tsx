/** Values by day: stacked bars for what adds up, lines for what does not. */
import { formatDay } from '../parts/format.ts'
import { scaleOf } from './scale.ts'

export type Series = {
  title: string
  /** One for each day; null where there is none. */
  values: readonly (number | null)[]
  /** `series-1` to `series-4`, or a severity. */
  look: string
}

type Props = {
  title: string
  days: readonly string[]
  series: readonly Series[]
  kind: 'bars' | 'lines'
  format: (value: number) => string
}

const width = 640
const height = 180
const left = 52
const bottom = 22
const top = 8

export function OverTime({ title, days, series, kind, format }: Props) {
  const stacked = kind === 'bars'
  const tops = days.map((_, day) => {
    const values = series.map(({ values }) => values[day] ?? 0)
    return stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  const { max, ticks } = scaleOf(Math.max(...tops, 0))
  const y = (value: number) => top + (height - top - bottom) * (1 - value / max)
  const step = (width - left) / days.length
  const x = (day: number) => left + step * (day + 0.5)
  const labelEvery = Math.ceil(days.length / 6)
  return (
    <figure>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summaryOf(title, days, series, format)}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text className="tick" x={left - 6} y={y(tick) + 4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {days.map(
          (day, at) =>
            at % labelEvery === 0 && (
              <text key={day} className="tick" x={x(at)} y={height - 6} textAnchor="middle">
                {formatDay(day)}
              </text>
            ),
        )}
        {stacked
          ? days.map((day, at) => (
              <Stack key={day} day={at} x={x(at)} width={Math.min(step * 0.7, 26)} y={y} series={series} />
            ))
          : series.map((each) => <Line key={each.title} series={each} x={x} y={y} />)}
      </svg>
      {series.length > 1 && (
        <figcaption className="legend">
          {series.map((each) => (
            <span key={each.title}>
              <i className={each.look} /> {each.title}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

function Stack({
  day,
  x,
  width: wide,
  y,
  series,
}: {
  day: number
  x: number
  width: number
  y: (value: number) => number
  series: readonly Series[]
}) {
  let base = 0
  return series.map(({ title, look, values }) => {
    const value = values[day] ?? 0
    const from = base
    base += value
    if (value === 0) return null
    return (
      <rect
        key={title}
        className={look}
        x={x - wide / 2}
        width={wide}
        y={y(base)}
        height={Math.max(1, y(from) - y(base))}
      />
    )
  })
}

/** Days without a value break the line; a day alone is a dot. */
function Line({
  series,
  x,
  y,
}: {
  series: Series
  x: (day: number) => number
  y: (value: number) => number
}) {
  const points = series.values.map((value, day) => (value === null ? null : ([x(day), y(value)] as const)))
  let path = ''
  points.forEach((point, at) => {
    if (point) path += `${points[at - 1] ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
  })
  return (
    <>
      <path className={`line-path ${series.look}`} d={path} />
      {points.map(
        (point) =>
          point && <circle key={point[0]} className={series.look} cx={point[0]} cy={point[1]} r="2.500" />,
      )}
    </>
  )
}

function summaryOf(
  title: string,
  days: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
) {
  const last = series.map(({ title: name, values }) => {
    const known = values.filter((value) => value !== null)
    return `${name} at most ${format(Math.max(0, ...known))}`
  })
  return `${title}, ${days.length} days: ${last.join(', ')}. The table view has all figures.`
}
