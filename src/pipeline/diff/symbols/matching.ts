/** The symbols of both sides, and which of the base is which of the head as far as is known. */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'

/** One symbol on one side of the change. */
export type SideSymbol = {
  /** Path at the head of the changed file it belongs to, so that a renamed file is one file on both sides. */
  file: string
  /** Its true path on its side. */
  path: string
  language: string
  symbol: CodeSymbol
  /** The containing symbol in the same file, or null. */
  parent: SideSymbol | null
  /** The symbols with the same parent right before and behind it. */
  previous: SideSymbol | null
  next: SideSymbol | null
  /** 0 at top level. */
  depth: number
  /** True inside a function, where no other code can use it. */
  local: boolean
  /** Text of the whole definition; empty for symbols that were matched by name. */
  text: string
}

export type Pair = {
  before: SideSymbol
  after: SideSymbol
  /** 0 to 1 when they were found by content, else null. */
  similarity: number | null
}

/** Each step takes the pairs that it recognises; the next one works on what is left in `removed` and `added`. */
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

  /** The symbol of the head that a symbol of the base became; null while unknown. */
  partnerOf(before: SideSymbol): SideSymbol | null {
    return this.partners.get(before) ?? null
  }

  /** True when the two are one symbol, or both are nothing (top level, first, last). */
  arePartners(before: SideSymbol | null, after: SideSymbol | null): boolean {
    return before === null || after === null ? before === after : this.partnerOf(before) === after
  }

  /** Takes pairs of equal keys, in order; ignores symbols without a key. */
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

/** Scope and name, as `Class.method`. */
export function qualifiedName({ symbol }: SideSymbol): string {
  return symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`
}

/** Only symbols of one family can match: a function may become a method, but an accessible symbol not a local one. */
export function familyOf({ language, local, symbol }: SideSymbol): string {
  return `${language}\0${isCallable(symbol) ? 'callable' : symbol.kind}\0${local}`
}

export function isCallable({ kind }: CodeSymbol): boolean {
  return kind === 'function' || kind === 'method'
}

const hashOfEmptyBody = 'e3b0c44298fc1c14'

/** False for declarations without a body, whose body hashes are all alike. */
export function hasBody({ symbol }: SideSymbol): boolean {
  return symbol.bodyHash !== hashOfEmptyBody
}
