/** The operator's test commands on the head: only when named, only in a sandbox, on a copy. */
import { expect, test } from 'vitest'
import { SandboxSettings } from '../../src/config/settings/schema.ts'
import { openTestRunner } from '../../src/tools/test-runner.ts'
import { toolboxOf } from './open-toolbox.ts'

const { signal } = new AbortController()

test('no command, no runner', async () => {
  const { head } = await toolboxOf()
  expect(await openTestRunner(head, SandboxSettings.parse({}), signal)).toBeNull()
})

test('runs a named command on the files of the head', async ({ skip }) => {
  const { head } = await toolboxOf({ 'check.sh': 'cat word.txt; exit 3\n', 'word.txt': 'from the head\n' })
  const settings = SandboxSettings.parse({ tests: { unit: { command: ['sh', 'check.sh'] } } })
  const runner = await openTestRunner(head, settings, signal)
  if (!runner) return skip('no sandbox works here')
  expect(runner.commands).toEqual(['unit'])
  expect(await runner.run('unit', signal)).toMatchObject({
    exitCode: 3,
    output: 'from the head\n',
    ended: 'ended by itself',
  })
})
