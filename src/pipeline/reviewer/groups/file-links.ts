/** Which changed files need each other: one uses what the other defines, or tests it. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'

/** Shorter names are everywhere. */
const shortestName = 4
/** A name that so many changed files define ties nobody to anybody. */
const mostOwners = 3

export type FileLink = { from: string; to: string; weight: number }

/** Heaviest first, then by path: the names one file uses of the other, and 3 for a test of it. */
export function linkFiles(
  paths: readonly string[],
  context: ReviewContext,
  facts: ReadonlyMap<string, FileFacts>,
): FileLink[] {
  const asked = new Set(paths)
  const weights = new Map<string, number>()
  const link = (a: string, b: string, weight: number): void => {
    if (a === b || !asked.has(a) || !asked.has(b)) return
    const key = a < b ? `${a}\0${b}` : `${b}\0${a}`
    weights.set(key, (weights.get(key) ?? 0) + weight)
  }
  const owners = ownersOf(paths, facts)
  for (const path of paths)
    for (const name of namesUsed(facts.get(path)))
      for (const owner of owners.get(name) ?? []) link(path, owner, 1)
  for (const { path, tests } of context.tests) for (const test of tests) link(path, test.path, 3)
  return [...weights]
    .map(([key, weight]) => {
      const [from = '', to = ''] = key.split('\0')
      return { from, to, weight }
    })
    .sort((a, b) => b.weight - a.weight || compare(a.from, b.from) || compare(a.to, b.to))
}

/** Files by the names they define for others. */
function ownersOf(paths: readonly string[], facts: ReadonlyMap<string, FileFacts>): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const path of paths) {
    const names = (facts.get(path)?.symbols ?? [])
      .filter(
        ({ visibility, name, isTest }) => visibility !== 'private' && name.length >= shortestName && !isTest,
      )
      .map(({ name }) => name)
    for (const name of new Set(names)) {
      const known = owners.get(name)
      if (known) known.push(path)
      else owners.set(name, [path])
    }
  }
  return new Map([...owners].filter(([, files]) => files.length <= mostOwners))
}

function namesUsed(facts: FileFacts | undefined): Set<string> {
  return new Set([
    ...(facts?.imports ?? []).map(({ imported }) => imported),
    ...(facts?.references ?? []).filter(({ shadowed }) => !shadowed).map(({ name }) => name),
  ])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
