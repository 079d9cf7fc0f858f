/** Which token goes to which host. */
import { expect, test } from 'vitest'
import { openHost } from '../../src/assembly/open-host.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'

const settings = {
  ...defaultSettings,
  hosts: {
    'git.example.com': { kind: 'github' as const, token: 'EXAMPLE_TOKEN' },
    'bare.example.com': { kind: 'github' as const },
  },
}
const pull = (host: string) => `https://${host}/o/r/pull/1`
const tokenFor = (url: string, environment: NodeJS.ProcessEnv) =>
  openHost(url, { settings, environment }).access.token

test('github.com gets its own token, in the documented order', () => {
  const environment = { GITHUB_TOKEN: 'two', GH_TOKEN: 'three', EXAMPLE_TOKEN: 'other', GITLAB_TOKEN: 'lab' }
  expect(tokenFor(pull('github.com'), environment)).toBe('two')
  expect(tokenFor(pull('github.com'), { ...environment, SIGHTLINE_GITHUB_TOKEN: 'one' })).toBe('one')
  expect(tokenFor(pull('github.com'), {})).toBeNull()
})

test('a server of the settings gets the token that they name, and no other', () => {
  const environment = { GITHUB_TOKEN: 'two', EXAMPLE_TOKEN: 'other' }
  expect(tokenFor(pull('git.example.com'), environment)).toBe('other')
  expect(tokenFor(pull('bare.example.com'), environment)).toBeNull()
  expect(() => tokenFor(pull('evil.example.com'), environment)).toThrow(
    expect.objectContaining({ code: 'host-unknown' }),
  )
})

test('in a job, the token of the job belongs to the server that runs it', () => {
  const job = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://ghe.example.com',
    GITHUB_API_URL: 'https://ghe.example.com/api/v3',
    GITHUB_TOKEN: 'of the job',
  }
  expect(tokenFor(pull('ghe.example.com'), job)).toBe('of the job')
  expect(tokenFor(pull('github.com'), job)).toBeNull()
})

test('a host is known by its address, whatever the settings call it', () => {
  const hosts = { fake: { kind: 'github' as const, url: 'http://127.0.0.1:9100', token: 'EXAMPLE_TOKEN' } }
  const { access } = openHost('http://127.0.0.1:9100/o/r/pull/1', {
    settings: { ...defaultSettings, hosts },
    environment: { EXAMPLE_TOKEN: 'other' },
  })
  expect(access).toMatchObject({ token: 'other', tokenName: 'EXAMPLE_TOKEN' })
})
