/**
 * Code as a row of tokens, so that it stays the same when it is formatted in another way: white space, line ends, commas,
 * semicolons, brackets around statements and kinds of quotes do not count.
 */
import { sha256 } from '../base/canonical-json.ts'

export type Token = { text: string /** 1-based. */; line: number }

const pattern = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}[\p{L}\p{N}_.]*|[^\s\p{L}\p{N}_$]/gu
const silent: ReadonlySet<string> = new Set([',', ';', '(', ')', '{', '}'])

export function tokensOf(lines: readonly string[], firstLine = 1): Token[] {
  return lines.flatMap((text, at) =>
    (text.match(pattern) ?? []).flatMap((token) =>
      silent.has(token) ? [] : [{ text: token === "'" || token === '`' ? '"' : token, line: firstLine + at }],
    ),
  )
}

/** A cryptographic name of a row of tokens: no other code can be written to have the same one. */
export function substanceOf(tokens: readonly Token[]): string {
  return sha256(tokens.map(({ text }) => text).join('\n')).slice(0, 16)
}

/** To compare with, token by token; other code may have the same. */
export function sketchOf(tokens: readonly Pick<Token, 'text'>[]): string {
  return tokens.map(({ text }) => shortHash(text)).join('')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 18 bits of FNV-1a. Capitals do not count. */
export function shortHash(text: string): string {
  const lower = text.toLowerCase()
  let hash = 0x811c9dc5
  for (let at = 0; at < lower.length; at++) hash = Math.imul(hash ^ lower.charCodeAt(at), 0x01000193)
  const folded = (hash ^ (hash >>> 15)) >>> 0
  return [12, 6, 0].map((shift) => alphabet[(folded >>> shift) & 63]).join('')
}

/** The parts of a sketch, in order. */
export function partsOf(sketch: string): string[] {
  return sketch.match(/.{3}/g) ?? []
}
