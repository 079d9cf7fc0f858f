/** Which files of the tree a C or C++ file sees through its `#include` lines, itself first. */
import type { FileFacts } from '../../contract.ts'
import type { World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { remembered } from '../remembered.ts'

/** Past this many files the rest is not seen. */
const mostFiles = 400

export type Seen = ReadonlyMap<string, FileFacts>

/** In the order in which they are met, breadth first. */
export function filesSeen(world: World, path: string): Promise<Seen> {
  return remembered(world, world, 'files seen by', path, async () => {
    const seen = new Map<string, FileFacts>()
    let level = [path]
    while (level.length > 0 && seen.size < mostFiles) {
      const found = await world.factsOf(level.slice(0, mostFiles - seen.size))
      for (const one of level) {
        const facts = found.get(one)
        if (facts) seen.set(one, facts)
      }
      const next = [...found].flatMap(([from, facts]) =>
        facts.imports.flatMap(({ source }) => includedFile(world, from, source) ?? []),
      )
      level = [...new Set(next)].filter((one) => !seen.has(one))
    }
    return seen
  })
}

/**
 * The file that an include names: beside the including one, else the one whose path ends so; of several the nearest.
 * Null for what is not in this tree. Quoted includes begin with `./`.
 */
export function includedFile(world: World, from: string, source: string): string | null {
  const isQuoted = source.startsWith('./')
  const name = source.replace(/^\.\//, '')
  const beside = joinPath(folderOf(from), name)
  if (isQuoted && beside !== null && world.paths.has(beside)) return beside
  const suffix = name.replace(/^(?:\.\.\/)+/, '')
  const ends = world.paths
    .named(suffix.slice(suffix.lastIndexOf('/') + 1))
    .filter((path) => path === suffix || path.endsWith(`/${suffix}`))
  // `<string.h>` is the system's, even where a test keeps a file of that name.
  if (!isQuoted && !suffix.includes('/') && !ends.some((path) => path === suffix || isPublic(path)))
    return null
  return ends.toSorted((a, b) => common(b, from) - common(a, from) || (a < b ? -1 : 1))[0] ?? null
}

function isPublic(path: string): boolean {
  return /(?:^|\/)(?:include|inc|src|lib)\/[^/]+$/.test(path)
}

/** How many folders two paths share from the root. */
function common(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  let shared = 0
  while (left[shared] !== undefined && left[shared] === right[shared]) shared++
  return shared
}
