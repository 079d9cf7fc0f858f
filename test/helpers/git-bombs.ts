/** Objects that no honest git writes: a few hundred bytes that stand for more than any machine can hold. */
import type { TestRepo } from './git-repo.ts'
import { runToItsEnd } from './starter/start.ts'

/** Any repository that git runs in; the red team builds its own, without a test around it. */
type Repo = Pick<TestRepo, 'path' | 'git'>

/** Writes an object without any check; returns its id. */
export function writeObject(repo: Repo, type: string, input: string | Uint8Array): string {
  const args = ['hash-object', '-w', '--literally', '-t', type, '--stdin']
  return runToItsEnd('git', args, { cwd: repo.path, input: Buffer.from(input) }).trim()
}

type Entry = readonly [mode: string, name: string, id: string]

export function writeTree(repo: Repo, entries: readonly Entry[]): string {
  const parts = entries.map(([mode, name, id]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  )
  return writeObject(repo, 'tree', Buffer.concat(parts))
}

/** A tree of `width` to the power of `depth` entries, each the same `leaf`. */
export function writeBomb(repo: Repo, leaf: Entry, width: number, depth: number): string {
  let [mode, , id] = leaf
  for (let level = 0; level < depth; level++) {
    const entries = Array.from({ length: width }, (_, at): Entry => [mode, `${leaf[1]}${at + 1000}`, id])
    ;[mode, id] = ['40000', writeTree(repo, entries)]
  }
  return id
}

/** A commit of any tree; returns its id. */
export function commitTree(repo: Repo, tree: string, ...parents: string[]): string {
  return repo.git(
    'commit-tree',
    '--no-gpg-sign',
    tree,
    ...parents.flatMap((one) => ['-p', one]),
    '-m',
    'change',
  )
}
