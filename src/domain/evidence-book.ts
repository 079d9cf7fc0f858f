/** Numbers evidence in the order it comes, `E1`, `E2` …; the same item is kept once. */
import type { Evidence, EvidenceDraft } from './evidence.ts'

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
  return {
    items,
    get: (id) => byId.get(id),
    add(item) {
      const key = keyOf(item)
      const old = idOf.get(key)
      if (old !== undefined) return old
      const numbered = { id: `E${items.length + 1}`, ...item }
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
