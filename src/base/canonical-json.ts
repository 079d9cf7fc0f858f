/** One byte sequence per value: keys sorted, no white space, `undefined` left out. Hashes are taken over it. */
import { createHash } from 'node:crypto'

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? inOrder(inner) : inner,
  )
}

/** The same object when its keys are sorted already: a large tree has a hundred thousand entries. */
function inOrder(value: object): object {
  const keys = Object.keys(value)
  if (keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** SHA-256 in hex of a string (UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
