/** One tree as the resolvers see it: everything read at most once, asked for in as few round trips as possible. */
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore, FileFacts } from '../contract.ts'
import type { PathIndex, World } from './contract.ts'
import { indexPaths } from './path-index.ts'

/** What another tree knows that this one need not ask for. */
export type Known = {
  /** The paths of this tree, when they are known already. */
  paths?: PathIndex
  /** The world of another tree, and the paths at which this one differs from it. */
  earlier?: { world: World; differs: ReadonlySet<string> }
}

/** `changed`: paths on this side of the files that the change touches. */
export async function openWorld(
  snapshot: RepoSnapshot,
  store: FactStore,
  changed: readonly string[],
  { paths, earlier }: Known = {},
): Promise<World> {
  const world = new TreeWorld(snapshot, store, paths ?? indexPaths(await snapshot.list()), changed)
  if (earlier?.world instanceof TreeWorld) world.take(earlier.world, earlier.differs)
  return world
}

const nothing: Promise<null> = Promise.resolve(null)

class TreeWorld implements World {
  readonly paths: PathIndex
  readonly changed: readonly string[]
  private readonly snapshot: RepoSnapshot
  private readonly store: FactStore
  private readonly files = new Map<string, FileText | null>()
  private readonly known = new Map<string, FileFacts | null>()
  /** Settled promises of the facts above: resolvers ask for the same few files again and again. */
  private readonly settled = new Map<string, Promise<FileFacts | null>>()
  private readonly values = new Map<string, Promise<unknown>>()

  constructor(snapshot: RepoSnapshot, store: FactStore, paths: PathIndex, changed: readonly string[]) {
    this.snapshot = snapshot
    this.store = store
    this.paths = paths
    this.changed = changed.filter((path) => paths.has(path))
  }

  /** What stands at the same path with the same content need not be read again. */
  take(earlier: TreeWorld, differs: ReadonlySet<string>): void {
    for (const [path, file] of earlier.files) if (!differs.has(path)) this.files.set(path, file)
    for (const [path, facts] of earlier.known) if (!differs.has(path)) this.known.set(path, facts)
    for (const [path, facts] of earlier.settled) if (!differs.has(path)) this.settled.set(path, facts)
  }

  facts(path: string): Promise<FileFacts | null> {
    const settled = this.settled.get(path)
    if (settled) return settled
    if (!this.paths.has(path)) return nothing
    if (this.known.has(path)) return this.settle(path)
    return this.parse([path]).then(() => this.settle(path))
  }

  async factsOf(wanted: readonly string[]): Promise<ReadonlyMap<string, FileFacts>> {
    await this.parse(wanted)
    return present(wanted, this.known, (facts) => facts)
  }

  async text(path: string): Promise<string | null> {
    const file = this.files.get(path)
    if (file) return file.text
    await this.load([path])
    return this.files.get(path)?.text ?? null
  }

  async texts(wanted: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await this.load(wanted)
    return present(wanted, this.files, (file) => file.text)
  }

  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const before = this.values.get(key)
    // The key names the type: every caller of one key makes the same kind of value.
    if (before) return before as Promise<T>
    const made = make()
    this.values.set(key, made)
    return made
  }

  private settle(path: string): Promise<FileFacts | null> {
    const settled = Promise.resolve(this.known.get(path) ?? null)
    this.settled.set(path, settled)
    return settled
  }

  private async load(wanted: readonly string[]): Promise<void> {
    const absent = wanted.filter((path) => !this.files.has(path) && this.paths.has(path))
    if (absent.length === 0) return
    const found = await this.snapshot.readMany(absent)
    for (const path of absent) this.files.set(path, found.get(path) ?? null)
  }

  private async parse(wanted: readonly string[]): Promise<void> {
    const missing = wanted.filter((path) => !this.known.has(path))
    if (missing.length === 0) return
    await this.load(missing)
    const readable = [...new Set(missing)].flatMap((path) => {
      const file = this.files.get(path)
      return file ? [{ path, blob: file.blob, text: file.text }] : []
    })
    const found = await this.store.facts(readable)
    for (const path of missing) this.known.set(path, found.get(path) ?? null)
  }
}

function present<From, To>(
  wanted: readonly string[],
  from: ReadonlyMap<string, From | null>,
  pick: (value: From) => To,
): ReadonlyMap<string, To> {
  const found = new Map<string, To>()
  for (const path of wanted) {
    const value = from.get(path)
    if (value) found.set(path, pick(value))
  }
  return found
}
