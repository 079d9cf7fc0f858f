/**
 * The tag on every diff line that a model or a plane may cite: `[L42#k7f]` is line 42 of the head,
 * `[O41#2qd]` is line 41 of the base. The hash makes a stale or guessed number fail the anchor check.
 */
import { hash as digest } from 'node:crypto'
import type { DiffLine, Side } from './change-set.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Three base-36 characters (46,656 values) of the SHA-256 of the line without its line feed. */
export function lineHash(text: string): string {
  // The first four bytes. In one call, and as hex: several times faster than a hash object per line.
  let value = Number.parseInt(digest('sha256', text).slice(0, 8), 16) % 46_656
  let hash = ''
  for (let i = 0; i < 3; i++) {
    hash = alphabet[value % 36] + hash
    value = Math.floor(value / 36)
  }
  return hash
}

export function formatTag(side: Side, line: number, hash: string): string {
  return `${side === 'new' ? 'L' : 'O'}${line}#${hash}`
}

/** The tag a diff line carries: its new number where it has one, else its old number. */
export function tagOf(line: DiffLine): string {
  if (line.new !== null) return formatTag('new', line.new, line.hash)
  return formatTag('old', line.old ?? 0, line.hash)
}

/** A tag or number as a model gives it: `L42#k7f` or `E3`, also where it copied the brackets around it. */
export function bareId(id: string): string {
  return id.trim().replace(/^\[(.*)\]$/, '$1')
}

export type ParsedTag = { side: Side; line: number; hash: string }

/** Reads `L42#k7f`, with or without square brackets; null when it is not a tag. */
export function parseTag(tag: string): ParsedTag | null {
  const match = /^\[?([LO])(\d{1,9})#([0-9a-z]{3})\]?$/.exec(tag)
  if (!match) return null
  const [, letter, digits = '', hash = ''] = match
  return { side: letter === 'L' ? 'new' : 'old', line: Number(digits), hash }
}

/**
 * The tag of a changed file as a whole: `F#k7f`, with the hash of its path. For what has no line of its own: a
 * binary file, a rename, a mode, a file name.
 */
export function formatFileTag(path: string): string {
  return `F#${lineHash(path)}`
}

/** True when the tag, with or without square brackets, is the one of the file at `path`. */
export function isFileTag(tag: string, path: string): boolean {
  return tag.replace(/^\[(.*)\]$/, '$1') === formatFileTag(path)
}
