/**
 * Values and versions that a change replaces by others: a line whose old and new text differ in one number, text, switch or
 * version. All of it is read off the diff.
 */
import type { DiffLine, FileChange } from '../../domain/change-set.ts'

export type ChangedValue = {
  path: string
  /** Of the head, 1-based. */
  line: number
  /** What has the value: `maxRetries`, `actions/checkout`; empty when the line does not say. */
  name: string
  before: string
  after: string
}

const mostLines = 5_000
const longestLine = 300

const told: ReadonlySet<FileChange['role']> = new Set(['source', 'config', 'data'])

/** In the order of the files and their lines. Tests, locks, generated files and documents are left out. */
export function changedValues(files: readonly FileChange[]): ChangedValue[] {
  return files
    .filter(({ role, kind }) => told.has(role) && kind === 'text')
    .flatMap(({ path, hunks }) =>
      hunks
        .flatMap(({ lines }) => pairsOf(lines.slice(0, mostLines)))
        .flatMap(([before, after]) => {
          const value = before.text === after.text ? null : valueIn(before.text, after.text)
          return value ? [{ path, line: after.new ?? 1, ...value }] : []
        }),
    )
}

/** Removed lines with the added lines that stand in their place: as many of the one as of the other, in one block. */
function pairsOf(lines: readonly DiffLine[]): [DiffLine, DiffLine][] {
  const pairs: [DiffLine, DiffLine][] = []
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []]
  const endBlock = (): void => {
    if (removed.length === added.length)
      for (const [at, before] of removed.entries()) {
        const after = added[at]
        if (after) pairs.push([before, after])
      }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'context' || (line.kind === 'removed' && added.length > 0)) endBlock()
    if (line.kind === 'removed') removed.push(line)
    if (line.kind === 'added') added.push(line)
  }
  endBlock()
  return pairs
}

type Value = Pick<ChangedValue, 'name' | 'before' | 'after'>

function valueIn(before: string, after: string): Value | null {
  if (before.length > longestLine || after.length > longestLine) return null
  if (/^\s*(?:#|\/\/|\/?\*|<!--)/.test(after)) return null
  return pinnedAction(before, after) ?? singleValue(before, after)
}

const pinned = /uses:\s*['"]?([\w./-]{1,100})@[0-9a-f]{40}['"]?\s*#\s*(v?\d[\w.-]{0,30})\s*$/

/** `uses: actions/checkout@8f4b… # v4.1.0`, where the hash and the comment change together. */
function pinnedAction(before: string, after: string): Value | null {
  const [old, now] = [pinned.exec(before), pinned.exec(after)]
  if (!old || !now || old[1] !== now[1] || old[2] === now[2]) return null
  return { name: now[1] ?? '', before: old[2] ?? '', after: now[2] ?? '' }
}

const ofValue = /[\w.+~^-]/
const value = /^(?:[~^]?v?\d[\w.+-]{0,40}|true|false|True|False|null|nil|None)$/
const quotes = `"'\``

/** The only token, or the only text between quotes, in which the two lines differ. */
function singleValue(before: string, after: string): Value | null {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  while (start > 0 && ofValue.test(before[start - 1] ?? '')) start--
  while (end > 0 && ofValue.test(before[before.length - end] ?? '')) end--
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (old === now) return null
  const isQuoted =
    quotes.includes(before[start - 1] ?? ' ') && before[start - 1] === before[before.length - end]
  const isText = isQuoted && [old, now].every((text) => /^[\w./:@ +~^-]{1,60}$/.test(text))
  if (!isText && ![old, now].every((text) => value.test(text))) return null
  return { name: nameBefore(after.slice(0, start)), before: old, after: now }
}

const between = /[\s"'`:=@(<>~^]/
const ofName = /[\w$./@-]/

/** The word that the value follows: `"undici": "`, `uses: actions/checkout@`, `const limit = `. */
function nameBefore(text: string): string {
  let end = text.length
  while (end > 0 && between.test(text[end - 1] ?? '')) end--
  let start = end
  while (start > 0 && ofName.test(text[start - 1] ?? '')) start--
  return text.slice(start, end)
}
