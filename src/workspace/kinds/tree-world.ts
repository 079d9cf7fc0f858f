/** The files of a repository as the resolvers of the code index see them. Each file is read once. */
import { remembered } from '../../base/remembered.ts'
import type { FileFacts } from '../../code-index/contract.ts'
import type { PathIndex, World } from '../../code-index/resolve/contract.ts'
import { indexPaths } from '../../code-index/resolve/world.ts'
import type { SourceFile, SourceTree } from '../contract.ts'

/** The same for every question about one tree. */
export function worldOf(tree: SourceTree): Promise<World> {
  return remembered(worlds, tree, openTreeWorld)
}

const worlds = new WeakMap<SourceTree, Promise<World>>()

async function openTreeWorld(tree: SourceTree): Promise<World> {
  const paths = await tree.paths()
  return new TreeWorld(
    tree,
    indexPaths(paths.map((path) => ({ path, mode: '100644', blob: '', size: null }))),
  )
}

class TreeWorld implements World {
  readonly paths: PathIndex
  readonly changed: readonly string[] = []
  private readonly tree: SourceTree
  private readonly files = new Map<string, Promise<SourceFile | null>>()
  private readonly values = new Map<string, Promise<unknown>>()

  constructor(tree: SourceTree, paths: PathIndex) {
    this.tree = tree
    this.paths = paths
  }

  async facts(path: string): Promise<FileFacts | null> {
    return (await this.file(path))?.facts ?? null
  }

  async text(path: string): Promise<string | null> {
    return (await this.file(path))?.text ?? null
  }

  factsOf(paths: readonly string[]): Promise<ReadonlyMap<string, FileFacts>> {
    return this.present(paths, ({ facts }) => facts)
  }

  texts(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.present(paths, ({ text }) => text)
  }

  async definers(): Promise<null> {
    return null
  }

  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    // The key names the type: every caller of one key makes the same kind of value.
    return remembered(this.values, key, make) as Promise<T>
  }

  private async file(path: string): Promise<SourceFile | null> {
    if (!this.paths.has(path)) return null
    this.load([path])
    return (await this.files.get(path)) ?? null
  }

  private async present<T>(
    paths: readonly string[],
    pick: (file: SourceFile) => T | null,
  ): Promise<ReadonlyMap<string, T>> {
    this.load(paths)
    const found = new Map<string, T>()
    for (const path of paths) {
      const file = await this.files.get(path)
      const value = file ? pick(file) : null
      if (value !== null) found.set(path, value)
    }
    return found
  }

  /** One round trip for those that were not asked for yet. */
  private load(paths: readonly string[]): void {
    const missing = [...new Set(paths)].filter((path) => !this.files.has(path) && this.paths.has(path))
    if (missing.length === 0) return
    const read = this.tree.read(missing).then((files) => new Map(files.map((file) => [file.path, file])))
    for (const path of missing)
      this.files.set(
        path,
        read.then((files) => files.get(path) ?? null),
      )
  }
}
