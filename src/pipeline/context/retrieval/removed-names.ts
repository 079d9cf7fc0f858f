/**
 * Where the head still names what a change took away or renamed. Nothing resolves to a definition that is not there any
 * more, so these uses are found by their word.
 */
import { isTestPath } from '../../../base/file-paths.ts'
import type { FactStore, FileFacts } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { type ChangeSet, pathOn } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { Passage } from './contract.ts'
import { commonFolders } from './near-files.ts'

const mostNames = 20
/** A word of more files is hardly the name of one thing. */
const mostHolders = 40
const mostFiles = 12
const mostPassages = 20
const shortestName = 3
const besideUse = 2

type Sides = { base: RepoSnapshot; head: RepoSnapshot; facts: Pick<FactStore, 'facts'>; world: World }

/** Nearest first, each with the definition around the use. */
export async function usersOfRemovedNames(
  change: ChangeSet,
  { base, head, facts, world }: Sides,
): Promise<Passage[]> {
  const removed = await removedNames(change, { base, facts, world })
  if (removed.size === 0) return []
  const holders = await head.filesWithWords([...removed.keys()])
  const passages: Passage[] = []
  for (const [name, from] of removed) {
    const paths = (holders.get(name) ?? []).filter((path) => languageOf(path) !== null)
    if (paths.length > mostHolders) continue
    const nearest = paths
      .toSorted((a, b) => commonFolders(b, from) - commonFolders(a, from))
      .slice(0, mostFiles)
    const read = await world.factsOf(nearest)
    // Where another definition has the name, uses are more likely of that one.
    if ([...read.values()].some(({ symbols }) => symbols.some((symbol) => symbol.name === name))) continue
    for (const path of nearest) passages.push(...usesIn(path, name, read.get(path)))
  }
  return passages.slice(0, mostPassages)
}

/** Names whose definitions stood on removed lines and which no changed file defines any more, with the file that did. */
async function removedNames(
  change: ChangeSet,
  { base, facts, world }: Pick<Sides, 'base' | 'facts' | 'world'>,
): Promise<Map<string, string>> {
  const files = change.files.filter(
    ({ role, hunks }) =>
      role === 'source' && hunks.some(({ lines }) => lines.some(({ kind }) => kind === 'removed')),
  )
  const texts = await base.readMany(files.map((file) => pathOn('old', file)))
  const before = await facts.facts([...texts].map(([path, { blob, text }]) => ({ path, blob, text })))
  const after = await world.factsOf(
    change.files.flatMap(({ path, newBlob }) => (newBlob === null ? [] : [path])),
  )
  const defined = new Set([...after.values()].flatMap(({ symbols }) => symbols.map(({ name }) => name)))
  const removed = files.flatMap((file) => {
    const lines = new Set(
      file.hunks.flatMap((hunk) =>
        hunk.lines.flatMap(({ kind, old }) => (kind === 'removed' ? (old ?? []) : [])),
      ),
    )
    const path = pathOn('old', file)
    return (before.get(path)?.symbols ?? [])
      .filter(({ name, nameLine, kind, isTest }) => {
        const counts = kind !== 'variable' && kind !== 'impl' && !isTest && name.length >= shortestName
        return counts && lines.has(nameLine) && !defined.has(name)
      })
      .map(({ name }) => [name, path] as const)
  })
  return new Map(removed.slice(0, mostNames))
}

function usesIn(path: string, name: string, facts: FileFacts | undefined): Passage[] {
  const passages = new Map<number, Passage & { focus: number[] }>()
  const all = (facts?.references ?? []).filter((one) => one.name === name && !one.shadowed)
  const uses = all.filter(({ role }) => role !== 'import' && role !== 'export')
  // An import alone is a use too.
  for (const { line, enclosing } of uses.length > 0 ? uses : all) {
    const around = enclosing === null ? undefined : facts?.symbols[enclosing]
    const startLine = around?.startLine ?? Math.max(1, line - besideUse)
    const known = passages.get(startLine)
    if (known) known.focus.push(line)
    else {
      const endLine = around?.endLine ?? line + besideUse
      const who = isTestPath(path) ? 'test' : 'code'
      const title = `${who} that names ${name}, which the change removed or renamed`
      passages.set(startLine, { path, startLine, endLine, title, focus: [line] })
    }
  }
  return [...passages.values()]
}
