/** Manifests and lock files: the nearest one above a path, the line of a name in it, and versions. */
import { parse } from 'smol-toml'
import { fileNameOf, folderOf } from '../../../base/file-paths.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import type { Pin } from '../../contract.ts'

/** The folder itself and all above it, nearest first; '' is the root. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    folders.push(folder)
    if (folder === '') return folders
  }
}

export function isInside(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Paths of the first of these names in each folder above the path, nearest first. */
export function manifestsAbove(world: World, path: string, isManifest: (name: string) => boolean): string[] {
  return foldersAbove(path).flatMap((folder) =>
    world.paths.filesIn(folder).filter((file) => isManifest(fileNameOf(file))),
  )
}

/** 1-based; null when no line matches. */
export function lineWith(text: string, pattern: RegExp): number | null {
  const at = text.split('\n').findIndex((line) => pattern.test(line))
  return at < 0 ? null : at + 1
}

/** How many lines below the name of a package its version may be. */
const nearest = 8

/** The first version at, or soon after, a line that names the package. `version`: its first group is the version. */
export function pinIn(path: string, text: string, named: RegExp, version: RegExp): Pin | null {
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    if (line.length > 500 || !named.test(line)) continue
    for (let next = at; next < Math.min(lines.length, at + nearest); next++) {
      const found = version.exec((lines[next] ?? '').slice(0, 500))?.[1]
      if (found !== undefined) return { version: found, path, line: next + 1 }
    }
  }
  return null
}

/** Lists that name packages with their versions: which files they are, the line of the name, and the version in or below it. */
export type VersionList = { isList: (name: string) => boolean; named: RegExp; version: RegExp }

/** In the first list that has it, the nearest file of each first. */
export async function pinAbove(
  world: World,
  path: string,
  lists: readonly VersionList[],
): Promise<Pin | null> {
  for (const { isList, named, version } of lists)
    for (const file of manifestsAbove(world, path, isList)) {
      const found = pinIn(file, (await world.text(file)) ?? '', named, version)
      if (found) return found
    }
  return null
}

export function someLine(texts: ReadonlyMap<string, string>, pattern: RegExp): boolean {
  return [...texts.values()].some((text) => lineWith(text, pattern) !== null)
}

/** Null for what is no TOML. */
export function tomlOf(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return null
  }
}

export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let inner: unknown = value
  for (const key of keys) {
    if (inner === null || typeof inner !== 'object') return undefined
    inner = (inner as Record<string, unknown>)[key]
  }
  return inner
}

export function escaped(text: string): string {
  return text.replace(/[^\w\s]/g, '\\$&')
}
