/**
 * A second, independent reading of a patch: a state machine over bytes that knows nothing of the product's parser.
 * It answers one question: which line of which side holds which bytes, by position in the patch.
 */

export type CountedLine = { sign: ' ' | '+' | '-'; old: number; new: number; bytes: Buffer }

/** As the header has them: `@@ -start,lines +start,lines @@`. */
export type CountedHunk = { oldStart: number; oldLines: number; newStart: number; newLines: number }

const [newline, space, plus, minus, backslash, at] = [10, 32, 43, 45, 92, 64]

/** Reads the hunks of one file's patch. Throws when a hunk ends too early or runs too long. */
export function countLines(patch: Buffer): { hunks: CountedHunk[]; lines: CountedLine[] } {
  const lines: CountedLine[] = []
  const hunks: CountedHunk[] = []
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0]
  for (let start = 0; start < patch.length; ) {
    const end = patch.indexOf(newline, start)
    const stop = end === -1 ? patch.length : end
    const first = patch[start]
    if (oldLeft > 0 || newLeft > 0) {
      if (first === backslash) {
        start = stop + 1
        continue
      }
      const sign = first === plus ? '+' : first === minus ? '-' : first === space ? ' ' : null
      if (sign === null) throw new Error(`a hunk line begins with byte ${first}`)
      lines.push({ sign, old: oldLine, new: newLine, bytes: patch.subarray(start + 1, stop) })
      if (sign !== '+') [oldLine, oldLeft] = [oldLine + 1, oldLeft - 1]
      if (sign !== '-') [newLine, newLeft] = [newLine + 1, newLeft - 1]
    } else if (first === at && patch[start + 1] === at) {
      ;[oldLine, oldLeft, newLine, newLeft] = header(patch.toString('latin1', start, stop))
      hunks.push({ oldStart: oldLine, oldLines: oldLeft, newStart: newLine, newLines: newLeft })
    }
    start = stop + 1
  }
  if (oldLeft !== 0 || newLeft !== 0) throw new Error('the last hunk is cut off')
  return { hunks, lines }
}

/** `@@ -a,b +c,d @@` → a, b, c, d; a missing count is 1. */
function header(text: string): [number, number, number, number] {
  const [, before = '', after = ''] = text.split(' ')
  const pair = (part: string): [number, number] => {
    const [start, length = '1'] = part.slice(1).split(',')
    return [Number(start), Number(length)]
  }
  return [...pair(before), ...pair(after)]
}
