/** Folders that one run of the tests has for itself; set up before the workers start, which inherit the variables. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptFolder } from './kept-compiled.ts'

export default function setUp(): () => void {
  const parent = folderInMemory() ?? tmpdir()
  removeLeftOver(parent)
  const folder = mkdtempSync(join(parent, beginning))
  // Others may make folders in it too, as in the one of the system: some tests start processes of other users.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  // Commands keep their runs here, and not among the runs of whoever starts the tests.
  process.env.XDG_STATE_HOME = join(folder, 'state')
  // What is made once for all of them.
  process.env.SIGHTLINE_TEST_FOLDER = folder
  // Workers, commands and their children compile each module once, for later runs too.
  process.env.NODE_COMPILE_CACHE = join(keptFolder ?? folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

const beginning = 'sl-tests-'
/** A run makes folders in its own all the time. */
const leftOverAfterMs = 60 * 60 * 1000

/** A run that was killed leaves its folder, which would take memory until the next start of the system. */
function removeLeftOver(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(beginning))) {
    const folder = join(parent, name)
    const touched = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - touched < leftOverAfterMs) continue
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // It belongs to somebody else.
    }
  }
}

const inMemory = '/dev/shm'

/** Tests together keep far less at a time. */
const enoughBytes = 4 * 1024 ** 3

/**
 * Where files live in memory, if there is enough of it and programs may be started there. Tests make and remove hundreds
 * of thousands of small files: on a disk that takes half of what the system does for them. A `TMPDIR` that is set is kept to.
 */
function folderInMemory(): string | null {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return null
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder, kind]) => folder === inMemory && kind === 'tmpfs')
  if (mount === undefined || mount[3]?.split(',').some((option) => option === 'noexec' || option === 'ro'))
    return null
  const { bavail, bsize } = statfsSync(inMemory)
  return Math.min(bavail * bsize, freemem()) < enoughBytes ? null : inMemory
}
