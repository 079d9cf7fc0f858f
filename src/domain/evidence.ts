/** A piece of text with its origin, which findings cite by number and quote verbatim. */
import { z } from 'zod'
import { ElsewherePlace } from './workspace.ts'

/**
 * Where the text comes from. `diff` and `file` are code; `workspace` is code of another repository; `history` is counted from
 * commits; `tool` is our own analysis.
 */
export const EvidenceSource = z.enum(['diff', 'file', 'workspace', 'history', 'ticket', 'discussion', 'tool'])

/** `foreign`: written by whoever wrote the change or the repository; `own`: computed by this program. */
export const Trust = z.enum(['foreign', 'own'])

export const EvidenceDraft = z.object({
  source: EvidenceSource,
  trust: Trust,
  /** What it shows, in a few words, for people: `caller of parse()`. */
  title: z.string(),
  path: z.string().nullable(),
  /** Object id of the file the text was read from. */
  blob: z.string().nullable(),
  side: z.enum(['old', 'new']).nullable(),
  /** 1-based, inclusive; null when the text is not a line range of a file. */
  startLine: z.number().int().positive().nullable(),
  endLine: z.number().int().positive().nullable(),
  text: z.string(),
  /** Set for code of another repository, whose `path` is null: it is no path of this one. */
  elsewhere: ElsewherePlace.optional(),
})
export type EvidenceDraft = z.infer<typeof EvidenceDraft>

/** The place of a text that belongs to no lines of a file. */
export const nowhere = { path: null, blob: null, side: null, startLine: null, endLine: null }

export const Evidence = EvidenceDraft.extend({ id: z.string().regex(/^E[1-9]\d*$/) })
export type Evidence = z.infer<typeof Evidence>

/** Numbers evidence in the order it comes, `E1`, `E2` …; the same item is kept once. */
export interface EvidenceBook {
  readonly items: readonly Evidence[]
  /** Its number, old or new. */
  add(item: EvidenceDraft): string
  get(id: string): Evidence | undefined
}

export function openEvidenceBook(known: readonly Evidence[]): EvidenceBook {
  const items = [...known]
  const byId = new Map(items.map((item) => [item.id, item]))
  const idOf = new Map(items.map((item) => [keyOf(item), item.id]))
  // Of a review only what its findings cite is kept, so that ids may have gaps: their number is not the last id.
  let last = items.reduce((most, { id }) => Math.max(most, Number(id.slice(1)) || 0), 0)
  return {
    items,
    get: (id) => byId.get(id),
    add(item) {
      const key = keyOf(item)
      const old = idOf.get(key)
      if (old !== undefined) return old
      const numbered = { id: `E${++last}`, ...item }
      items.push(numbered)
      byId.set(numbered.id, numbered)
      idOf.set(key, numbered.id)
      return numbered.id
    },
  }
}

function keyOf({ source, trust, title, path, blob, side, startLine, endLine, text }: EvidenceDraft): string {
  return JSON.stringify([source, trust, title, path, blob, side, startLine, endLine, text])
}

/**
 * The item that has the quoted words: the one of this id, or another of its file and side, as a prompt shows these under one number.
 * The one of this id where none has them.
 */
export function itemWithWords(
  items: readonly Evidence[],
  id: string,
  holds: (item: Evidence) => boolean,
): Evidence | undefined {
  const named = items.find((item) => item.id === id)
  if (!named || holds(named) || named.path === null) return named
  const { path, side } = named
  return items.find((item) => item.path === path && item.side === side && holds(item)) ?? named
}
