/**
 * The few lines that could hold a token: those with a long run of characters that tokens are made of. Reading every
 * character once in a table is several times cheaper than asking every form of every line.
 */

/** Long enough to be a token, or part of an assignment that gives one. */
const leastRun = 12
/** A shorter run without a digit is a word. */
const leastWithoutDigit = 20
/** Of a long line so much is taken on either side of a run: minified files have a single line. */
const reach = 300

const lineFeed = 10

const other = 0
const character = 1
const digit = 2

const kinds = new Uint8Array(128)
for (let code = 33; code < 127; code++)
  kinds[code] = '"\'`()<>{}[],;|'.includes(String.fromCharCode(code)) ? other : character
for (let code = 48; code < 58; code++) kinds[code] = digit

export type CandidateLines = {
  /** Joined by line feeds. */
  text: string
  /** Where an offset of `text` stands in the whole. */
  offsetOf(at: number): number
}

export function candidateLines(whole: string): CandidateLines {
  const [starts, offsets, parts]: [number[], number[], string[]] = [[], [], []]
  let length = 0
  let taken = 0
  let lineStart = 0
  const take = (runStart: number, runEnd: number): void => {
    const start = Math.max(lineStart, runStart - reach, taken)
    const newline = whole.slice(runEnd, runEnd + reach).indexOf('\n')
    const end = newline < 0 ? Math.min(whole.length, runEnd + reach) : runEnd + newline
    if (end <= taken) return
    // What goes on where the last piece ended is joined to it without a break.
    const separator = start === taken && parts.length > 0 ? '' : '\n'
    length += separator.length
    parts.push(separator, whole.slice(start, end))
    starts.push(length)
    offsets.push(start)
    length += end - start
    taken = end
  }
  let run = 0
  let digits = 0
  for (let at = 0; at <= whole.length; at++) {
    const code = at < whole.length ? whole.charCodeAt(at) : lineFeed
    const kind = kinds[code] ?? other
    if (kind !== other) {
      run++
      if (kind === digit) digits++
      continue
    }
    if (run >= leastWithoutDigit || (run >= leastRun && digits > 0)) take(at - run, at)
    run = 0
    digits = 0
    if (code === lineFeed) lineStart = at + 1
  }
  return {
    text: parts.join(''),
    offsetOf(at) {
      let [low, high] = [0, starts.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= at) low = middle
        else high = middle - 1
      }
      return (offsets[low] ?? 0) + at - (starts[low] ?? 0)
    },
  }
}
