/** Tells which lines of a workflow are run as a script, from indentation alone. */

const scriptKey = /^\s*(?:-\s+)?(?:run|script)\s*:/
/** `key: |` or `key: >-`: what follows, indented further, is one text. */
const blockKey = /^\s*(?:-\s+)?["']?[\w-]+["']?\s*:\s*[|>][+-]?\d?[+-]?\s*(?:#.*)?$/

/**
 * Whether each line is run, by its index from 0; a blank one never is. Each line is compared with those it stands in
 * once: looking up from every line would be quadratic in a file of equal indentation.
 */
export function scriptLines(lines: readonly string[]): boolean[] {
  const above: { line: string; indent: number; isHeld: boolean }[] = []
  return lines.map((line) => {
    if (line.trim() === '') return false
    const indent = indentation(line)
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const parent = above.at(-1)
    const isHeld =
      parent !== undefined && (blockKey.test(parent.line) ? scriptKey.test(parent.line) : parent.isHeld)
    above.push({ line, indent, isHeld })
    return isHeld || scriptKey.test(line)
  })
}

/** The column of the first word; a dash before it opens a list item and belongs to the indentation. */
function indentation(line: string): number {
  return /^(?:\s|-\s)*/.exec(line)?.[0].length ?? 0
}
