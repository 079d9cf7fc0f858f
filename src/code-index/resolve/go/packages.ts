/** Go packages are folders: which folder an import path names, and what the files of a folder define. */
import type { Definition, World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { symbolsIn } from '../symbols.ts'

export type FoundPackage =
  | { kind: 'folder'; path: string }
  | { kind: 'missing'; path: string }
  | { kind: 'external' }

export type GoPackage = {
  /** Every definition of a name in a scope: one for each platform, at worst. */
  named(scope: string, name: string): Definition[]
}

type Module = { name: string; folder: string }

export async function findPackage(world: World, source: string): Promise<FoundPackage> {
  // The longest module name wins: modules nest.
  const module = (await goModules(world)).find(({ name }) => source === name || source.startsWith(`${name}/`))
  if (!module) return { kind: 'external' }
  const path = joinPath(module.folder, source.slice(module.name.length))
  if (path === null) return { kind: 'external' }
  return goFiles(world, path).length > 0 ? { kind: 'folder', path } : { kind: 'missing', path }
}

/** What a package defines, by name; null when a file of its folder cannot be read: then nothing is known to be missing. */
export function packageSymbols(
  world: World,
  folder: string,
  packageName: string | null,
): Promise<GoPackage | null> {
  return world.once(`go package ${packageName ?? '*'} ${folder}`, async () => {
    const files = goFiles(world, folder)
    const facts = await world.factsOf(files)
    if (facts.size < files.length) return null
    const members = [...facts].filter(([, { packageName: own }]) => belongs(own, packageName))
    const byName = new Map<string, Set<number>>()
    for (const [at, [, own]] of members.entries())
      for (const { name } of own.symbols) {
        const files = byName.get(name)
        if (files) files.add(at)
        else byName.set(name, new Set([at]))
      }
    return {
      named: (scope, name) =>
        [...(byName.get(name) ?? [])].flatMap((at) => {
          const [path, own] = members[at] ?? []
          return path !== undefined && own ? symbolsIn(path, own, scope, name) : []
        }),
    }
  })
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
