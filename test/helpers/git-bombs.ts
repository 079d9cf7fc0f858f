/** Objects that no honest git writes: a few hundred bytes that stand for more than any machine can hold. */
import { execFileSync } from 'node:child_process'
import type { TestRepo } from './git-repo.ts'

/** Writes an object without any check; returns its id. */
export function writeObject(repo: TestRepo, type: string, input: string | Uint8Array): string {
  const args = ['hash-object', '-w', '--literally', '-t', type, '--stdin']
  return execFileSync('git', args, { cwd: repo.path, input, encoding: 'utf8' }).trim()
}

type Entry = readonly [mode: string, name: string, id: string]

export function writeTree(repo: TestRepo, entries: readonly Entry[]): string {
  const parts = entries.map(([mode, name, id]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  )
  return writeObject(repo, 'tree', Buffer.concat(parts))
}

/** A tree of `width` to the power of `depth` entries, each the same `leaf`. */
export function writeBomb(repo: TestRepo, leaf: Entry, width: number, depth: number): string {
  let [mode, , id] = leaf
  for (let level = 0; level < depth; level++) {
    const entries = Array.from({ length: width }, (_, at): Entry => [mode, `${leaf[1]}${at + 1000}`, id])
    ;[mode, id] = ['40000', writeTree(repo, entries)]
  }
  return id
}

/** A commit of any tree; returns its id. */
export function commitTree(repo: TestRepo, tree: string, ...parents: string[]): string {
  return repo.git(
    'commit-tree',
    '--no-gpg-sign',
    tree,
    ...parents.flatMap((one) => ['-p', one]),
    '-m',
    'change',
  )
}
