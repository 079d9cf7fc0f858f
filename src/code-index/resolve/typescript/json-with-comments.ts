/** JSON as tsconfig.json has it: comments and trailing commas allowed. Null for anything that is no JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(withoutTrailingCommas(withoutComments(text)))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function withoutComments(text: string): string {
  return outsideStrings(text, (rest) => {
    if (rest.startsWith('//')) return Math.max(0, rest.search(/\n|$/))
    if (!rest.startsWith('/*')) return 0
    const end = rest.indexOf('*/')
    return end < 0 ? rest.length : end + 2
  })
}

function withoutTrailingCommas(text: string): string {
  return outsideStrings(text, (rest) => (/^,\s*[}\]]/.test(rest) ? 1 : 0))
}

/** Leaves out what `skip` says, in characters, at each position that is not inside a string. */
function outsideStrings(text: string, skip: (rest: string) => number): string {
  let kept = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (quoted) {
      kept += character
      if (character === '\\') kept += text.charAt(++at)
      else if (character === '"') quoted = false
      continue
    }
    // Only these start something to leave out; the slice below would be costly at every character.
    const length = character === '/' || character === ',' ? skip(text.slice(at, at + 4_000)) : 0
    if (length > 0) at += length - 1
    else {
      kept += character
      quoted = character === '"'
    }
  }
  return kept
}
