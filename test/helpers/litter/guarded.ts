/**
 * What is in the folders that no test may write to: the root of the file system, the system's own folders, what the product
 * keeps in the home of whoever runs the tests, temporary folders of earlier shape, and the checkout as far as git watches it.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'

type Guarded = {
  folder: string
  /** How far down; deeper is not looked. */
  levels: number
  /** Of what else others put there, nothing is said. */
  only: RegExp
  /** True where files are also compared, not names alone. */
  comparesFiles: boolean
}

/** Elsewhere people work while tests run: they edit the checkout, install programs, review with the product. */
const isAlone = Boolean(process.env.CI)

const anything = /./
/** Without the folders of whole runs: each removes its own, and those of runs that were killed. */
const ours = /sightline|^sl-(?!tests-)/i
/** Without what every start of Java writes, whatever it is told. */
const temporary = /^(?!sl-tests-|hsperfdata_)/

function guardedFolders(): Guarded[] {
  const named = process.env.SIGHTLINE_TEST_GUARDED
  if (named !== undefined) return [{ folder: named, levels: 3, only: anything, comparesFiles: true }]
  const root = { folder: '/', levels: 1, only: anything, comparesFiles: false }
  if (!isAlone) return [root]
  const system = ['/etc', '/opt', '/srv', '/home', '/usr/bin', '/usr/local/bin', '/usr/lib']
  return [
    root,
    ...system.map((folder) => ({ folder, levels: 1, only: anything, comparesFiles: false })),
    { folder: '/tmp', levels: 1, only: temporary, comparesFiles: false },
    ...['/dev/shm', '/var/tmp'].map((folder) => ({
      ...{ folder, levels: 1, only: ours, comparesFiles: false },
    })),
    { folder: homedir(), levels: 1, only: ours, comparesFiles: true },
    ...['.config', '.local/state', '.local/share'].map((name) => ({
      ...{ folder: join(homedir(), name), levels: 1, only: ours, comparesFiles: false },
    })),
    ...['.config/sightline', '.local/state/sightline', '.local/share/sightline'].map((name) => ({
      ...{ folder: join(homedir(), name), levels: 4, only: anything, comparesFiles: true },
    })),
  ]
}

/** Path → what it was, and when it was made or changed. */
export type Snapshot = ReadonlyMap<string, { state: string; at: number }>

/** `own`: the folder of this run, which is not looked at. */
export function takeSnapshot(own: string): Snapshot {
  const found = new Map<string, { state: string; at: number }>()
  for (const guarded of guardedFolders()) look(guarded, guarded.folder, guarded.levels, own, found)
  for (const line of changesOfCheckout())
    found.set(join(packageRoot, line.slice(3)), { state: line, at: Date.now() })
  return found
}

function look(
  guarded: Guarded,
  folder: string,
  levels: number,
  own: string,
  found: Map<string, { state: string; at: number }>,
): void {
  for (const entry of listOf(folder)) {
    const path = join(folder, entry.name)
    if (path === own || !guarded.only.test(entry.name)) continue
    const stat = statSync(path, { throwIfNoEntry: false })
    const isFile = stat?.isFile() === true
    const state = guarded.comparesFiles && isFile ? `${stat.size} ${stat.mtimeMs}` : 'is there'
    found.set(path, { state, at: stat === undefined ? Date.now() : isFile ? stat.ctimeMs : stat.birthtimeMs })
    if (entry.isDirectory() && levels > 1) look(guarded, path, levels - 1, own, found)
  }
}

function listOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Without a repository of git around it, nothing is said of the checkout. */
function changesOfCheckout(): string[] {
  if (!isAlone || process.env.SIGHTLINE_TEST_GUARDED !== undefined) return []
  try {
    const words = ['-C', packageRoot, 'status', '--porcelain', '--untracked-files=all']
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}

export type Difference = { path: string; what: 'left' | 'changed' | 'removed'; at: number }

export function differences(before: Snapshot, after: Snapshot): Difference[] {
  const later = [...after].flatMap(([path, { state, at }]): Difference[] => {
    const earlier = before.get(path)
    if (earlier === undefined) return [{ path, what: 'left', at }]
    return earlier.state === state ? [] : [{ path, what: 'changed', at }]
  })
  const gone = [...before.keys()].filter((path) => !after.has(path))
  return [...later, ...gone.map((path): Difference => ({ path, what: 'removed', at: Number.NaN }))]
}
