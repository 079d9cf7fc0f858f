/** Hands a collected change on and keeps what is read through it. */

import { canonicalJson } from '../../base/canonical-json.ts'
import { compareText } from '../../base/compare-text.ts'
import {
  entriesBelow,
  type FileText,
  type RepoHistory,
  type RepoSnapshot,
  type TreeEntry,
} from '../../domain/snapshot.ts'
import type { CollectedChange, RawDiff } from '../contract.ts'
import { type ChangeReads, recordFailures, type TreeReads } from './reads.ts'

export type RecordedChange = {
  change: CollectedChange
  /** Everything read so far, as canonical JSON. */
  reads(): string
}

export function recordChange(change: CollectedChange): RecordedChange {
  const blobs = new Map<string, string>()
  const base = recordSnapshot(change.base, blobs)
  const head = recordSnapshot(change.head, blobs)
  const past = recordHistory(change.history)
  let diff: ChangeReads['diff'] = null
  const { request, repositoryLabel } = change
  return {
    reads: () =>
      canonicalJson({
        request,
        repositoryLabel,
        diff,
        base: base.reads(),
        head: head.reads(),
        history: past.reads(),
        blobs: inOrder(blobs),
      } satisfies ChangeReads),
    change: {
      request,
      repositoryLabel,
      base: base.snapshot,
      head: head.snapshot,
      history: past.history,
      async diff() {
        const raw = await change.diff()
        diff = asPlain(raw)
        return raw
      },
      close: () => change.close(),
    },
  }
}

type RecordedSnapshot = { snapshot: RepoSnapshot; reads(): TreeReads }

function recordSnapshot(snapshot: RepoSnapshot, blobs: Map<string, string>): RecordedSnapshot {
  const entries = new Map<string, TreeEntry | null>()
  const texts = new Map<string, Omit<FileText, 'text'> | null>()
  const words = new Map<string, string[] | null>()
  const below = new Map<string, TreeEntry[]>()
  let list: TreeEntry[] | null = null
  const failures = recordFailures()
  const keep = (path: string, file: FileText | null): void => {
    texts.set(path, file && { blob: file.blob, lossy: file.lossy })
    if (file) blobs.set(file.blob, file.text)
  }
  const { tree, changesSince } = snapshot
  return {
    reads: () => ({
      tree,
      list,
      ...(below.size > 0 ? { below: inOrder(below) } : {}),
      entries: inOrder(entries),
      texts: inOrder(texts),
      words: inOrder(words),
      ...failures.reads(),
    }),
    snapshot: {
      tree,
      async list() {
        const all = await failures.noting(['list'], snapshot.list())
        list = [...all]
        return all
      },
      async listBelow(folder) {
        const some = await failures.noting([`below ${folder}`], entriesBelow(snapshot, folder))
        below.set(folder, [...some])
        return some
      },
      async entry(path) {
        const entry = await failures.noting([`entry ${path}`], snapshot.entry(path))
        entries.set(path, entry)
        return entry
      },
      async read(path) {
        const file = await failures.noting([`text ${path}`], snapshot.read(path))
        keep(path, file)
        return file
      },
      async readMany(paths) {
        const files = await failures.noting(
          paths.map((path) => `text ${path}`),
          snapshot.readMany(paths),
        )
        for (const path of paths) keep(path, files.get(path) ?? null)
        return files
      },
      async filesWithWords(asked) {
        const found = await failures.noting(
          asked.map((word) => `word ${word}`),
          snapshot.filesWithWords(asked),
        )
        for (const word of asked) words.set(word, copyOf(found.get(word)))
        return found
      },
      // Only makes the index faster; no answer depends on it.
      ...(changesSince ? { changesSince: changesSince.bind(snapshot) } : {}),
    },
  }
}

function recordHistory(history: RepoHistory): { history: RepoHistory; reads(): ChangeReads['history'] } {
  const answers = new Map<string, ChangeReads['history'][number][1]>()
  return {
    reads: () => inOrder(answers),
    history: {
      async recent(limit) {
        const answer = await history.recent(limit)
        const commits = answer.commits.map((commit) => ({ ...commit, paths: [...commit.paths] }))
        answers.set(String(limit), { complete: answer.complete, commits })
        return answer
      },
    },
  }
}

function asPlain({ files, ...beyond }: RawDiff): ChangeReads['diff'] {
  const latin = (patch: Uint8Array) => Buffer.from(patch).toString('latin1')
  return { ...beyond, files: files.map((file) => ({ ...file, patch: file.patch && latin(file.patch) })) }
}

function copyOf(paths: readonly string[] | undefined): string[] | null {
  return paths ? [...paths] : null
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => compareText(a, b))
}
