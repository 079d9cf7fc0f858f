/**
 * Cuts a large change into groups that fit into one question each, and keeps together what belongs together: first
 * files that use or test each other, then those of one folder and language, then of one folder, then of neighbouring
 * folders. Small changes are one group.
 */
import { compareText } from '../../base/compare-text.ts'
import { folderWithSlash } from '../../base/file-paths.ts'
import { remembered } from '../../base/remembered.ts'
import type { FileFacts } from '../../code-index/contract.ts'
import type { FileChange, Hunk } from '../../domain/change-set.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { ReviewContext } from '../../domain/review-context.ts'

type Sized = { file: FileChange; bytes: number }

type FileLink = { from: string; to: string; weight: number }

const roleWeight: Readonly<Record<FileChange['role'], number>> = {
  source: 8,
  config: 4,
  test: 3,
  data: 1,
  docs: 1,
  lock: 0,
  generated: 0,
  vendored: 0,
  minified: 0,
  excluded: 0,
}

/** Shorter names are everywhere. */
const shortestName = 4

/** A name that more changed files define links none of them. */
const mostOwners = 3

/**
 * Every file is in exactly one group; files of a group are in path order, the weightiest group comes first. A file
 * that is too large by itself has a group of its own.
 */
export function groupFiles<Item extends Sized>(
  items: readonly Item[],
  links: readonly FileLink[],
  maxBytes: number,
): Item[][] {
  const ordered = [...items].sort((a, b) => compareText(a.file.path, b.file.path))
  if (bytesOf(ordered) <= maxBytes) return ordered.length === 0 ? [] : [ordered]
  let groups = mergeLinked(ordered, links, maxBytes)
  for (const key of [folderAndLanguage, folder, parentFolder, everything])
    groups = mergeAlike(groups, key, maxBytes)
  return groups
    .map((group) => group.sort((a, b) => compareText(a.file.path, b.file.path)))
    .sort((a, b) => weigh(b) - weigh(a) || compareText(firstPath(a), firstPath(b)))
}

function mergeLinked<Item extends Sized>(
  items: readonly Item[],
  links: readonly FileLink[],
  maxBytes: number,
): Item[][] {
  const groupOf = new Map(items.map((item) => [item.file.path, [item]]))
  for (const { from, to } of links) {
    const [a, b] = [groupOf.get(from), groupOf.get(to)]
    if (!a || !b || a === b || bytesOf(a) + bytesOf(b) > maxBytes) continue
    a.push(...b)
    for (const { file } of b) groupOf.set(file.path, a)
  }
  return [...new Set(groupOf.values())]
}

/** Groups whose first files have the same key are put together one after the other, as long as they fit. */
function mergeAlike<Item extends Sized>(
  groups: readonly Item[][],
  key: (file: FileChange) => string,
  maxBytes: number,
): Item[][] {
  const open = new Map<string, Item[]>()
  const merged: Item[][] = []
  for (const group of [...groups].sort((a, b) => compareText(firstPath(a), firstPath(b)))) {
    const first = group[0]
    if (!first) continue
    const name = key(first.file)
    const known = open.get(name)
    if (known && bytesOf(known) + bytesOf(group) <= maxBytes) known.push(...group)
    else {
      const fresh = [...group]
      open.set(name, fresh)
      merged.push(fresh)
    }
  }
  return merged
}

function folder({ path }: FileChange): string {
  return folderWithSlash(path)
}

function folderAndLanguage(file: FileChange): string {
  return `${folder(file)}\0${file.language ?? ''}`
}

function parentFolder({ path }: FileChange): string {
  return path.split('/').slice(0, -2).join('/')
}

function everything(): string {
  return ''
}

/** Where a defect would hurt most comes first, so that a cap or a budget cuts the least. */
function weigh(group: readonly Sized[]): number {
  return group.reduce(
    (sum, { file }) => sum + roleWeight[file.role] * (1 + Math.log2(1 + file.added + file.removed)),
    0,
  )
}

function bytesOf(items: readonly Sized[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0)
}

function firstPath(group: readonly Sized[]): string {
  return group.reduce(
    (least, { file }) => (least === '' || compareText(file.path, least) < 0 ? file.path : least),
    '',
  )
}

/** Heaviest first, then by path: the names one file uses, or used, of the other, and 3 for a test of it. */
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
  // What a file lost is found in the lines that others removed, and so what is gone comes to what took its place.
  const lost = ownersOfLost(paths, context)
  for (const { path, hunks } of context.change.files)
    for (const name of wordsRemoved(hunks)) for (const owner of lost.get(name) ?? []) link(path, owner, 1)
  for (const { path, tests } of context.tests) for (const test of tests) link(path, test.path, 3)
  return [...weights]
    .map(([key, weight]) => {
      const [from = '', to = ''] = key.split('\0')
      return { from, to, weight }
    })
    .sort((a, b) => b.weight - a.weight || compareText(a.from, b.from) || compareText(a.to, b.to))
}

/** Files by the names they define for others. */
function ownersOf(paths: readonly string[], facts: ReadonlyMap<string, FileFacts>): Map<string, string[]> {
  return byName(paths, (path) => facts.get(path)?.symbols ?? [])
}

/** Files by the names that they defined for others and do not any more. */
function ownersOfLost(paths: readonly string[], { symbols }: ReviewContext): Map<string, string[]> {
  const before = Map.groupBy(
    symbols.flatMap(({ before, after }) => (before && before.path !== after?.path ? [before] : [])),
    ({ path }) => path,
  )
  return byName(paths, (path) => before.get(path)?.map(({ symbol }) => symbol) ?? [])
}

type Named = Pick<CodeSymbol, 'name' | 'visibility' | 'isTest'>

function byName(
  paths: readonly string[],
  symbolsOf: (path: string) => readonly Named[],
): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const path of paths) {
    const names = symbolsOf(path).filter(
      ({ visibility, name, isTest }) => visibility !== 'private' && name.length >= shortestName && !isTest,
    )
    for (const name of new Set(names.map((one) => one.name)))
      remembered(owners, name, (): string[] => []).push(path)
  }
  return new Map([...owners].filter(([, files]) => files.length <= mostOwners))
}

function wordsRemoved(hunks: readonly Hunk[]): Set<string> {
  const removed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'removed'))
  return new Set(removed.flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []))
}

function namesUsed(facts: FileFacts | undefined): Set<string> {
  return new Set([
    ...(facts?.imports ?? []).map(({ imported }) => imported),
    ...(facts?.references ?? []).filter(({ shadowed }) => !shadowed).map(({ name }) => name),
  ])
}
