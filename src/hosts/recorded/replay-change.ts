/** A change as it was read by an earlier run. Nothing else is known of its repository. */
import { UserError } from '../../base/errors.ts'
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import type { CollectedChange } from '../contract.ts'
import { ChangeReads, type TreeReads } from './reads.ts'

/** Throws `run-unreadable` for reads that are damaged, and later for what the earlier run had not read. */
export function replayChange(reads: string): CollectedChange {
  const recorded = parse(reads)
  const { request, repositoryLabel, diff, base, head, history, blobs } = recorded
  return {
    request,
    repositoryLabel,
    base: replaySnapshot(base, blobs),
    head: replaySnapshot(head, blobs),
    history: {
      async recent(limit) {
        return history[String(limit)] ?? notRead(`the last ${limit} commits`)
      },
    },
    async diff() {
      if (!diff) return notRead('the diff')
      return {
        overflow: diff.overflow,
        files: diff.files.map((file) => ({
          ...file,
          patch: file.patch === null ? null : Buffer.from(file.patch, 'base64'),
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
    throw new UserError('run-unreadable', 'what the run read of its repository is damaged', { cause: error })
  }
}

function replaySnapshot(reads: TreeReads, blobs: Readonly<Record<string, string>>): RepoSnapshot {
  const textAt = (path: string): FileText | null => {
    if (!Object.hasOwn(reads.texts, path)) return notRead(path)
    const file = reads.texts[path]
    if (!file) return null
    const text = blobs[file.blob]
    return text === undefined ? notRead(path) : { ...file, text }
  }
  return {
    tree: reads.tree,
    list: async () => reads.list ?? notRead('the list of files'),
    entry: async (path) =>
      Object.hasOwn(reads.entries, path) ? (reads.entries[path] ?? null) : notRead(path),
    read: async (path) => textAt(path),
    async readMany(paths) {
      return new Map(
        paths.flatMap((path) => {
          const file = textAt(path)
          return file ? [[path, file] as const] : []
        }),
      )
    },
    async filesWithWords(words) {
      const found = new Map<string, readonly string[]>()
      for (const word of words) {
        if (!Object.hasOwn(reads.words, word)) return notRead(`the files with the word ${word}`)
        const paths = reads.words[word]
        if (paths) found.set(word, paths)
      }
      return found
    },
  }
}

function notRead(what: string): never {
  throw new UserError(
    'run-unreadable',
    `the run did not read ${what}, so another version of this program made it`,
  )
}
