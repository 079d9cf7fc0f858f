/** Which symbol of the base is which symbol of the head, as far as is known. */
import type { SideSymbol } from './side.ts'

export type Pair = {
  before: SideSymbol
  after: SideSymbol
  /** 0 to 1 when they were found by content, else null. */
  similarity: number | null
}

/** Each step takes what it recognises; what is left in `removed` and `added` is for the next. */
export class Matching {
  readonly pairs: Pair[] = []
  /** In the order of files and lines. */
  readonly removed = new Set<SideSymbol>()
  readonly added = new Set<SideSymbol>()
  private readonly partners = new Map<SideSymbol, SideSymbol>()

  take(before: SideSymbol, after: SideSymbol, similarity: number | null = null): void {
    this.removed.delete(before)
    this.added.delete(after)
    this.partners.set(before, after)
    this.pairs.push({ before, after, similarity })
  }

  /** What became of a symbol of the base; null while unknown. */
  partnerOf(before: SideSymbol): SideSymbol | null {
    return this.partners.get(before) ?? null
  }

  /** True when the two are one symbol, or both are nothing (top level, first, last). */
  arePartners(before: SideSymbol | null, after: SideSymbol | null): boolean {
    return before === null || after === null ? before === after : this.partnerOf(before) === after
  }

  /** Takes pairs of equal keys, in order; symbols without a key are left alone. */
  takeByKey(
    removed: Iterable<SideSymbol>,
    added: Iterable<SideSymbol>,
    keyOf: (side: SideSymbol) => string | null,
    similarity: number | null = null,
  ): void {
    const waiting = Map.groupBy(added, keyOf)
    const next = new Map<string, number>()
    for (const before of [...removed]) {
      const key = keyOf(before)
      if (key === null) continue
      const at = next.get(key) ?? 0
      const after = waiting.get(key)?.[at]
      if (!after) continue
      next.set(key, at + 1)
      this.take(before, after, similarity)
    }
  }
}
