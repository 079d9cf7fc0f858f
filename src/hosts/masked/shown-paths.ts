/** Paths as they are shown: a token in the name of a file or folder is masked like one in its text. */
import { redactText } from '../../base/secrets/redact.ts'

export class ShownPaths {
  private readonly realOf = new Map<string, string>()
  private readonly shownOf = new Map<string, string>()

  /** Two paths are never shown alike. */
  shown(path: string): string {
    const known = this.shownOf.get(path)
    if (known !== undefined) return known
    const masked = redactText(path)
    if (masked === path) return path
    let name = masked
    for (let number = 2; this.realOf.has(name); number++) name = `${masked}~${number}`
    this.realOf.set(name, path)
    this.shownOf.set(path, name)
    return name
  }

  /** One search for all: a list of files is long, and hardly ever holds a secret. */
  shownAll<Item>(
    items: readonly Item[],
    pathOf: (item: Item) => string,
    put: (item: Item, path: string) => Item,
  ) {
    const all = items.map(pathOf).join('\n')
    if (redactText(all) === all) return items
    return items.map((item) => {
      const [path, shown] = [pathOf(item), this.shown(pathOf(item))]
      return shown === path ? item : put(item, shown)
    })
  }

  real(path: string): string {
    return this.realOf.get(path) ?? path
  }
}
