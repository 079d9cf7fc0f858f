/**
 * `npm run test:week` that is ended from outside leaves nothing behind: no database, no server, no folder. It is a tool of ours, so this
 * is played by `npm run test:matrices` alone.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { root } from '../helpers/sightline.ts'

test.runIf(isWhole)('SIGTERM in the middle', { ...needs('PostgreSQL'), timeout: 900_000 }, async () => {
  const folder = temporaryFolder()
  // PostgreSQL does not run as root, and has to get there.
  chmodSync(folder, 0o711)
  const words = ['--minutes', '5', '--changes', '4', '--repositories', '3', '--seed', '7']
  const child = spawn(process.execPath, [join(root, 'test/week/run.ts'), ...words], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Nobody reads the rest of what it says.
  const ended = once(child, 'exit')
  // The first happening is told when everything runs.
  await once(child.stderr, 'data')
  child.stderr.resume()
  expect(processesIn(folder).length).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await ended).toEqual([143, null])
  expect(processesIn(folder)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

/** Their arguments name it. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        return []
      }
    })
    .filter((words) => words.includes(folder))
}
