/** Which file a module specifier stands for. */
import type { World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { remembered } from '../remembered.ts'
import { entryTargets, internalTargets, type WorkspacePackage, workspacePackages } from './packages.ts'
import { matchStar, pathMappingFor } from './tsconfig.ts'

export type FoundModule =
  | { kind: 'file'; path: string }
  /** A path inside this repository at which no file stands. */
  | { kind: 'missing'; path: string }
  /** Another package, a built-in, or something only a bundler understands. */
  | { kind: 'external' }

const endings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.d.mts', '.d.cts', '.js', '.jsx', '.mjs', '.cjs']

export function findModule(world: World, from: string, specifier: string): Promise<FoundModule> {
  // Only the folder of the importing file counts.
  return remembered(world, world, 'module', `${specifier}\n${folderOf(from)}`, () =>
    lookUp(world, from, specifier),
  )
}

async function lookUp(world: World, from: string, specifier: string): Promise<FoundModule> {
  const clean = specifier.split(/[?#]/, 1)[0] || specifier
  if (/^\.{0,2}\//.test(clean) || clean === '.' || clean === '..') return relativeModule(world, from, clean)
  const mapped = await mappedModule(world, from, clean)
  return mapped ?? (await packageModule(world, from, specifier)) ?? { kind: 'external' }
}

/** The file at a path whose ending may be left out, be that of the built file, or be a folder's index. */
export function fileAt(world: World, path: string): string | null {
  const { paths } = world
  const swapped = swappedEndings(path)
  const candidates = [
    ...(paths.has(path) && /\.\w+$/.test(path) ? [path] : []),
    ...swapped,
    ...endings.map((ending) => path + ending),
    ...endings.map((ending) => (path === '' ? `index${ending}` : `${path}/index${ending}`)),
  ]
  // A built file that is committed beside its source is the copy, not the original.
  const source = candidates.find((candidate) => /\.[cm]?tsx?$/.test(candidate) && paths.has(candidate))
  return source ?? candidates.find((candidate) => paths.has(candidate)) ?? null
}

function relativeModule(world: World, from: string, specifier: string): FoundModule {
  // An absolute path means the root of a web server, which is anywhere.
  const path = specifier.startsWith('/') ? null : joinPath(folderOf(from), specifier)
  if (path === null) return { kind: 'external' }
  const file = fileAt(world, path)
  return file === null ? { kind: 'missing', path } : { kind: 'file', path: file }
}

async function mappedModule(world: World, from: string, specifier: string): Promise<FoundModule | null> {
  const { baseUrl, paths } = await pathMappingFor(world, from)
  let firstTried: string | null = null
  // The longest prefix wins, as the compiler has it.
  const byLength = paths.toSorted((a, b) => b.pattern.indexOf('*') - a.pattern.indexOf('*'))
  for (const { pattern, targets } of byLength) {
    const star = matchStar(pattern, specifier)
    if (star === null) continue
    for (const target of targets) {
      const path = target.replace('*', () => star)
      const file = fileAt(world, path)
      if (file !== null) return { kind: 'file', path: file }
      if (pattern !== '*') firstTried ??= path
    }
    break
  }
  const plain = baseUrl === null ? null : joinPath(baseUrl, specifier)
  const file = plain === null ? null : fileAt(world, plain)
  if (file !== null) return { kind: 'file', path: file }
  return firstTried === null ? null : { kind: 'missing', path: firstTried }
}

async function packageModule(world: World, from: string, specifier: string): Promise<FoundModule | null> {
  const packages = await workspacePackages(world)
  if (specifier.startsWith('#')) {
    const own = ownPackage(packages, from)
    return own && firstFile(world, internalTargets(own, specifier))
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
  const pack = packages.get(name)
  if (!pack) return null
  const rest = specifier.slice(name.length)
  return firstFile(world, entryTargets(pack, rest === '' ? '.' : `.${rest}`))
}

function firstFile(world: World, targets: readonly string[]): FoundModule | null {
  for (const target of targets) {
    const path = fileAt(world, target)
    if (path !== null && /\.[cm]?[jt]sx?$/.test(path)) return { kind: 'file', path }
  }
  return null
}

function ownPackage(packages: ReadonlyMap<string, WorkspacePackage>, from: string): WorkspacePackage | null {
  let best: WorkspacePackage | null = null
  for (const pack of packages.values()) {
    const inside = pack.folder === '' || from.startsWith(`${pack.folder}/`)
    if (inside && (best === null || pack.folder.length > best.folder.length)) best = pack
  }
  return best
}

/** `x.js` may be written for `x.ts`, and so on. */
function swappedEndings(path: string): string[] {
  const match = /^(.*)\.([cm]?)jsx?$/.exec(path)
  if (!match) return []
  const [, stem = '', letter = ''] = match
  return [`${stem}.${letter}ts`, `${stem}.${letter}tsx`, `${stem}.d.${letter}ts`]
}
