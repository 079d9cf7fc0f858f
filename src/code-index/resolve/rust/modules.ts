/** The module tree of a crate: from a module to its parent and its children, in files or inline. */
import type { FileFacts, ImportFact } from '../../contract.ts'
import type { Module, World } from '../contract.ts'
import { folderOf } from '../path-index.ts'
import { remembered } from '../remembered.ts'
import { fullName, symbolsIn } from '../symbols.ts'
import { crateOf } from './crates.ts'

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
  // `mod x;` is a symbol too, but what it holds stands in a file.
  const inFile = facts?.imports.some(
    ({ source, imported }) => source === `self::${child}` && imported === '*',
  )
  const symbols = facts && !inFile ? symbolsIn(path, facts, scope, child) : []
  const inline = symbols.some(({ index }) => facts?.symbols[index]?.kind === 'module')
  if (inline) return { path, name: scope === '' ? child : `${scope}.${child}` }
  if (scope !== '') return null
  const folder = await childFolder(world, path)
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
  return file === undefined ? null : fileModule(file)
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

/** The imports of one module: those inside an inline module are its own. */
export function importsOf(facts: FileFacts, scope: string): readonly ImportFact[] {
  const inline = facts.symbols.filter(
    ({ kind, startLine, endLine }) => kind === 'module' && endLine > startLine,
  )
  if (inline.length === 0) return scope === '' ? facts.imports : []
  return facts.imports.filter(({ line }) => {
    const innermost = inline.findLast((module) => module.startLine <= line && line <= module.endLine)
    return (innermost ? fullName(innermost) : '') === scope
  })
}

/** Where a file's `mod x;` looks for `x`. */
async function childFolder(world: World, path: string): Promise<string> {
  const crate = await crateOf(world, path)
  if (path.endsWith('/mod.rs') || crate?.roots.has(path)) return folderOf(path)
  return path.replace(/\.rs$/, '')
}
