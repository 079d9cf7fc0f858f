/** The heads of a table's columns; those named under `numbers` stand on the right, as their cells do. */
export function Heads({
  columns,
  numbers = [],
}: {
  columns: readonly string[]
  numbers?: readonly string[]
}) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col" className={numbers.includes(column) ? 'number' : undefined}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  )
}
