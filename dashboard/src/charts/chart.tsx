/** A chart with its figures: drawn, as a table, or as a file. */
import { useState } from 'react'
import { DataTable, ExportButtons } from '../parts/data-table.tsx'
import type { Cell } from '../parts/export.ts'
import { Foreign } from '../parts/foreign.tsx'

type Props = {
  title: string
  /** What is drawn and in which unit, in a sentence. */
  note: string
  file: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** Takes the place of the chart; null when there is something to draw. */
  empty?: string | null
  children: React.ReactNode
}

export function Chart({ title, note, file, columns, rows, empty = null, children }: Props) {
  const [isTable, setIsTable] = useState(false)
  return (
    <section className="chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {empty === null && (
          <span className="exports">
            <button
              type="button"
              className="button-quiet"
              aria-pressed={isTable}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? 'Chart' : 'Table'}
            </button>
            {!isTable && <ExportButtons file={file} columns={columns} rows={rows} />}
          </span>
        )}
      </header>
      <p className="quiet chart-note">{note}</p>
      {empty !== null ? (
        <p className="state state-empty">
          <Foreign text={empty} hasCode />
        </p>
      ) : isTable ? (
        <DataTable file={file} columns={columns} rows={rows} />
      ) : (
        children
      )}
    </section>
  )
}
