/** Finds the JSON object in what a model wrote around it: thoughts, fences, prose. In one pass, whatever the text. */

/** How many objects of one text are tried, the longest first. */
const mostCandidates = 4

/** The spans that may be the answer, best first; the last resort is everything from the first brace on. Empty: no brace. */
export function objectCandidates(text: string): string[] {
  const said = withoutThoughts(text)
  const first = said.indexOf('{')
  if (first === -1) return []
  const whole = balancedSpans(said, first)
    .sort((a, b) => b.length - a.length)
    .slice(0, mostCandidates)
  const last = said.lastIndexOf('}')
  const rest = said.slice(first, last > first ? last + 1 : said.length)
  return whole.includes(rest) ? whole : [...whole, rest]
}

/** Some models write their thoughts into the answer; what they drafted there is not the answer. */
function withoutThoughts(text: string): string {
  const end = text.lastIndexOf('</think>')
  if (end !== -1) return text.slice(end + '</think>'.length)
  const start = text.indexOf('<think>')
  return start === -1 || text.lastIndexOf('{', start) !== -1 ? text : ''
}

/** Top-level `{…}` of the text; braces inside strings do not count. */
function balancedSpans(text: string, from: number): string[] {
  const spans: string[] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = depth > 0
    else if (character === '{') {
      if (depth++ === 0) start = at
    } else if (character === '}' && depth > 0 && --depth === 0) spans.push(text.slice(start, at + 1))
  }
  return spans
}
