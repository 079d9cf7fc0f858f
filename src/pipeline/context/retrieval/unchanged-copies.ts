/**
 * Code that still has lines which the change replaced: a copy, a variant for another platform, the next branch. What was
 * wrong here is wrong there too, and what was decided here may have been forgotten there.
 */
import type { World } from '../../../code-index/resolve/contract.ts'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { shownLines } from './changed-places.ts'
import type { Passage } from './contract.ts'
import { commonFolders, largestFile } from './near-files.ts'

const mostLines = 60
const mostFiles = 6
const mostPassages = 10
/** What is shorter, or has fewer words, is in many places by chance. */
const shortestLine = 24
const fewestWords = 3
/** A line in more files, or in more places, is how one writes here. */
const mostHolders = 12
const mostPlaces = 4
const besideCopy = 4

type Place = { path: string; line: number }

/** Where most of the replaced lines are comes first. */
export async function unchangedCopies(
  head: Pick<RepoSnapshot, 'filesWithWords'>,
  world: World,
  { files }: ChangeSet,
): Promise<Passage[]> {
  const sources = files.filter(({ role }) => role === 'source')
  const replaced = new Map(sources.flatMap(replacedLines).slice(0, mostLines))
  const paths = await likelyHolders(head, world, replaced)
  const texts = await world.texts(paths)
  const shown = new Map(files.map((file) => [file.path, shownLines(file)]))
  const places = [...texts].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, at) => (replaced.has(line.trim()) ? [{ path, line: at + 1, text: line.trim() }] : [])),
  )
  const copies = [...Map.groupBy(places, ({ text }) => text).values()]
    .filter(({ length }) => length <= mostPlaces)
    .flat()
    .filter(({ path, line }) => !shown.get(path)?.has(line))
  const found = new Map<string, Passage & { focus: number[] }>()
  for (const copy of copies) {
    const passage = await passageAround(world, copy)
    if (!passage) continue
    const key = `${copy.path}:${passage.startLine}`
    found.set(key, { ...passage, focus: [...(found.get(key)?.focus ?? []), copy.line] })
  }
  return [...found.values()].sort((a, b) => b.focus.length - a.focus.length).slice(0, mostPassages)
}

/** Each with the path that it was in. */
function replacedLines({ path, hunks }: FileChange): [line: string, path: string][] {
  const all = hunks.flatMap(({ lines }) => lines)
  const added = new Set(all.flatMap(({ kind, text }) => (kind === 'added' ? [text.trim()] : [])))
  return all
    .filter(({ kind }) => kind === 'removed')
    .map(({ text }) => text.trim())
    .filter((line) => line.length >= shortestLine && wordsOf(line).length >= fewestWords && !added.has(line))
    .map((line) => [line, path])
}

/** Files with all words of such a line: with those of most lines first, then the nearest. */
async function likelyHolders(
  head: Pick<RepoSnapshot, 'filesWithWords'>,
  world: World,
  replaced: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (replaced.size === 0) return []
  const holders = await head.filesWithWords([...new Set([...replaced.keys()].flatMap(wordsOf))])
  const files = new Map<string, { lines: number; common: number }>()
  for (const [line, from] of replaced) {
    const [first = [], ...others] = wordsOf(line).map((word) => holders.get(word) ?? [])
    const all = first.filter((path) => others.every((some) => some.includes(path)))
    if (all.length > mostHolders) continue
    for (const path of all) {
      const { lines, common } = files.get(path) ?? { lines: 0, common: 0 }
      files.set(path, { lines: lines + 1, common: Math.max(common, commonFolders(path, from)) })
    }
  }
  return [...files]
    .filter(([path]) => (world.paths.entry(path)?.size ?? 0) <= largestFile)
    .sort(([, a], [, b]) => b.lines - a.lines || b.common - a.common)
    .slice(0, mostFiles)
    .map(([path]) => path)
}

/** Null for an import: who else needs it says nothing. */
async function passageAround(world: World, { path, line }: Place): Promise<Passage | null> {
  const facts = await world.facts(path)
  if (facts?.imports.some((one) => one.line === line)) return null
  const around = facts?.symbols.findLast(
    ({ startLine, endLine }) => startLine <= line && line <= endLine && startLine < endLine,
  )
  return {
    path,
    startLine: around?.startLine ?? Math.max(1, line - besideCopy),
    endLine: around?.endLine ?? line + besideCopy,
    title: 'still has a line that the change replaced',
  }
}

function wordsOf(line: string): string[] {
  return [...new Set(line.match(/[A-Za-z_]\w{2,}/g))]
}
