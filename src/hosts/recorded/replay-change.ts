/** A change as it was read by an earlier run. Nothing else is known of its repository. */
import { count } from '../../base/count.ts'
import { UserError } from '../../base/errors.ts'
import { isWithin } from '../../base/file-paths.ts'
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import type { CollectedChange } from '../contract.ts'
import { ChangeReads, failAgain, type TreeReads } from './reads.ts'

/** Throws `run-unreadable` for reads that are damaged, and later for what the earlier run had not read. */
export function replayChange(reads: string): CollectedChange {
  const recorded = parse(reads)
  const { request, repositoryLabel, diff, base, head } = recorded
  const [blobs, history] = [new Map(recorded.blobs), new Map(recorded.history)]
  return {
    request,
    repositoryLabel,
    base: replaySnapshot(base, blobs),
    head: replaySnapshot(head, blobs),
    history: {
      async recent(limit) {
        return history.get(String(limit)) ?? notRead(`the last ${count(limit, 'commit')}`)
      },
    },
    async diff() {
      if (!diff) return notRead('the diff')
      return {
        overflow: diff.overflow,
        ...(diff.unlisted ? { unlisted: diff.unlisted } : {}),
        files: diff.files.map((file) => ({
          ...file,
          patch: file.patch === null ? null : Buffer.from(file.patch, 'latin1'),
        })),
      }
    },
    close: async () => {},
  }
}

function parse(reads: string): ChangeReads {
  try {
    return ChangeReads.parse(JSON.parse(reads))
  } catch (error) {
    // It was checked against its hash before, so that this is as it was written.
    throw new UserError(
      'run-unreadable',
      'the repository data of this run has an unknown format: another version of Sightline wrote it; review the change again',
      { cause: error },
    )
  }
}

function replaySnapshot(reads: TreeReads, blobs: ReadonlyMap<string, string>): RepoSnapshot {
  const [entries, texts, words] = [new Map(reads.entries), new Map(reads.texts), new Map(reads.words)]
  const below = new Map(reads.below)
  const textAt = (path: string): FileText | null => {
    if (!texts.has(path)) failAgain(reads.failed, `text ${path}`)
    const file = texts.get(path)
    if (file === undefined) return notRead(path)
    const text = file && blobs.get(file.blob)
    return text === undefined ? notRead(path) : file && text !== null ? { ...file, text } : null
  }
  return {
    tree: reads.tree,
    async list() {
      if (!reads.list) failAgain(reads.failed, 'list')
      return reads.list ?? notRead('the list of files')
    },
    async listBelow(folder) {
      const known = below.get(folder)
      if (known) return known
      failAgain(reads.failed, `below ${folder}`)
      // Earlier versions listed the whole tree for it.
      if (!reads.list) failAgain(reads.failed, 'list')
      const all = reads.list ?? notRead(`the list of ${folder}`)
      return all.filter(({ path }) => isWithin(path, [folder]))
    },
    async entry(path) {
      if (!entries.has(path)) failAgain(reads.failed, `entry ${path}`)
      const entry = entries.get(path)
      return entry === undefined ? notRead(path) : entry
    },
    read: async (path) => textAt(path),
    async readMany(paths) {
      return new Map(
        paths.flatMap((path) => {
          const file = textAt(path)
          return file ? [[path, file] as const] : []
        }),
      )
    },
    async filesWithWords(asked) {
      const found = new Map<string, readonly string[]>()
      for (const word of asked) {
        if (!words.has(word)) failAgain(reads.failed, `word ${word}`)
        const paths = words.get(word)
        if (paths === undefined) return notRead(`the files with the word ${word}`)
        if (paths) found.set(word, paths)
      }
      return found
    },
  }
}

function notRead(what: string): never {
  throw new UserError(
    'run-unreadable',
    `the run did not read ${what}: another version of Sightline wrote it; review the change again`,
  )
}
