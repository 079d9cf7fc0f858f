/** One tree as the resolvers see it: everything read at most once, asked for in as few round trips as possible. */
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore, FileFacts } from '../contract.ts'
import type { World } from './contract.ts'
import { indexPaths } from './path-index.ts'

/** `changed`: paths on this side of the files that the change touches. */
export async function openWorld(
  snapshot: RepoSnapshot,
  store: FactStore,
  changed: readonly string[],
): Promise<World> {
  const paths = indexPaths(await snapshot.list())
  const files = new Map<string, FileText | null>()
  const factsByPath = new Map<string, FileFacts | null>()
  const values = new Map<string, Promise<unknown>>()

  const load = async (wanted: readonly string[]): Promise<void> => {
    const absent = [...new Set(wanted)].filter((path) => !files.has(path) && paths.has(path))
    if (absent.length === 0) return
    const found = await snapshot.readMany(absent)
    for (const path of absent) files.set(path, found.get(path) ?? null)
  }
  const parse = async (wanted: readonly string[]): Promise<void> => {
    await load(wanted)
    const missing = [...new Set(wanted)].filter((path) => !factsByPath.has(path))
    if (missing.length === 0) return
    const readable = missing.flatMap((path) => {
      const file = files.get(path)
      return file ? [{ path, blob: file.blob, text: file.text }] : []
    })
    const found = await store.facts(readable)
    for (const path of missing) factsByPath.set(path, found.get(path) ?? null)
  }

  return {
    paths,
    changed: changed.filter((path) => paths.has(path)),
    async facts(path) {
      await parse([path])
      return factsByPath.get(path) ?? null
    },
    async factsOf(wanted) {
      await parse(wanted)
      return known(wanted, factsByPath, (facts) => facts)
    },
    async text(path) {
      await load([path])
      return files.get(path)?.text ?? null
    },
    async texts(wanted) {
      await load(wanted)
      return known(wanted, files, (file) => file.text)
    },
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const before = values.get(key)
      // The key names the type: every caller of one key makes the same kind of value.
      if (before) return before as Promise<T>
      const made = make()
      values.set(key, made)
      return made
    },
  }
}

function known<From, To>(
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
