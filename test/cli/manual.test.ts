/** The man page names every command and option, and `groff` has nothing to complain about. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandNames, loadCommand } from '../../src/cli/commands/registry.ts'
import { sightline } from '../helpers/sightline.ts'

test('every command and every option is in it', async () => {
  const { stdout, code } = await sightline(['manual'])
  expect(code).toBe(0)
  const plain = stdout.replaceAll('\\-', '-')
  for (const name of commandNames) {
    expect(plain).toContain(`\\fBsightline ${name}\\fR`)
    for (const option of Object.keys((await loadCommand(name)).options))
      expect(plain).toContain(`\\fB--${option}\\fR`)
  }
  const checked = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: stdout, encoding: 'utf8' })
  if (checked.error) return
  expect([checked.status, checked.stderr]).toEqual([0, ''])
  expect(checked.stdout).toContain('sightline review --staged')
})
