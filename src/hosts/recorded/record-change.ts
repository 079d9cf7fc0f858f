/** Hands a collected change on and keeps what is read through it. */
import { canonicalJson } from '../../base/canonical-json.ts'
import type { FileText, RepoHistory, RepoSnapshot } from '../../domain/snapshot.ts'
import type { CollectedChange } from '../contract.ts'
import type { ChangeReads, TreeReads } from './reads.ts'

export type RecordedChange = {
  change: CollectedChange
  /** Everything read so far, as canonical JSON. */
  reads(): string
}

export function recordChange(change: CollectedChange): RecordedChange {
  const blobs: Record<string, string> = {}
  const base = emptyReads(change.base.tree)
  const head = emptyReads(change.head.tree)
  const history: ChangeReads['history'] = {}
  let diff: ChangeReads['diff'] = null
  const { request, repositoryLabel } = change
  return {
    reads: () =>
      canonicalJson({ request, repositoryLabel, diff, base, head, history, blobs } satisfies ChangeReads),
    change: {
      request,
      repositoryLabel,
      base: recordSnapshot(change.base, base, blobs),
      head: recordSnapshot(change.head, head, blobs),
      history: recordHistory(change.history, history),
      async diff() {
        const raw = await change.diff()
        diff = {
          overflow: raw.overflow,
          files: raw.files.map((file) => ({
            ...file,
            patch: file.patch === null ? null : Buffer.from(file.patch).toString('base64'),
          })),
        }
        return raw
      },
      close: () => change.close(),
    },
  }
}

function emptyReads(tree: string): TreeReads {
  return { tree, list: null, entries: {}, texts: {}, words: {} }
}

function recordSnapshot(
  snapshot: RepoSnapshot,
  reads: TreeReads,
  blobs: Record<string, string>,
): RepoSnapshot {
  const keep = (path: string, file: FileText | null): void => {
    reads.texts[path] = file && { blob: file.blob, lossy: file.lossy }
    if (file) blobs[file.blob] = file.text
  }
  const { changesSince } = snapshot
  return {
    tree: snapshot.tree,
    async list() {
      const entries = await snapshot.list()
      reads.list = [...entries]
      return entries
    },
    async entry(path) {
      const entry = await snapshot.entry(path)
      reads.entries[path] = entry
      return entry
    },
    async read(path) {
      const file = await snapshot.read(path)
      keep(path, file)
      return file
    },
    async readMany(paths) {
      const files = await snapshot.readMany(paths)
      for (const path of paths) keep(path, files.get(path) ?? null)
      return files
    },
    async filesWithWords(words) {
      const found = await snapshot.filesWithWords(words)
      for (const word of words) {
        const paths = found.get(word)
        reads.words[word] = paths ? [...paths] : null
      }
      return found
    },
    // Only makes the index faster; no answer depends on it.
    ...(changesSince ? { changesSince: changesSince.bind(snapshot) } : {}),
  }
}

function recordHistory(history: RepoHistory, reads: ChangeReads['history']): RepoHistory {
  return {
    async recent(limit) {
      const answer = await history.recent(limit)
      reads[String(limit)] = {
        complete: answer.complete,
        commits: answer.commits.map((commit) => ({ ...commit, paths: [...commit.paths] })),
      }
      return answer
    },
  }
}
