/** Facts by path that are read when they are asked for, so that those of a whole repository need not be held at once. */
import type { FileFacts } from '../contract.ts'

export class FactMap implements ReadonlyMap<string, FileFacts> {
  private readonly keyOf: ReadonlyMap<string, string>
  private readonly read: (key: string) => FileFacts | null

  /** `keyOf`: the key by path. `read` answers null only when what was there is gone. */
  constructor(keyOf: ReadonlyMap<string, string>, read: (key: string) => FileFacts | null) {
    this.keyOf = keyOf
    this.read = read
  }

  get size(): number {
    return this.keyOf.size
  }

  has(path: string): boolean {
    return this.keyOf.has(path)
  }

  get(path: string): FileFacts | undefined {
    const key = this.keyOf.get(path)
    return key === undefined ? undefined : (this.read(key) ?? undefined)
  }

  keys(): MapIterator<string> {
    return this.keyOf.keys()
  }

  *values(): Generator<FileFacts, undefined> {
    for (const [, facts] of this) yield facts
  }

  *entries(): Generator<[string, FileFacts], undefined> {
    for (const path of this.keyOf.keys()) {
      const facts = this.get(path)
      if (facts) yield [path, facts]
    }
  }

  [Symbol.iterator](): Generator<[string, FileFacts], undefined> {
    return this.entries()
  }

  forEach(each: (facts: FileFacts, path: string, map: ReadonlyMap<string, FileFacts>) => void): void {
    for (const [path, facts] of this) each(facts, path, this)
  }
}
