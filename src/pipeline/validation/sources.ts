/** What the checks read: both sides of the change as text and as facts, each file once. */
import { once, remembered } from '../../base/remembered.ts'
import type { FileFacts } from '../../code-index/contract.ts'
import type { World } from '../../code-index/resolve/contract.ts'
import { openWorld } from '../../code-index/resolve/world.ts'
import { type ChangeSet, pathOn, type Side } from '../../domain/change-set.ts'
import type { FileText, RepoHistory } from '../../domain/snapshot.ts'
import type { CodeSides } from '../stage-input.ts'

export type Sources = {
  readonly change: ChangeSet
  readonly history: RepoHistory | null
  /** Null when the file is absent, binary, too large or missing. At the base, a renamed file answers to both names. */
  text(side: Side, path: string): Promise<FileText | null>
  /** The lines without their line feeds; null as above. */
  lines(side: Side, path: string): Promise<readonly string[] | null>
  /** Null for a file that cannot be read or parsed. */
  facts(side: Side, path: string): Promise<FileFacts | null>
  /** Facts of a text that is in no file yet. */
  factsOfText(path: string, blob: string, text: string): Promise<FileFacts | null>
  /** Paths at the head that hold the word as a whole identifier, in path order. */
  headFilesWith(word: string): Promise<readonly string[]>
  /** Those among the files that are too large to be read, and whatever cannot be searched. */
  headLargeFilesWith(word: string): Promise<readonly string[]>
  /** Every path at the head. */
  headPaths(): Promise<ReadonlySet<string>>
  /** The tree before the change, as the resolvers of the code index see it. */
  worldBefore(): Promise<World>
  /** The tree after the change, likewise. */
  worldAfter(): Promise<World>
  /** Reads in a few round trips what will be needed. Optional: everything is also read on demand. */
  preload(wanted: { base: Iterable<string>; head: Iterable<string>; words: Iterable<string> }): Promise<void>
}

export type SourcesInput = CodeSides & { change: ChangeSet; history: RepoHistory | null }

export function openSources({ change, base, head, facts, history }: SourcesInput): Sources {
  const snapshots = { old: base, new: head }
  const texts = { old: new Map<string, FileText | null>(), new: new Map<string, FileText | null>() }
  const linesOf = new Map<string, readonly string[]>()
  const filesByWord = new Map<string, readonly string[]>()
  const openWorldOn = (side: Side) =>
    openWorld(
      snapshots[side],
      facts,
      change.files.map((file) => pathOn(side, file)),
    )
  const earlierName = new Map(
    change.files.flatMap((file) => (file.oldPath === null ? [] : [[file.path, file.oldPath] as const])),
  )

  const readOnce = async (side: Side, path: string): Promise<FileText | null> => {
    const known = texts[side].get(path)
    if (known !== undefined) return known
    const text = await snapshots[side].read(path)
    texts[side].set(path, text)
    return text
  }

  const text = async (side: Side, path: string): Promise<FileText | null> => {
    const found = await readOnce(side, path)
    const earlier = side === 'old' ? earlierName.get(path) : undefined
    return found ?? (earlier === undefined ? null : readOnce(side, earlier))
  }

  const factsOfText = async (path: string, blob: string, content: string): Promise<FileFacts | null> =>
    (await facts.facts([{ path, blob, text: content }])).get(path) ?? null

  return {
    change,
    history,
    text,
    factsOfText,
    async lines(side, path) {
      const file = await text(side, path)
      if (!file) return null
      return remembered(linesOf, file.blob, () => splitLines(file.text))
    },
    async facts(side, path) {
      const file = await text(side, path)
      return file && factsOfText(path, file.blob, file.text)
    },
    async headFilesWith(word) {
      const known = filesByWord.get(word)
      if (known) return known
      const found = (await head.filesWithWords([word])).get(word) ?? []
      filesByWord.set(word, found)
      return found
    },
    headLargeFilesWith: async (word) => (await head.largeFilesWithWords?.([word])) ?? [],
    headPaths: once(async () => new Set((await head.list()).map((entry) => entry.path))),
    worldBefore: once(() => openWorldOn('old')),
    worldAfter: once(() => openWorldOn('new')),
    async preload({ base: basePaths, head: headPaths, words }) {
      for (const [side, paths] of [
        ['old', [...new Set(basePaths)]],
        ['new', [...new Set(headPaths)]],
      ] as const) {
        const found = await snapshots[side].readMany(paths)
        for (const path of paths) texts[side].set(path, found.get(path) ?? null)
      }
      const wanted = [...new Set(words)]
      if (wanted.length === 0) return
      const found = await head.filesWithWords(wanted)
      for (const word of wanted) filesByWord.set(word, found.get(word) ?? [])
    },
  }
}

/** A line feed at the end of the file starts no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
