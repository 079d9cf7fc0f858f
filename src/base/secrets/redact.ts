/** Takes secrets out of text that leaves the program. */
import { findByOwnPatterns, findSecrets } from './find-secrets.ts'

/** Characters that stay, so that the owner can tell which secret it is. */
const shownCharacters = 4

/** Stands between the strings when they are searched together; no secret spans it. */
const separator = '\n\u0000\n'

/** The text with every secret shortened to its first characters and an ellipsis. */
export async function redactText(text: string): Promise<string> {
  return (await redactAll([text]))[0] ?? ''
}

/** The same value with all its strings redacted; keys of objects stay. */
export async function redactStrings<Value>(value: Value): Promise<Value> {
  const distinct = new Set<string>()
  visit(value, (text) => void distinct.add(text))
  const texts = [...distinct]
  const clean = await redactAll(texts)
  const redacted = new Map(
    texts.flatMap((text, index) => (clean[index] === text ? [] : [[text, clean[index]]])),
  )
  if (redacted.size === 0) return value
  return JSON.parse(
    JSON.stringify(value, (_key, inner) =>
      typeof inner === 'string' ? (redacted.get(inner) ?? inner) : inner,
    ),
  )
}

/** One search over all texts: the search has a fixed cost that thousands of short strings would pay each. */
async function redactAll(texts: readonly string[]): Promise<string[]> {
  const joined = texts.join(separator)
  let clean = ''
  let at = 0
  for (const { start, end } of await search(joined)) {
    const shown = start + Math.min(shownCharacters, end - start)
    clean += `${joined.slice(at, shown)}…`
    at = end
  }
  const parts = (clean + joined.slice(at)).split(separator)
  // A match that swallowed a separator would shift the texts: then each is searched alone.
  if (parts.length === texts.length) return parts
  return texts.length === 1 ? [clean + joined.slice(at)] : Promise.all(texts.map(redactText))
}

/** A review is not lost for a fault in the library: our own patterns still hold. */
async function search(text: string) {
  return findSecrets('', text).catch(() => findByOwnPatterns(text))
}

function visit(value: unknown, onString: (text: string) => void): void {
  if (typeof value === 'string') onString(value)
  else if (Array.isArray(value)) for (const item of value) visit(item, onString)
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) visit(item, onString)
}
