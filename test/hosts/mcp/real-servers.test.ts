/**
 * The reference server and Sentry's, from the package registry, in a sandbox: `npm run test:mcp` installs them and sets
 * SIGHTLINE_MCP_SERVERS to their folder. They are no dependency: Sentry's has 86 MB, and a licence that is not permissive.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSandbox } from '../../../src/base/sandbox/probe.ts'
import { McpSettings } from '../../../src/config/settings/mcp.ts'
import {
  callsOf,
  type ForeignParts,
  offerTools,
  readTools,
  trustTools,
} from '../../../src/hosts/mcp/servers.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { sentryToken, startSentry } from '../../helpers/trackers/sentry.ts'

const installed = process.env.SIGHTLINE_MCP_SERVERS
const { signal } = new AbortController()

async function open(servers: object, environment: NodeJS.ProcessEnv = {}) {
  const sandbox = await findSandbox(undefined, signal)
  const settings = McpSettings.parse({ servers })
  const stateFolder = temporaryFolder()
  const parts: ForeignParts = { settings, environment, stateFolder, findSandbox: async () => sandbox, fetch }
  for (const name of Object.keys(settings.servers)) {
    const tools = await readTools(name, parts, signal)
    trustTools(
      name,
      tools.map(({ tool }) => tool),
      stateFolder,
    )
  }
  const { tools, missing } = await offerTools(parts, signal)
  const call = (name: string, args: object) => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) throw new Error(`${name} is not offered: ${JSON.stringify(missing)}`)
    return callsOf(parts)(tool, { ...args }, signal).catch((error: Error) => error.message)
  }
  return { tools, missing, call }
}

test(
  'the reference server: text, numbers, a call that takes too long',
  needs('npm run test:mcp'),
  async () => {
    const script = join(installed ?? '', 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    const tools = [
      'echo',
      'get-sum',
      'trigger-long-running-operation',
      'get-structured-content',
      'get-tiny-image',
    ]
    const command = [process.execPath, script, 'stdio']
    const {
      tools: offered,
      missing,
      call,
    } = await open({
      everything: { command, tools, readOnlyPaths: [installed], seconds: 25 },
    })
    expect([offered.length, missing]).toEqual([5, []])
    expect(await call('everything_echo', { message: 'hello' })).toBe('Echo: hello')
    expect(await call('everything_get_sum', { a: 2, b: 40 })).toContain('42')
    expect(await call('everything_trigger_long_running_operation', { duration: 60, steps: 2 })).toBe(
      'it took longer than 25 s',
    )
  },
)

test("Sentry's server over Sentry's API", needs('npm run test:mcp'), async () => {
  const sentry = await startSentry([
    {
      id: '1',
      shortId: 'API-1',
      title: 'DecodeError: bad padding',
      project: 'api',
      events: 42,
      frames: [{ filename: 'app/tokens.py', function: 'decode', lineNo: 3 }],
    },
  ])
  const script = join(installed ?? '', 'node_modules/@sentry/mcp-server/dist/index.js')
  const command = [
    process.execPath,
    script,
    `--host=${new URL(sentry.url).host}`,
    '--insecure-http',
    '--sentry-dsn=',
  ]
  const { tools, missing, call } = await open(
    {
      sentry: {
        command,
        tools: ['find_organizations', 'search_issues', 'update_issue'],
        readOnlyPaths: [installed],
        passEnvironment: ['SENTRY_ACCESS_TOKEN'],
        network: true,
        seconds: 30,
      },
    },
    { SENTRY_ACCESS_TOKEN: sentryToken },
  )
  expect(tools.map(({ name }) => name)).toEqual(['sentry_find_organizations', 'sentry_search_issues'])
  expect(missing).toEqual([{ name: 'sentry_update_issue', why: 'the server says that it changes something' }])
  expect(await call('sentry_find_organizations', {})).toContain('acme')
  const found = await call('sentry_search_issues', { organizationSlug: 'acme', query: 'is:unresolved' })
  expect(found).toContain('API-1')
  expect(found).toContain('DecodeError: bad padding')
})
