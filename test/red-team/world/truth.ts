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
  const run = (args: readonly string[], input = ''): Buffer =>
    execFileSync('git', ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args], {
      ...{ cwd: repository, input, maxBuffer: 64 * 1024 * 1024 },
      env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' },
    })
  const git = (...args: string[]): string => run(args).toString('utf8')
  const range = [`${commit}~1`, commit]
  const paths = git('diff-tree', '-r', '-M', '-C', '-z', '--name-only', ...range)
    .split('\0')
    .filter(Boolean)
  // One patch for all of them, in the same order: lines of a file never begin like its heading.
  const patches = git('diff-tree', '-r', '-p', '-M', '-C', '--no-ext-diff', ...range).split(
    /^diff --git .*$/m,
  )
  const files = new Map(paths.map((path, at) => [path, readHunks(patches[at + 1] ?? '')]))
  const listed = range.flatMap((tree) => git('ls-tree', '-r', '-z', tree).split('\0').filter(Boolean))
  const ids = new Set(listed.map((line) => line.split(/\s/)[2] ?? ''))
  const blobs = readBatch(run(['cat-file', '--batch'], [...ids].join('\n')))
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

/** One after the other: `id type size`, the bytes, a line feed. */
function readBatch(bytes: Buffer): Map<string, string> {
  const blobs = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const [id = '', type, size] = bytes.toString('utf8', at, end).split(' ')
    if (type !== 'blob') throw new Error(`${id} is ${type}`)
    at = end + 1 + Number(size)
    blobs.set(id, bytes.toString('utf8', end + 1, at++))
  }
  return blobs
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
