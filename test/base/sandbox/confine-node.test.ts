/** What a confined process may take when the one that started it has ended. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { withinCpuSeconds } from '../../../src/base/sandbox/confine-node.ts'
import { needs } from '../../helpers/needs/needs.ts'

test('a command that never ends is ended by the system after its processor time', needs('POSIX'), () => {
  const [program, ...words] = withinCpuSeconds(1, [process.execPath, '-e', 'for (;;);'])
  const { signal, status } = spawnSync(program, words, { env: {}, timeout: 120_000 })
  expect([signal, status]).toEqual([expect.stringMatching(/^SIG(?:XCPU|KILL)$/), null])
})

test('its words are not read by the shell, and its exit code is told', needs('POSIX'), () => {
  const [program, ...words] = withinCpuSeconds(30, [
    process.execPath,
    '-e',
    'console.log(process.argv[1]); process.exitCode = 7',
    '$(id) "; exit 1',
  ])
  const { stdout, status } = spawnSync(program, words, { env: {}, encoding: 'utf8' })
  expect([stdout, status]).toEqual(['$(id) "; exit 1\n', 7])
})
