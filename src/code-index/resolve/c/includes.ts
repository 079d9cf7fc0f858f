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
    const links = linksOf(world)
    const seen = new Map<string, FileFacts>()
    let level = [path]
    while (level.length > 0 && seen.size < mostFiles) {
      const wanted = level.slice(0, mostFiles - seen.size)
      const unread = wanted.filter((one) => !links.has(one))
      if (unread.length > 0)
        for (const [from, facts] of await world.factsOf(unread)) {
          const found = facts.imports.flatMap(({ source }) => includedFile(world, from, source) ?? [])
          links.set(from, { facts, includes: [...new Set(found)] })
        }
      const next = new Set<string>()
      for (const one of wanted) {
        const link = links.get(one)
        if (!link) continue
        seen.set(one, link.facts)
        for (const included of link.includes) next.add(included)
      }
      level = [...next].filter((one) => !seen.has(one))
    }
    return seen
  })
}

type Link = { facts: FileFacts; includes: readonly string[] }

const known = new WeakMap<World, Map<string, Link>>()

/** What each file of a world includes, as far as it was asked. */
function linksOf(world: World): Map<string, Link> {
  let links = known.get(world)
  if (!links) {
    links = new Map()
    known.set(world, links)
  }
  return links
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
