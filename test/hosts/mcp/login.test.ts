/** Logins at MCP servers in a browser, against an authorization server that checks everything. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { McpSettings } from '../../../src/config/settings/mcp.ts'
import { logIn } from '../../../src/hosts/mcp/login.ts'
import {
  callsOf,
  type ForeignParts,
  offerTools,
  readTools,
  trustTools,
} from '../../../src/hosts/mcp/servers.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGuardedServer } from '../../helpers/mcp/authorization-server.ts'
import { sightline, sightlineProcess } from '../../helpers/sightline.ts'

const { signal } = new AbortController()

/** Follows redirects, as a browser of a person who consents at once. */
const browse = (address: URL | string) => fetch(address).then((response) => response.text())

function place(url: string, stateFolder: string, settings: object = {}) {
  return { server: 'docs', url, stateFolder, settings }
}

function partsFor(url: string, stateFolder: string, login: object = {}): ForeignParts {
  return {
    settings: McpSettings.parse({ servers: { docs: { url, login, tools: ['search'], seconds: 120 } } }),
    environment: {},
    stateFolder,
    findSandbox: async () => null,
    fetch,
  }
}

const why = async (parts: ForeignParts) => (await offerTools(parts, signal)).missing[0]?.why

test('a login is asked for once, its tokens are private, and are renewed when they end', async () => {
  const server = await startGuardedServer()
  const folder = temporaryFolder()
  const parts = partsFor(server.url, folder)
  const first = 'the server docs did not answer: you are not logged in there (`sightline mcp login docs`)'
  expect(await why(parts)).toBe(first)
  const pages: Promise<string>[] = []
  const show = (address: URL) => {
    // What does not carry our state changes nothing.
    const redirect = new URL(address.searchParams.get('redirect_uri') ?? '')
    pages.push(browse(`${redirect}?code=stolen&state=guessed`).then(() => browse(address)))
  }
  expect(await logIn(place(server.url, folder), { fetch, show }, signal)).toBe(true)
  expect((await Promise.all(pages))[0]).toContain('return to the terminal')
  expect(server.asked).toEqual(['register', 'authorize', 'code'])
  const file = join(folder, 'mcp', 'docs.login.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const questions = await readTools('docs', parts, signal)
  trustTools(
    'docs',
    questions.map(({ tool }) => tool),
    folder,
  )
  const [search] = (await offerTools(parts, signal)).tools
  if (!search) throw new Error('search is not offered')
  expect(await callsOf(parts)(search, { query: 'this' }, signal)).toBe('found this')
  expect(server.asked).toHaveLength(3)
  const before = readFileSync(file, 'utf8')
  server.expireTokens()
  expect(await callsOf(parts)(search, { query: 'that' }, signal)).toBe('found that')
  expect(server.asked.slice(3)).toEqual(['refresh'])
  expect(readFileSync(file, 'utf8')).not.toBe(before)
  server.revokeAll()
  expect(await why(parts)).toBe(first)
  expect(existsSync(file)).toBe(false)
})

test('tokens go to no other address, and to no other authorization server', async () => {
  const server = await startGuardedServer()
  const folder = temporaryFolder()
  const show = (address: URL) => void browse(address)
  await logIn(place(server.url, folder), { fetch, show }, signal)
  const stranger = await startGuardedServer()
  expect(await why(partsFor(stranger.url, folder))).toContain('you are not logged in there')
  server.moveTo(stranger.origin)
  server.expireTokens()
  expect((await offerTools(partsFor(server.url, folder), signal)).tools).toEqual([])
  expect(stranger.asked).toEqual([])
  const named = place(server.url, folder, { issuer: server.origin })
  await expect(logIn(named, { fetch, show }, signal)).rejects.toThrow('and your settings name')
  expect(stranger.asked).toEqual([])
})

test('a refusal in the browser is an answer, and keeps nothing', async () => {
  const server = await startGuardedServer({ refuses: true })
  const folder = temporaryFolder()
  const show = (address: URL) => void browse(address)
  await expect(logIn(place(server.url, folder), { fetch, show }, signal)).rejects.toThrow(
    'refused the login: access_denied',
  )
  expect(existsSync(join(folder, 'mcp'))).toBe(false)
})

test('sightline mcp login and logout', async () => {
  const server = await startGuardedServer()
  const folder = temporaryFolder()
  const SIGHTLINE_SETTINGS = join(folder, 'settings.yaml')
  const entry = { url: server.url, login: {}, tools: ['search'] }
  const other = { url: server.url, tools: ['search'] }
  const settings = { journal: { folder: join(folder, 'runs') }, mcp: { servers: { docs: entry, other } } }
  writeFileSync(SIGHTLINE_SETTINGS, JSON.stringify(settings))
  const env = { SIGHTLINE_SETTINGS }
  let opened = false
  const login = await sightlineProcess(['mcp', 'login', 'docs'], {
    env,
    onStderr: (soFar) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/authorize\S+/.exec(soFar) ?? []
      if (!address || opened) return
      opened = true
      void browse(address)
    },
  })
  expect(login).toMatchObject({ code: 0, stdout: 'Logged in to docs.\n' })
  const shown = await sightline(['mcp', 'trust', 'docs'], { env })
  expect(shown.stdout).toContain('search: new\n  | Finds.')
  const logout = await sightline(['mcp', 'logout', 'docs'], { env })
  expect(logout).toMatchObject({ code: 0, stdout: 'No tokens of docs are kept any more.\n' })
  const again = await sightline(['mcp', 'trust', 'docs'], { env })
  expect(again.stderr).toContain('you are not logged in there (`sightline mcp login docs`)')
  const none = await sightline(['mcp', 'login', 'other'], { env })
  expect(none).toMatchObject({ code: 2 })
  expect(none.stderr).toContain('other has no `login` in your settings')
})
