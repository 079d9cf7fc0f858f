/**
 * One tree as the resolvers see it: its paths, and everything read or looked up at most once, in as few round trips as
 * possible.
 */
import { fileNameOf, folderOf } from '../../base/file-paths.ts'
import { remembered as made, oncePer } from '../../base/remembered.ts'
import type { FileText, RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { FactStore, FileFacts } from '../contract.ts'
import type { Language, PathIndex, World } from './contract.ts'

type Source = Pick<RepoSnapshot, 'list' | 'readMany'>
type Facts = Pick<FactStore, 'facts' | 'kept'>

/** What is known of a tree already. */
export type Known = {
  /** The paths of this tree, when they are known already. */
  paths?: PathIndex
  /** As in `World`. */
  definers?: ((name: string) => Promise<readonly string[]>) | undefined
}

/** `changed`: paths of the files that the change touches, by their names on this side. */
export async function openWorld(
  snapshot: Source,
  store: Facts,
  changed: readonly string[],
  { paths, definers }: Known = {},
): Promise<World> {
  return new TreeWorld(snapshot, store, paths ?? indexPaths(await snapshot.list()), changed, definers)
}

const nothing: Promise<null> = Promise.resolve(null)
const none: ReadonlyMap<string, FileFacts> = new Map()

/** Bytes. What is larger may be too large for the limits of a review, which only reading tells. */
const anyLimit = 64 * 1024

class TreeWorld implements World {
  readonly paths: PathIndex
  readonly changed: readonly string[]
  private readonly snapshot: Source
  private readonly store: Facts
  private readonly files = new Map<string, FileText | null>()
  private readonly known = new Map<string, FileFacts | null>()
  /** Settled promises of the facts above: resolvers ask for the same few files again and again. */
  private readonly settled = new Map<string, Promise<FileFacts | null>>()
  private readonly values = new Map<string, Promise<unknown>>()

  private readonly ask: Known['definers']

  constructor(
    snapshot: Source,
    store: Facts,
    paths: PathIndex,
    changed: readonly string[],
    definers: Known['definers'],
  ) {
    this.ask = definers
    this.snapshot = snapshot
    this.store = store
    this.paths = paths
    this.changed = changed
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

  definers(name: string): Promise<readonly string[] | null> {
    const { ask } = this
    return ask ? this.once(`definers ${name}`, () => ask(name)) : nothing
  }

  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    // The key names the type: every caller of one key makes the same kind of value.
    return made(this.values, key, make) as Promise<T>
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
    const kept = this.keptOf(missing)
    const others = missing.filter((path) => !kept.has(path))
    await this.load(others)
    const readable = [...new Set(others)].flatMap((path) => {
      const file = this.files.get(path)
      return file ? [{ path, blob: file.blob, text: file.text }] : []
    })
    const found = readable.length > 0 ? await this.store.facts(readable) : none
    for (const path of missing) this.known.set(path, kept.get(path) ?? found.get(path) ?? null)
  }

  /** What the store has of blobs that any limit lets through. Texts of files that only pass on a name are never needed. */
  private keptOf(paths: readonly string[]): ReadonlyMap<string, FileFacts> {
    const { store } = this
    if (!store.kept) return none
    return store.kept(
      paths.flatMap((path) => {
        const entry = this.files.has(path) ? null : this.paths.entry(path)
        return entry?.size && entry.size <= anyLimit ? [{ path, ...entry }] : []
      }),
    )
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

// Questions about the paths of a tree, answered from one listing.

/** Symbolic links and submodules are left out: they have no text of their own. */
export function indexPaths(entries: readonly TreeEntry[]): PathIndex {
  const { places, folders, byFolder, byName, byLastFolder } = namesIn(entries)
  const entryAt = (path: string) => entries[places.get(path) ?? -1] ?? null
  return {
    has: (path) => places.has(path),
    entry: entryAt,
    hasFolder: (folder) => folders.has(folder),
    filesIn: (folder) => byFolder.get(folder) ?? [],
    named: (baseName) => byName.get(baseName) ?? [],
    largerThan: (bytes) =>
      entries
        .filter((entry, place) => places.get(entry.path) === place && sizeOf(entry) > bytes)
        .sort((a, b) => sizeOf(b) - sizeOf(a))
        .map(({ path }) => path),
    foldersEndingWith: (suffix) =>
      (byLastFolder.get(fileNameOf(suffix)) ?? []).filter(
        (folder) => folder === suffix || folder.endsWith(`/${suffix}`),
      ),
  }
}

/** What the names alone tell, whatever the files hold. */
type Names = {
  /** Of the last entry of each path. */
  places: ReadonlyMap<string, number>
  folders: ReadonlySet<string>
  byFolder: ReadonlyMap<string, readonly string[]>
  byName: ReadonlyMap<string, readonly string[]>
  byLastFolder: ReadonlyMap<string, readonly string[]>
}

/** Both sides of a change, and the same tree after the next key, have mostly the same names. */
const latest: { entries: readonly TreeEntry[]; names: Names }[] = []
const mostLatest = 2

function namesIn(entries: readonly TreeEntry[]): Names {
  const known = latest.find((one) => haveSameNames(one.entries, entries))
  if (known) return known.names
  const names = readNames(entries)
  latest.unshift({ entries, names })
  latest.length = Math.min(latest.length, mostLatest)
  return names
}

function haveSameNames(some: readonly TreeEntry[], others: readonly TreeEntry[]): boolean {
  if (some.length !== others.length) return false
  return some.every((one, at) => {
    const other = others[at]
    return one === other || (other && one.path === other.path && isFile(one) === isFile(other))
  })
}

function readNames(entries: readonly TreeEntry[]): Names {
  const places = new Map<string, number>()
  const byFolder = new Map<string, string[]>()
  const byName = new Map<string, string[]>()
  for (const [place, entry] of entries.entries()) {
    const { path } = entry
    if (!isFile(entry)) continue
    places.set(path, place)
    made(byFolder, folderOf(path), newList).push(path)
    made(byName, fileNameOf(path), newList).push(path)
  }
  const folders = new Set<string>([''])
  for (const folder of byFolder.keys())
    for (let at = folder; at !== '' && !folders.has(at); at = folderOf(at)) folders.add(at)
  const byLastFolder = Map.groupBy([...folders].sort(), (folder) => fileNameOf(folder))
  return { places, folders, byFolder, byName, byLastFolder }
}

const newList = (): string[] => []

function isFile({ mode }: TreeEntry): boolean {
  return mode.startsWith('100')
}

function sizeOf({ size }: TreeEntry): number {
  return size ?? Number.MAX_SAFE_INTEGER
}

/** How many folders two paths have in common from the root on. */
export function sharedFolders(one: string, two: string): number {
  const [a, b] = [folderOf(one).split('/'), folderOf(two).split('/')]
  const differs = a.findIndex((part, index) => part !== b[index])
  return differs < 0 ? a.length : differs
}

/** Joins and normalises; null when the result climbs out of the tree. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

// What was looked up once in a world need not be looked up again. An answer is kept when it has come, never while it
// is on its way, so a lookup that leads back to itself does not wait for itself.

/** Answers kept for one owner in one world; past this all of them are let go. */
const mostKept = 200_000

type Kept = Map<string, Promise<unknown>>

/** `kind` names the type of the answer and `key` everything, besides `owner` and the world, that it depends on. */
export function remembered<T>(
  world: World,
  owner: object,
  kind: string,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const kept = keptIn(world)(owner)
  const full = `${kind} ${key}`
  const known = kept.get(full)
  // Every caller of one kind makes the same type of value.
  if (known) return known as Promise<T>
  const made = make()
  return made.then((value) => {
    if (kept.size >= mostKept) kept.clear()
    kept.set(full, made)
    return value
  })
}

/** The same language, with its answers to five questions remembered: of one file, another language may say something else. */
export function rememberingLanguage(language: Language): Language {
  const [own = ''] = language.ids
  return {
    ...language,
    name: (world, place, name) =>
      remembered(world, place.facts, `${own} name`, `${place.enclosing} ${name} ${place.path}`, () =>
        language.name(world, place, name),
      ),
    imported: (world, place, fact) =>
      remembered(world, fact, `${own} import`, place.path, () => language.imported(world, place, fact)),
    moduleMember: (world, module, name, from) =>
      // Where several files may be meant, the nearest one is.
      remembered(
        world,
        world,
        `${own} member`,
        `${name}\n${module.name}\n${module.path}\n${folderOf(from.path)}`,
        () => language.moduleMember(world, module, name, from),
      ),
    ownMembers: (world, type, name, ofInstance) =>
      remembered(world, type.facts, `${own} own`, `${type.index} ${ofInstance} ${name} ${type.path}`, () =>
        language.ownMembers(world, type, name, ofInstance),
      ),
    baseTypes: (world, type) =>
      remembered(world, type.facts, `${own} bases`, `${type.index} ${type.path}`, () =>
        language.baseTypes(world, type),
      ),
  }
}

const keptIn = oncePer((_: World) => oncePer((_owner: object): Kept => new Map()))
