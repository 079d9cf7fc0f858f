/** Takes secrets out of text: all but the first characters of a token, all of a password or key, become an ellipsis. */
import type { SecretMatch, TextRange } from './contract.ts'
import { findSecrets } from './find-secrets.ts'

export const mask = '…'

/** Stands between strings that are searched together; a match that spans it is not a secret. */
const separator = '\n\u0000\n'

/** Strings of so many characters are searched together: the copy that is searched stays small. */
const joinedCharacters = 1_000_000

/** The text with every secret masked; the number of lines stays. Masking what is masked changes nothing. */
export function redactText(text: string): string {
  return maskRanges(text, hiddenOf(findSecrets(text)))
}

/** The text without values that are known to be secrets, whatever their form; the longest come first. */
export function withoutValues(text: string, values: readonly string[]): string {
  return values.reduce((rest, value) => (value === '' ? rest : rest.replaceAll(value, mask)), text)
}

export function hiddenOf(matches: readonly SecretMatch[]): TextRange[] {
  return matches.flatMap(({ hidden }) => hidden)
}

/** `ranges` in order and without overlaps. */
export function maskRanges(text: string, ranges: readonly TextRange[]): string {
  let clean = ''
  let at = 0
  for (const { start, end } of ranges) {
    if (end <= start) continue
    clean += `${text.slice(at, start)}${mask}`
    at = end
  }
  return clean + text.slice(at)
}

/** The same value with all its strings redacted; keys of objects stay. The very same object when nothing is found. */
export function redactStrings<Value>(value: Value): Value {
  const distinct = new Set<string>()
  visit(value, (text) => void distinct.add(text))
  const texts = [...distinct]
  const clean = redactAll(texts)
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

/** What is searched together: a search has a fixed cost that thousands of short strings would pay each. */
export function* joinForSearch(texts: Iterable<string>): Generator<string> {
  let group: string[] = []
  let length = 0
  for (const text of texts) {
    group.push(text)
    length += text.length
    if (length < joinedCharacters) continue
    yield group.join(separator)
    group = []
    length = 0
  }
  if (group.length > 0) yield group.join(separator)
}

function redactAll(texts: readonly string[]): string[] {
  const parts: string[] = []
  for (const joined of joinForSearch(texts))
    for (const part of redactText(joined).split(separator)) parts.push(part)
  // A match that swallowed a separator would shift the texts: then each is searched alone.
  return parts.length === texts.length ? parts : texts.map(redactText)
}

function visit(value: unknown, onString: (text: string) => void): void {
  if (typeof value === 'string') onString(value)
  else if (Array.isArray(value)) for (const item of value) visit(item, onString)
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) visit(item, onString)
}
