/** The operator's own file: where it is looked for, and what is said of faults in it. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings, parseSettings, settingsPath } from '../../src/config/settings/load.ts'

test('the place is the operator’s folder, or the one named', () => {
  expect(settingsPath({ XDG_CONFIG_HOME: '/x' })).toBe('/x/sightline/settings.yaml')
  expect(settingsPath({ HOME: '/home/a' })).toBe('/home/a/.config/sightline/settings.yaml')
  expect(settingsPath({ SIGHTLINE_SETTINGS: '/s.yaml', XDG_CONFIG_HOME: '/x' })).toBe('/s.yaml')
})

test('no file means the defaults; a named one that is missing is a fault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  const { settings, path } = await loadSettings({ XDG_CONFIG_HOME: folder })
  expect([path, settings.money.perRun, settings.embedding]).toEqual([null, 2, null])
  await expect(loadSettings({ SIGHTLINE_SETTINGS: join(folder, 'none.yaml') })).rejects.toThrow('none.yaml')
})

test('a role takes one model or several, and every fault is told with its line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, 'models:\n  roles:\n    reviewer: anthropic/claude-sonnet-5-5\n    judge: [a/b, c/d]\n')
  const { settings } = await loadSettings({ SIGHTLINE_SETTINGS: file })
  expect(settings.models.roles).toEqual({ reviewer: ['anthropic/claude-sonnet-5-5'], judge: ['a/b', 'c/d'] })
  expect(() => parseSettings('money:\n  perRun: -1\nmodles: {}\n', 's.yaml')).toThrow(
    /s\.yaml:2:11 .*\n.*s\.yaml:3:1 .*modles/,
  )
})

test('an address of a provider holds no password, whatever it is for', () => {
  const provider = '  kind: voyage\n  model: m\n  baseUrl: https://me:secret@models.example\n'
  for (const section of ['embedding', 'rerank'])
    expect(() => parseSettings(`${section}:\n${provider}`, 's.yaml'), section).toThrow(
      'must not hold a password',
    )
})

test('a host of another kind is told which there are', () => {
  expect(() => parseSettings('hosts:\n  g.example.org: { kind: gerit }\n', 's.yaml')).toThrow(
    /s\.yaml:2:26 .*kind: must be github, .*, or a package called sightline-host-NAME/,
  )
})
