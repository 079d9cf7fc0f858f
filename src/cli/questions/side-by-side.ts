/** Ranked lists in columns, so that one sees at a glance which list put what where. */
import type { StageRow } from '../../index.ts'

export type Column = { heading: string; rows: readonly StageRow[] }

const rowsShown = 10
const widest = 46

/** Lines without ends; the columns are as wide as what stands in them, up to a cap. */
export function sideBySide(columns: readonly Column[]): string[] {
  const cells = columns.map(({ heading, rows }) => [
    `${heading} (${rows.length})`,
    ...rows
      .slice(0, rowsShown)
      .map(({ path, startLine, score }) => `${score} ${shorten(`${path}:${startLine}`)}`),
  ])
  const widths = cells.map((column) => Math.max(...column.map((cell) => [...cell].length)))
  const height = Math.max(0, ...cells.map((column) => column.length))
  return Array.from({ length: height }, (_, line) => {
    const mark = line === 0 ? '   ' : `#${line}`.padEnd(3)
    const row = cells.map((column, at) => pad(column[line] ?? '', widths[at] ?? 0)).join('  ')
    return `  ${mark} ${row}`.trimEnd()
  })
}

/** The end of a path tells more than its beginning. */
function shorten(place: string): string {
  const characters = [...place]
  return characters.length <= widest ? place : `…${characters.slice(1 - widest).join('')}`
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length))
}
