/** One byte sequence per value: keys sorted, no white space, `undefined` left out. Hashes are taken over it. */

import { createHash, type Hash } from 'node:crypto'
import { compareText } from './compare-text.ts'

export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value))
}

/**
 * The same value when its keys are sorted already: a large change has hundreds of thousands of lines, and `JSON.stringify`
 * takes far longer for them when it has to ask a function about each value.
 */
function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return inOrder(value.toJSON(''))
  const keys = Object.keys(value)
  let replaced: Map<string, unknown> | null = null
  for (const key of keys) {
    const inner: unknown = Reflect.get(value, key)
    const ordered = inOrder(inner)
    if (ordered === inner) continue
    replaced ??= new Map()
    replaced.set(key, ordered)
  }
  const isSorted =
    Array.isArray(value) || keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
  if (isSorted && !replaced) return value
  const entryOf = (key: string): [string, unknown] => [
    key,
    replaced?.has(key) ? replaced.get(key) : Reflect.get(value, key),
  ]
  if (Array.isArray(value)) return value.map((item, index) => replaced?.get(String(index)) ?? item)
  return Object.fromEntries(keys.sort().map(entryOf))
}

/** How many levels of objects and arrays are taken apart: a change, its files, and what each of them has. */
const piecedLevels = 4

/** Adds the canonical JSON of `value` to `hash` in pieces, so that the text of a large value is never held as a whole. */
export function updateCanonically(hash: Hash, value: unknown, levels = piecedLevels): void {
  const isPlain = value !== null && typeof value === 'object' && !('toJSON' in value)
  if (!isPlain || levels === 0) hash.update(canonicalJson(value))
  else if (Array.isArray(value)) {
    hash.update('[')
    for (const [index, item] of value.entries()) {
      if (index > 0) hash.update(',')
      updateCanonically(hash, item ?? null, levels - 1)
    }
    hash.update(']')
  } else {
    let separator = '{'
    const sorted = Object.entries(value).sort(([a], [b]) => compareText(a, b))
    // As an object has them: keys that are whole numbers stand first in it, whatever their order was.
    for (const [key, inner] of Object.entries(Object.fromEntries(sorted))) {
      if (inner === undefined) continue
      hash.update(`${separator}${JSON.stringify(key)}:`)
      updateCanonically(hash, inner, levels - 1)
      separator = ','
    }
    hash.update(separator === '{' ? '{}' : '}')
  }
}

/** SHA-256 in hex of a string (UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
