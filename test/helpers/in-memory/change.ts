/** A change between two trees that are only texts: no repository and no git, so that thousands of reviews are cheap. */
import { createHash } from 'node:crypto'
import { createTwoFilesPatch } from 'diff'
import type { FileText, RepoHistory, RepoSnapshot, TreeEntry } from '../../../src/domain/snapshot.ts'
import type { CollectedChange, RawFileDiff } from '../../../src/hosts/contract.ts'

/** Text by path. */
export type Texts = Readonly<Record<string, string>>

export function changeOf(base: Texts, head: Texts): CollectedChange {
  const [before, after] = [new TextSnapshot(base), new TextSnapshot(head)]
  return {
    request: {
      schemaVersion: 1,
      source: { kind: 'commit', label: 'a change in memory' },
      objectFormat: 'sha1',
      base: { commit: null, tree: before.tree },
      head: { commit: null, tree: after.tree },
      title: 'Change it',
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

const noHistory: RepoHistory = { recent: async () => ({ commits: [], complete: true }) }

class TextSnapshot implements RepoSnapshot {
  readonly tree: string
  private readonly files: ReadonlyMap<string, FileText>

  constructor(texts: Texts) {
    this.files = new Map(
      Object.keys(texts)
        .sort()
        .map((path) => {
          const text = texts[path] ?? ''
          return [path, { text, blob: idOf(text), lossy: false }]
        }),
    )
    this.tree = idOf([...this.files].map(([path, { blob }]) => `${path} ${blob}`).join('\n'))
  }

  async list(): Promise<readonly TreeEntry[]> {
    return [...this.files].map(([path, file]) => entryOf(path, file))
  }

  async entry(path: string): Promise<TreeEntry | null> {
    const file = this.files.get(path)
    return file ? entryOf(path, file) : null
  }

  async read(path: string): Promise<FileText | null> {
    return this.files.get(path) ?? null
  }

  async readMany(paths: readonly string[]): Promise<ReadonlyMap<string, FileText>> {
    return new Map(
      paths.flatMap((path) => {
        const file = this.files.get(path)
        return file ? [[path, file] as const] : []
      }),
    )
  }

  async filesWithWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const holders = (word: string) =>
      [...this.files].flatMap(([path, { blob, text }]) => (wordsOf(blob, text).has(word) ? [path] : []))
    return new Map(words.map((word) => [word, holders(word)]))
  }
}

function entryOf(path: string, { blob, text }: FileText): TreeEntry {
  return { path, mode: '100644', blob, size: Buffer.byteLength(text) }
}

const kept = new Map<string, ReadonlySet<string>>()
/** Past this all are let go: a run of thousands of changes must not hold the words of each. */
const mostKept = 2_000

function wordsOf(blob: string, text: string): ReadonlySet<string> {
  const known = kept.get(blob)
  if (known) return known
  if (kept.size >= mostKept) kept.clear()
  const words = new Set(text.match(/[\p{L}\p{N}_$]+/gu))
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
      oldBlob: before === undefined ? null : idOf(before),
      newBlob: after === undefined ? null : idOf(after),
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

function idOf(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex')
}
