/**
 * The red team's sample of the default run, by the very command that plays the whole: worst cases of a
 * compromised model and random ones, in process and over sockets, some guards taken away, some cells of the matrix, some
 * published incidents, claims of authors and questions with orders in them. `npm run test:red-team`
 * plays all of it.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isSample } from '../helpers/sample/choose.ts'

const command = join(import.meta.dirname, 'run.ts')
const sample = [
  '--worst',
  isSample ? '10' : '30',
  '--runs',
  isSample ? '7' : '20',
  '--wire',
  isSample ? '1' : '3',
  '--guards',
  '1',
  '--matrix',
  isSample ? '3' : '8',
  '--depths',
  'standard',
  '--servers',
  '0',
  '--input',
  'byte',
  '--incidents',
  isSample ? '1' : '2',
  '--framing',
  isSample ? '1' : '2',
  '--asks',
  isSample ? '1' : '3',
  '--comments',
  isSample ? '3000' : '10000',
  '--caches',
  isSample ? '3000' : '10000',
  '--memory',
  isSample ? '60' : '170',
]

test('nothing gets through, and no guard can be taken away unnoticed', { timeout: 600_000 }, async () => {
  const seed = process.env.SIGHTLINE_SEED ?? '20261122'
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...sample, '--seed', seed], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => ({
    stdout: `${error.stdout ?? ''}\n${error.stderr ?? ''}`,
  }))
  process.stdout.write(
    `${stdout
      .split('\n')
      .filter((line) =>
        /seed \d|compromised|sockets:|matrix:|secrets:|inputs:|incidents:|framing:|asks:|comments:|caches:|memory:/.test(
          line,
        ),
      )
      .join('\n')}\n`,
  )
  expect(stdout).toMatch(/^nothing got through$/m)
})
