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
import { seed } from '../helpers/matrix.ts'

const command = join(import.meta.dirname, 'run.ts')
const sample = [
  '--worst',
  '10',
  '--runs',
  '7',
  '--wire',
  '1',
  '--guards',
  '1',
  '--matrix',
  '3',
  '--depths',
  'standard',
  '--servers',
  '0',
  '--input',
  'a zero byte',
  '--incidents',
  '1',
  '--framing',
  '1',
  '--asks',
  '1',
  '--comments',
  '3000',
  '--cells',
  '2500',
  '--caches',
  '3000',
  '--memory',
  '60',
]

test('nothing gets through, and no guard can be taken away unnoticed', { timeout: 600_000 }, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [command, ...sample, '--seed', String(seed)],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  ).catch((error: { stdout?: string; stderr?: string }) => ({
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
