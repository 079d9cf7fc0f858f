/** A table of figures that can be taken away as CSV or JSON. */

import { type Cell, saveFile, toCsv } from './export.ts'
import { Foreign } from './foreign.tsx'
import { formatCount } from './format.ts'
import { Heads } from './heads.tsx'

type Props = {
  title?: string
  /** Name of exported files, without an ending. */
  file: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** How cells of a column are shown; exports have the plain values. */
  show?: Record<number, (value: Cell, row: readonly Cell[]) => React.ReactNode>
}

export function DataTable({ title, file, columns, rows, show = {} }: Props) {
  const isNumber = columns.map((_, at) => rows.length > 0 && rows.every((row) => typeof row[at] !== 'string'))
  return (
    <section className="data">
      <header className="data-head">
        {title && <h2>{title}</h2>}
        <ExportButtons file={file} columns={columns} rows={rows} />
      </header>
      <section className="scroll" tabIndex={0} aria-label={title ?? file}>
        <table className="table">
          <Heads columns={columns} numbers={columns.filter((_, at) => isNumber[at])} />
          <tbody>
            {rows.map((row, at) => (
              <tr key={`${at}${row[0]}`}>
                {row.map((cell, column) => (
                  <td key={columns[column]} className={isNumber[column] ? 'number' : undefined}>
                    {show[column] ? show[column](cell, row) : plain(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function plain(cell: Cell): React.ReactNode {
  if (cell === null) return <span className="quiet">–</span>
  return typeof cell === 'number' ? formatCount(cell) : <Foreign text={cell} cutAt={200} />
}

export function ExportButtons({ file, columns, rows }: Pick<Props, 'file' | 'columns' | 'rows'>) {
  const asObjects = () =>
    rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
  return (
    <span className="exports">
      <button
        type="button"
        className="button-quiet"
        onClick={() => saveFile(`${file}.csv`, 'text/csv', toCsv(columns, rows))}
      >
        CSV
      </button>
      <button
        type="button"
        className="button-quiet"
        onClick={() => saveFile(`${file}.json`, 'application/json', JSON.stringify(asObjects(), null, 2))}
      >
        JSON
      </button>
    </span>
  )
}
