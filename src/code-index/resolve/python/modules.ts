/** Which file a dotted module name stands for. */
import type { World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'

export type FoundModule =
  /** A file, or a folder without `__init__.py`, which then ends in `/`. */
  | { kind: 'file'; path: string }
  /** The package around it is in this repository, and it is not. */
  | { kind: 'missing'; path: string }
  | { kind: 'external' }

export function findModule(world: World, from: string, source: string): FoundModule {
  let known = found.get(world)
  if (!known) {
    known = new Map()
    found.set(world, known)
  }
  // Only the folder of the importing file counts.
  const key = `${source}\n${folderOf(from)}`
  let module = known.get(key)
  if (!module) {
    module = lookUp(world, from, source)
    known.set(key, module)
  }
  return module
}

const found = new WeakMap<World, Map<string, FoundModule>>()

function lookUp(world: World, from: string, source: string): FoundModule {
  const dots = /^\.*/.exec(source)?.[0].length ?? 0
  const parts = source.slice(dots).split('.').filter(Boolean)
  if (dots > 0) {
    const folder = joinPath(folderOf(from), '../'.repeat(dots - 1))
    return folder === null ? { kind: 'external' } : inside(world, folder, parts)
  }
  const root = rootOf(world, from, parts)
  return root === null ? { kind: 'external' } : inside(world, root, parts)
}

/** `b` in the package `a` at `folder`, when it is a module of its own. */
export function submodule(world: World, path: string, name: string): string | null {
  const folder = path.endsWith('/')
    ? path.slice(0, -1)
    : /(?:^|\/)__init__\.pyi?$/.test(path)
      ? folderOf(path)
      : null
  return folder === null ? null : moduleAt(world, folder === '' ? name : `${folder}/${name}`)
}

function inside(world: World, folder: string, parts: readonly string[]): FoundModule {
  const path = parts.length === 0 ? folder : joinPath(folder, parts.join('/'))
  if (path === null) return { kind: 'external' }
  const found = moduleAt(world, path)
  return found === null ? { kind: 'missing', path } : { kind: 'file', path: found }
}

function moduleAt(world: World, path: string): string | null {
  const candidates = [`${path}/__init__.py`, `${path}.py`, `${path}/__init__.pyi`, `${path}.pyi`]
  const found = candidates.find((candidate) => world.paths.has(candidate.replace(/^\//, '')))
  if (found) return found.replace(/^\//, '')
  const holdsCode = world.paths.hasFolder(path) && path !== ''
  return holdsCode ? `${path}/` : null
}

/** The folder that the first part of an absolute name lies in: the nearest above the importing file, or a usual one. */
function rootOf(world: World, from: string, parts: readonly string[]): string | null {
  const [top = ''] = parts
  const isRoot = (folder: string): boolean => {
    if (world.paths.has(join(folder, '__init__.py'))) return false
    return holdsModule(world, join(folder, top))
  }
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    if (isRoot(folder)) return folder
    if (folder === '') break
  }
  const usual = ['src', 'lib', 'python'].find(isRoot)
  if (usual !== undefined) return usual
  // Elsewhere only a package counts, and only when there is one of that name.
  const elsewhere = world.paths
    .foldersEndingWith(top)
    .filter(
      (folder) =>
        world.paths.has(`${folder}/__init__.py`) && !world.paths.has(join(folderOf(folder), '__init__.py')),
    )
  const [only] = elsewhere
  return elsewhere.length === 1 && only !== undefined ? folderOf(only) : null
}

function holdsModule(world: World, path: string): boolean {
  const { paths } = world
  if (paths.has(`${path}.py`) || paths.has(`${path}/__init__.py`)) return true
  return paths.filesIn(path).some((file) => file.endsWith('.py'))
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
