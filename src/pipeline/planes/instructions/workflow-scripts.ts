/** Tells whether a line of a workflow is run as a script, from indentation alone. */

const scriptKey = /^\s*(?:-\s+)?(?:run|script)\s*:/
/** `key: |` or `key: >-`: what follows, indented further, is one text. */
const blockKey = /^\s*(?:-\s+)?["']?[\w-]+["']?\s*:\s*[|>][+-]?\d?[+-]?\s*(?:#.*)?$/

/** `index` counts from 0. */
export function isRunAsScript(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (scriptKey.test(line)) return true
  let innermost = indentation(line)
  for (let at = index - 1; at >= 0 && innermost > 0; at--) {
    const above = lines[at] ?? ''
    if (above.trim() === '') continue
    const indent = indentation(above)
    if (indent >= innermost) continue
    if (blockKey.test(above)) return scriptKey.test(above)
    innermost = indent
  }
  return false
}

/** The column of the first word; a dash before it opens a list item and belongs to the indentation. */
function indentation(line: string): number {
  return /^(?:\s|-\s)*/.exec(line)?.[0].length ?? 0
}
