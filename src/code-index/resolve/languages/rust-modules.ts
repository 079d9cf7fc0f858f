/** The module tree of a crate: from a module to its parent and its children, in files or inline. */

import { folderOf } from '../../../base/file-paths.ts'
import { itemsBy } from '../../../base/grouped.ts'
import { lastAround } from '../../../base/line-ranges.ts'
import { oncePer } from '../../../base/remembered.ts'
import type { FileFacts, ImportFact } from '../../contract.ts'
import type { Module, World } from '../contract.ts'
import { fullName, symbolsIn } from '../symbols.ts'
import { joinPath, remembered } from '../world.ts'

/** A module is a file and, for one written inside another, its scope in that file. */
export function fileModule(path: string): Module {
  return { path, name: '' }
}

export async function childModule(
  world: World,
  { path, name: scope }: Module,
  child: string,
): Promise<Module | null> {
  const facts = await world.facts(path)
  // `mod x;` is a symbol too, but what it holds is in a file.
  const inFile =
    facts && itemsBy(facts.imports, sourceOf, `self::${child}`).some(({ imported }) => imported === '*')
  const symbols = facts && !inFile ? symbolsIn(path, facts, scope, child) : []
  const inline = symbols.some(({ index }) => facts?.symbols[index]?.kind === 'module')
  if (inline) return { path, name: scope === '' ? child : `${scope}.${child}` }
  const folder = [await childFolder(world, path), ...scope.split('.').filter(Boolean)].join('/')
  const file = [`${folder}/${child}.rs`, `${folder}/${child}/mod.rs`].find((at) =>
    world.paths.has(at.replace(/^\//, '')),
  )
  return file === undefined ? null : fileModule(file.replace(/^\//, ''))
}

export async function parentModule(world: World, { path, name: scope }: Module): Promise<Module | null> {
  if (scope !== '') return { path, name: scope.split('.').slice(0, -1).join('.') }
  return remembered(world, world, 'parent module', path, () => fileParent(world, path))
}

async function fileParent(world: World, path: string): Promise<Module | null> {
  const crate = await crateOf(world, path)
  if (!crate || crate.roots.has(path)) return null
  const folder = path.endsWith('/mod.rs') ? folderOf(folderOf(path)) : folderOf(path)
  const root = [...crate.roots].find(
    (candidate) => folderOf(candidate) === folder && /\/(?:lib|main)\.rs$/.test(`/${candidate}`),
  )
  const file = [
    root,
    `${folder}/mod.rs`,
    `${folder}.rs`,
    ...[...crate.roots].filter((at) => folderOf(at) === folder),
  ].find((at) => at !== undefined && world.paths.has(at))
  return file === undefined ? inlineParent(world, folder) : fileModule(file)
}

/** `pub mod codecs { pub mod png; }` in the file above the folder `codecs`, which has no file of its name. */
async function inlineParent(world: World, folder: string): Promise<Module | null> {
  const [above, name] = [folderOf(folder), folder.slice(folder.lastIndexOf('/') + 1)]
  const files = [`${above}/lib.rs`, `${above}/main.rs`, `${above}/mod.rs`, `${above}.rs`]
  for (const [path, facts] of await world.factsOf(files.map((file) => file.replace(/^\//, ''))))
    if (symbolsIn(path, facts, '', name).some(({ index }) => facts.symbols[index]?.kind === 'module'))
      return { path, name }
  return null
}

export async function rootModule(world: World, module: Module): Promise<Module> {
  let at = fileModule(module.path)
  for (let depth = 0; depth < 40; depth++) {
    const parent = await parentModule(world, at)
    if (!parent) return at
    at = parent
  }
  return at
}

export const sourceOf = ({ source }: ImportFact) => source

/** The imports of one module: those inside an inline module are its own. */
export function importsOf(facts: FileFacts, scope: string): readonly ImportFact[] {
  return importsByModule(facts).get(scope) ?? []
}

const importsByModule = oncePer(({ symbols, imports, lineCount }: FileFacts) => {
  const inline = symbols.filter(({ kind, startLine, endLine }) => kind === 'module' && endLine > startLine)
  const moduleAt = lastAround(inline, lineCount)
  return Map.groupBy(imports, ({ line }) => {
    const innermost = inline[moduleAt(line)]
    return innermost ? fullName(innermost) : ''
  })
})

/** Where a file's `mod x;` looks for `x`. */
async function childFolder(world: World, path: string): Promise<string> {
  const crate = await crateOf(world, path)
  if (path.endsWith('/mod.rs') || crate?.roots.has(path)) return folderOf(path)
  return path.replace(/\.rs$/, '')
}

// The crates of a Cargo workspace and the files their module trees start from.

type Crate = {
  /** As written in paths: `-` is `_`. */
  name: string
  folder: string
  /** The library's root file, when it has one. */
  library: string | null
  /** Every file that a module tree starts from, as far as Cargo.toml and the usual places tell. */
  roots: ReadonlySet<string>
}

export function workspaceCrates(world: World): Promise<readonly Crate[]> {
  return world.once('crates', async () => {
    const manifests = await world.texts(world.paths.named('Cargo.toml'))
    return [...manifests].flatMap(([path, text]) => {
      const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1]
      return name === undefined ? [] : [readCrate(world, folderOf(path), name, text)]
    })
  })
}

/** The crate a file belongs to: the innermost folder with a manifest. */
export function crateOf(world: World, path: string): Promise<Crate | null> {
  return remembered(world, world, 'crate', path, () => findCrate(world, path))
}

async function findCrate(world: World, path: string): Promise<Crate | null> {
  let best: Crate | null = null
  for (const crate of await workspaceCrates(world)) {
    const holds = crate.folder === '' || path.startsWith(`${crate.folder}/`)
    if (holds && (best === null || crate.folder.length > best.folder.length)) best = crate
  }
  return best
}

function readCrate(world: World, folder: string, name: string, manifest: string): Crate {
  const at = (relative: string): string => joinPath(folder, relative) ?? relative
  const written = /^\[lib\][^[]*?^path\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1]
  const libraryName = /^\[lib\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1]
  const library = at(written ?? 'src/lib.rs')
  const others = [...manifest.matchAll(/^path\s*=\s*"([^"]+\.rs)"/gm)].map((match) => at(match[1] ?? ''))
  const usual = ['tests', 'benches', 'examples', 'src/bin'].flatMap((sub) =>
    world.paths.filesIn(at(sub)).filter((path) => path.endsWith('.rs')),
  )
  const roots = [library, at('src/main.rs'), at('build.rs'), ...others, ...usual]
  return {
    name: (libraryName ?? name).replaceAll('-', '_'),
    folder,
    library: world.paths.has(library) ? library : null,
    roots: new Set(roots.filter((path) => world.paths.has(path))),
  }
}
