/** Folders that one run of the tests has for itself; set up before the workers start, which inherit the variables. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptFolder } from './kept-compiled.ts'

export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-tests-'))
  // Commands keep their runs here, and not among the runs of whoever starts the tests.
  process.env.XDG_STATE_HOME = join(folder, 'state')
  // What is made once for all of them.
  process.env.SIGHTLINE_TEST_FOLDER = folder
  // Workers, commands and their children compile each module once, for later runs too.
  process.env.NODE_COMPILE_CACHE = join(keptFolder() ?? folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
