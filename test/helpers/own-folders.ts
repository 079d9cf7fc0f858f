/** Folders that one run of the tests has for itself; set up before the workers start, which inherit the variables. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptFolder } from './kept-compiled.ts'
import { isSample, sampleSeed } from './sample/choose.ts'

export default function setUp(): () => void {
  const folder = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'sl-tests-'))
  // Others may make folders in it too, as in the one of the system: some tests start processes of other users.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  // Commands keep their runs here, and not among the runs of whoever starts the tests.
  process.env.XDG_STATE_HOME = join(folder, 'state')
  // What is made once for all of them.
  process.env.SIGHTLINE_TEST_FOLDER = folder
  // Workers, commands and their children compile each module once, for later runs too.
  process.env.NODE_COMPILE_CACHE = join(keptFolder() ?? folder, 'compiled')
  if (isSample)
    console.log(
      `Of slow suites a sample, seed ${sampleSeed} (SIGHTLINE_SEED chooses another). All tests: npm run test:full`,
    )
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
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
