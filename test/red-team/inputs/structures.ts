/** Repositories and files whose structure is the attack: bombs, pipes, limits of their own, runs to import. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { commitTree, writeBomb, writeObject, writeTree } from '../../helpers/git-bombs.ts'
import type { HostileInput, Repository } from './contract.ts'

type Entry = readonly [mode: string, name: string, id: string]

/** One file changes, and `extra` stands beside it: in both trees, or only in the changed one. */
function around(make: (repository: Repository) => Entry, inBase: boolean): (repository: Repository) => null {
  return (repository) => {
    const extra = make(repository)
    const file = (text: string): Entry => ['100644', 'a.ts', writeObject(repository, 'blob', text)]
    const base = writeTree(repository, [file('export const a = 1\n'), ...(inBase ? [extra] : [])])
    const head = writeTree(repository, [file('export const a = 2\n'), extra])
    const first = commitTree(repository, base)
    repository.git('update-ref', 'refs/heads/main', commitTree(repository, head, first))
    return null
  }
}

const emptyFolders = (repository: Repository): Entry => [
  '40000',
  'bomb',
  writeBomb(repository, ['40000', 'd', writeTree(repository, [])], 1000, 3),
]
const manyFiles = (repository: Repository): Entry => [
  '40000',
  'bomb',
  writeBomb(repository, ['100644', 'f', writeObject(repository, 'blob', 'x\n')], 1000, 3),
]
/** As many as a listing still takes, so that all of them are in the change. */
const manyFilesThatFit = (repository: Repository): Entry => [
  '40000',
  'many',
  writeBomb(repository, ['100644', 'f', writeObject(repository, 'blob', 'x\n')], 435, 2),
]
const longName = (repository: Repository): Entry => [
  '100644',
  'n'.repeat(60_000_000),
  writeObject(repository, 'blob', 'x\n'),
]
/** Half a gigabyte of zeros, in half a megabyte of the object store. */
const hugeFile = (repository: Repository): Entry => [
  '100644',
  'huge.ts',
  writeObject(repository, 'blob', Buffer.alloc(500_000_000, '\n')),
]

/** As large as a file may be that git still compares; each is a few kilobytes of the object store. */
const largeFiles = (repository: Repository): Entry => [
  '40000',
  'large',
  writeTree(
    repository,
    Array.from({ length: 50 }, (_, at): Entry => {
      const id = writeObject(repository, 'blob', Buffer.alloc(20_000_000 - at, 'x\n'))
      return ['100644', `f${at + 10}.ts`, id]
    }),
  ),
]

const change = {
  base: { 'a.ts': 'export const a = 1\n' },
  head: { 'a.ts': 'export const a = 2\n' },
}

function makePipe(path: string): void {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
}

/** What could not be looked at makes the review incomplete, and no more. */
const incomplete = [4]
/** Refused before a review begins, and `says` has why. */
const unusable = [3]

export const structures: readonly HostileInput[] = [
  {
    name: 'a tree of 10⁹ empty folders, added',
    build: around(emptyFolders, false),
    codes: unusable,
    says: /more files than can be read/,
  },
  { name: 'a tree of 10⁹ empty folders, in the base', build: around(emptyFolders, true), codes: incomplete },
  {
    name: 'a tree of 10⁹ files, added',
    build: around(manyFiles, false),
    codes: unusable,
    says: /more files than can be read/,
  },
  { name: 'a tree of 10⁹ files, in the base', build: around(manyFiles, true), codes: incomplete },
  {
    name: 'a tree of 189,225 files, added',
    build: around(manyFilesThatFit, false),
    codes: incomplete,
    says: /and 186,?026 more files/,
  },
  { name: 'a name of 60 MB, added', build: around(longName, false), codes: incomplete },
  { name: 'a file of 500 MB, added', build: around(hugeFile, false), codes: incomplete },
  { name: 'a file of 500 MB, in the base', build: around(hugeFile, true), codes: [0] },
  { name: 'fifty files of 20 MB, added', build: around(largeFiles, false), codes: incomplete },
  { name: 'fifty files of 20 MB, in the base', build: around(largeFiles, true), codes: [0] },
  {
    name: 'a named pipe as .gitignore',
    ...change,
    build: ({ path }) => {
      writeFileSync(join(path, 'a.ts'), 'export const a = 3\n')
      makePipe(join(path, '.gitignore'))
      return ['review', '--uncommitted']
    },
    codes: unusable,
    says: /\.gitignore is not a regular file/,
  },
  {
    name: 'a named pipe as an object',
    ...change,
    build: ({ path, git }) => {
      const id = git('rev-parse', 'HEAD:a.ts')
      makePipe(join(path, '.git/objects', id.slice(0, 2), id.slice(2)))
      return null
    },
    codes: unusable,
    says: /is not a regular file, and git would wait/,
  },
  {
    name: '`limits.fileBytes: 9e15` in the base',
    base: { '.sightline.yaml': 'limits:\n  fileBytes: 9000000000000000\n', 'a.ts': 'a\n' },
    head: { 'a.ts': 'b\n'.repeat(500_000) },
    codes: [2],
    says: /limits\.fileBytes/,
  },
  {
    name: 'the most that `limits` may say, and a file of 60 MB',
    base: {
      '.sightline.yaml': 'limits:\n  fileBytes: 67108864\n  treeEntries: 10000000\n  changedFiles: 100000\n',
    },
    head: { 'a.ts': 'b()\n'.repeat(15_000_000) },
    codes: [4],
  },
  {
    name: 'a run of 41 KB to import',
    build: ({ path }) => {
      const file = join(path, 'bomb.sightline')
      const values = `[${Array(2_000_000).fill('[]').join(',')}]`
      writeFileSync(file, zstdCompressSync(Buffer.from(`{"sightlineRun":1,"log":${values},"objects":{}}`)))
      return ['runs', '--import', file]
    },
    codes: unusable,
    says: /cannot be imported/,
  },
]
