/** Reads a commit from its object, so that no pretty-printer, mailmap or signature checker is involved. */
import { joinLines } from '../trim-text.ts'
import type { ObjectReader } from './object-reader.ts'

export type CommitObject = {
  id: string
  tree: string
  /** As recorded: in a shallow clone they may not be here. */
  parents: string[]
  /** `Name <address>`. */
  author: string
  /** When it was committed, in seconds since 1970. */
  time: number
  /** First paragraph of the message on one line, as git's `%s`. */
  subject: string
  /** The message after the first paragraph. */
  body: string
}

/** A commit with more, message and headers together, is not read. */
export const maxCommitBytes = 1024 * 1024

/** The commit, or null when `id` is missing, is no commit, or is larger than a megabyte. */
export async function readCommit(objects: ObjectReader, id: string): Promise<CommitObject | null> {
  const content = await objects.read(id, maxCommitBytes)
  return content?.type === 'commit' && content.bytes ? parseCommit(content.id, content.bytes) : null
}

export function parseCommit(id: string, bytes: Buffer): CommitObject {
  const cut = bytes.indexOf('\n\n')
  const head = bytes.subarray(0, cut < 0 ? bytes.length : cut)
  const encoding = /^encoding (\S+)$/m.exec(head.toString('latin1'))?.[1] ?? 'utf-8'
  const headers = decode(head, encoding).split('\n')
  const values = (key: string) =>
    headers.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1))
  const message = cut < 0 ? '' : decode(bytes.subarray(cut + 2), encoding).trim()
  const gap = message.search(/\n[ \t]*\n/)
  return {
    id,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: (values('author')[0] ?? '').replace(/ -?\d+ [+-]\d+$/, ''),
    time: Number(/ (\d+) [+-]\d+$/.exec(values('committer')[0] ?? '')?.[1] ?? 0),
    subject: joinLines(gap < 0 ? message : message.slice(0, gap)),
    body: gap < 0 ? '' : message.slice(gap).trim(),
  }
}

/** Commits name their encoding when it is not UTF-8; an unknown name is read as UTF-8 all the same. */
function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
