/** Go packages are folders: which folder an import path names, and what the files of a folder define. */
import type { FileFacts } from '../../contract.ts'
import type { Definition, World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { symbolsIn } from '../symbols.ts'

export type FoundPackage =
  | { kind: 'folder'; path: string }
  | { kind: 'missing'; path: string }
  | { kind: 'external' }

type Module = { name: string; folder: string }

export async function findPackage(world: World, source: string): Promise<FoundPackage> {
  // The longest module name wins: modules nest.
  const module = (await goModules(world)).find(({ name }) => source === name || source.startsWith(`${name}/`))
  if (!module) return { kind: 'external' }
  const path = joinPath(module.folder, source.slice(module.name.length))
  if (path === null) return { kind: 'external' }
  return goFiles(world, path).length > 0 ? { kind: 'folder', path } : { kind: 'missing', path }
}

/** Facts of the package's files, or null when one of them cannot be read: then nothing is known to be missing. */
export async function packageFacts(
  world: World,
  folder: string,
  packageName: string | null,
): Promise<ReadonlyMap<string, FileFacts> | null> {
  const files = goFiles(world, folder)
  const facts = await world.factsOf(files)
  if (facts.size < files.length) return null
  return new Map([...facts].filter(([, { packageName: own }]) => belongs(own, packageName)))
}

/** Every definition of a name in a scope of the package: one for each platform, at worst. */
export function packageSymbols(
  facts: ReadonlyMap<string, FileFacts>,
  scope: string,
  name: string,
): Definition[] {
  return [...facts].flatMap(([path, own]) => symbolsIn(path, own, scope, name))
}

/** The name that the files of a folder give their package. */
export async function packageNameOf(world: World, folder: string): Promise<string | null> {
  const first = goFiles(world, folder).find((path) => !path.endsWith('_test.go'))
  return first === undefined ? null : ((await world.facts(first))?.packageName ?? null)
}

/** `null` asks for what importers see: not the package of external tests. */
function belongs(own: string | null, wanted: string | null): boolean {
  return wanted === null ? own !== null && !own.endsWith('_test') : own === wanted
}

function goFiles(world: World, folder: string): string[] {
  return world.paths.filesIn(folder).filter((path) => path.endsWith('.go'))
}

function goModules(world: World): Promise<readonly Module[]> {
  return world.once('go modules', async () => {
    const files = world.paths.named('go.mod').filter((path) => !/(^|\/)vendor\//.test(path))
    const found: Module[] = []
    for (const [path, text] of await world.texts(files)) {
      const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1]
      if (name !== undefined) found.push({ name, folder: folderOf(path) })
    }
    return found.sort((a, b) => b.name.length - a.name.length || (a.folder < b.folder ? -1 : 1))
  })
}
