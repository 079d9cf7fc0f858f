/** What git itself says of the reviewed change, read without a line of the product's code. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

export type Truth = {
  commit: string
  /** By path: the lines that hunks show, and of these the ones that changed. */
  files: ReadonlyMap<string, FileTruth>
  /** Text of every blob of both trees, by object id. */
  blobs: ReadonlyMap<string, string>
  headPaths: ReadonlySet<string>
  basePaths: ReadonlySet<string>
}

export type FileTruth = {
  shown: { old: ReadonlySet<number>; new: ReadonlySet<number> }
  changed: { old: ReadonlySet<number>; new: ReadonlySet<number> }
}

export function readTruth(repository: string, commit = 'HEAD'): Truth {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args], {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' },
    })
  const range = [`${commit}~1`, commit]
  const paths = git('diff-tree', '-r', '-M', '-z', '--name-only', ...range)
    .split('\0')
    .filter(Boolean)
  const files = new Map(
    paths.map((path) => [
      path,
      readHunks(git('diff-tree', '-p', '-M', '--no-ext-diff', ...range, '--', path)),
    ]),
  )
  const blobs = new Map<string, string>()
  for (const tree of range)
    for (const line of git('ls-tree', '-r', '-z', tree).split('\0').filter(Boolean)) {
      const id = line.split(/\s/)[2] ?? ''
      if (!blobs.has(id)) blobs.set(id, git('cat-file', 'blob', id))
    }
  const pathsOf = (tree: string) =>
    new Set(git('ls-tree', '-r', '-z', '--name-only', tree).split('\0').filter(Boolean))
  return {
    commit: git('rev-parse', commit).trim(),
    files,
    blobs,
    headPaths: pathsOf(commit),
    basePaths: pathsOf(`${commit}~1`),
  }
}

function readHunks(patch: string): FileTruth {
  const shown = { old: new Set<number>(), new: new Set<number>() }
  const changed = { old: new Set<number>(), new: new Set<number>() }
  let [old, now, isInside] = [0, 0, false]
  for (const line of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (header) {
      ;[old, now, isInside] = [Number(header[1]), Number(header[2]), true]
    } else if (isInside && line.startsWith('+')) {
      shown.new.add(now)
      changed.new.add(now++)
    } else if (isInside && line.startsWith('-')) {
      shown.old.add(old)
      changed.old.add(old++)
    } else if (isInside && line.startsWith(' ')) {
      shown.old.add(old++)
      shown.new.add(now++)
    } else if (!line.startsWith('\\')) isInside = false
  }
  return { shown, changed }
}

/** SHA-256 over every name and byte below a folder, links not followed: whatever is written there changes it. */
export function fingerprintOf(folder: string): string {
  const hash = createHash('sha256')
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true }).sort(byName)) {
      const path = join(at, entry.name)
      hash.update(`${path}\0`)
      if (entry.isDirectory()) visit(path)
      else if (entry.isSymbolicLink()) hash.update(readlinkSync(path))
      else if (entry.isFile()) hash.update(readFileSync(path))
    }
  }
  visit(folder)
  return hash.digest('hex')
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}
