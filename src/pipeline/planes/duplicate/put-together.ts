/** Files that a build puts together from others: what they repeat is written once. */
import { compareText } from '../../../base/compare-text.ts'
import { remembered } from '../../../base/remembered.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { HeadFile } from './find-twin.ts'
import { isComparable, isComparablePath, type Subject } from './subjects.ts'

/** A file whose functions are those of so many others is put together from them. */
export const fewestSources = 3
/** Functions of the file that are looked for in others, the longest first. */
const mostFunctions = 40
const mostFiles = 60

type Read = (paths: readonly string[]) => Promise<ReadonlyMap<string, HeadFile>>

/** By all functions of the file, since a change may bring a single one of them up to date. Asked once for each file. */
export function openPutTogether(head: RepoSnapshot, read: Read): (subject: Subject) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (subject) => remembered(known, subject.file.path, () => isPutTogether(subject, head, read))
}

async function isPutTogether({ file, facts }: Subject, head: RepoSnapshot, read: Read): Promise<boolean> {
  const functions = facts.symbols
    .filter(isComparable)
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine))
    .slice(0, mostFunctions)
  const bodies = new Set(functions.map(({ bodyHash }) => bodyHash))
  const names = [...new Set(functions.map(({ name }) => name))]
  if (names.length < fewestSources) return false
  const found = await head.filesWithWords(names)
  const others = [...new Set([...found.values()].flat())]
    .filter((path) => path !== file.path && isComparablePath(path))
    .sort(compareText)
    .slice(0, mostFiles)
  const known = await read(others)
  const sources = others
    .flatMap((path) => known.get(path) ?? [])
    .filter(
      (other) =>
        other.facts.lineCount < facts.lineCount &&
        other.facts.symbols.some((symbol) => isComparable(symbol) && bodies.has(symbol.bodyHash)),
    )
  return sources.length >= fewestSources
}
