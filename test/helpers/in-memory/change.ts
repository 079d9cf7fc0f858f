/** A change between two trees that are only texts: no repository and no git, so that thousands of reviews are cheap. */
import { createHash } from 'node:crypto'
import { createTwoFilesPatch } from 'diff'
import { hashOfWord, holdsWord, type WordHashes, WordReader } from '../../../src/base/word-hashes.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { ChangeSet } from '../../../src/domain/change-set.ts'
import type { FileText, RepoHistory, RepoSnapshot, TreeEntry } from '../../../src/domain/snapshot.ts'
import type { CollectedChange, RawFileDiff } from '../../../src/hosts/contract.ts'
import { decodeText } from '../../../src/hosts/local/blob-text.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import type { Files } from '../git-repo.ts'

/** Text by path. */
export type Texts = Readonly<Record<string, string>>
/** Over other texts; null removes a file. */
export type Changed = Readonly<Record<string, string | null>>

export function changeOf(base: Texts, head: Texts, title = 'Change it'): CollectedChange {
  const [before, after] = [new TextSnapshot(base), new TextSnapshot(head)]
  return {
    request: {
      schemaVersion: 1,
      source: { kind: 'commit', label: 'a change in memory' },
      objectFormat: 'sha1',
      base: { commit: null, tree: before.tree },
      head: { commit: null, tree: after.tree },
      title,
      body: '',
      author: 'Ada',
      limits: [],
      unread: [],
    },
    base: before,
    head: after,
    history: noHistory,
    repositoryLabel: 'memory',
    diff: async () => ({ files: diffOf(base, head), overflow: [] }),
    close: async () => {},
  }
}

export function changeOver(base: Texts, changed: Changed, title?: string): CollectedChange {
  const after = Object.entries({ ...base, ...changed })
  return changeOf(
    base,
    Object.fromEntries(after.filter((one): one is [string, string] => one[1] !== null)),
    title,
  )
}

/** `changed` over `base`, and what a review reads of its diff. */
export async function readChange(
  base: Texts,
  changed: Changed,
): Promise<{ change: CollectedChange; set: ChangeSet }> {
  const change = changeOver(base, changed)
  return {
    change,
    set: await readChangeSet(await change.diff(), { ...defaultConfig.paths, base: change.base }),
  }
}

const noHistory: RepoHistory = { recent: async () => ({ commits: [], complete: true }) }

/** What a file without text holds is in nobody's way: it is listed, and cannot be read. */
export function memorySnapshot(files: Readonly<Files>): RepoSnapshot {
  return new TextSnapshot(files)
}

type MemoryFile = { entry: TreeEntry; text: FileText | null }

class TextSnapshot implements RepoSnapshot {
  readonly tree: string
  private readonly files: ReadonlyMap<string, MemoryFile>

  constructor(files: Readonly<Files>) {
    const paths = Object.keys(files).sort()
    this.files = new Map(paths.map((path) => [path, fileOf(path, files[path] ?? '')]))
    this.tree = blobOf([...this.files].map(([path, { entry }]) => `${path} ${entry.blob}`).join('\n'))
  }

  async list(): Promise<readonly TreeEntry[]> {
    return [...this.files.values()].map(({ entry }) => entry)
  }

  async entry(path: string): Promise<TreeEntry | null> {
    return this.files.get(path)?.entry ?? null
  }

  async read(path: string): Promise<FileText | null> {
    return this.files.get(path)?.text ?? null
  }

  async readMany(paths: readonly string[]): Promise<ReadonlyMap<string, FileText>> {
    return new Map(
      paths.flatMap((path) => {
        const text = this.files.get(path)?.text
        return text ? [[path, text] as const] : []
      }),
    )
  }

  async filesWithWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const holders = (hash: number) =>
      [...this.files].flatMap(([path, { text }]) => (text && holdsWord(wordsOf(text), hash) ? [path] : []))
    return new Map(words.map((word) => [word, holders(hashOfWord(word))]))
  }
}

function fileOf(path: string, content: string | Uint8Array): MemoryFile {
  const blob = blobOf(content)
  const read =
    typeof content === 'string' ? { text: content, lossy: false } : decodeText(Buffer.from(content))
  const entry = { path, mode: '100644', blob, size: Buffer.byteLength(content) }
  return { entry, text: read && { ...read, blob } }
}

const kept = new Map<string, WordHashes>()
/** Past this all are let go: a run of thousands of changes must not hold the words of each. */
const mostKept = 2_000
const reader = new WordReader()

function wordsOf({ blob, text }: FileText): WordHashes {
  const known = kept.get(blob)
  if (known) return known
  if (kept.size >= mostKept) kept.clear()
  const words = reader.hashesOf(Buffer.from(text))
  kept.set(blob, words)
  return words
}

function diffOf(base: Texts, head: Texts): RawFileDiff[] {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort()
  return paths.flatMap((path) => {
    const [before, after] = [base[path], head[path]]
    if (before === after) return []
    const patch = patchOf(path, before ?? '', after ?? '')
    const count = (sign: string) =>
      patch.split('\n').filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length
    return {
      path,
      oldPath: null,
      status: before === undefined ? 'A' : after === undefined ? 'D' : 'M',
      similarity: null,
      oldMode: before === undefined ? null : '100644',
      newMode: after === undefined ? null : '100644',
      oldBlob: before === undefined ? null : blobOf(before),
      newBlob: after === undefined ? null : blobOf(after),
      added: count('+'),
      removed: count('-'),
      patch: Buffer.from(patch),
      omitted: null,
    }
  })
}

/** Where one side is empty there is nothing to compare; comparing would take longer than what is measured. */
function patchOf(path: string, before: string, after: string): string {
  const head = `diff --git a/${path} b/${path}\n`
  if (before !== '' && after !== '')
    return `${head}${createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, '', '', { context: 3 })}`
  const sign = before === '' ? '+' : '-'
  const text = before === '' ? after : before
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  if (isEnded) lines.pop()
  const range = sign === '+' ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`
  const end = isEnded ? '' : '\\ No newline at end of file\n'
  return `${head}--- a/${path}\n+++ b/${path}\n@@ ${range} @@\n${lines.map((line) => `${sign}${line}\n`).join('')}${end}`
}

/** As git names it. */
export function blobOf(content: string | Uint8Array): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex')
}
