/** The MCP server over a real pipe, asked by the official client: everything it offers, once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/main.ts'
import { TestRepo } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { entry, environment, ownFolders } from '../helpers/sightline.ts'

const before = {
  'src/price.ts':
    'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n\nexport function format(cents: number): string {\n  return String(cents)\n}\n',
  'src/cart.ts':
    "import { parsePrice } from './price.ts'\n\nexport function total(lines: string[]): number {\n  return lines.reduce((sum, line) => sum + parsePrice(line), 0)\n}\n",
  'src/page.ts': "import { total } from './cart.ts'\n\nexport const page = () => total(['1'])\n",
}
/** Renamed, and its only caller is not. */
const renamed = before['src/price.ts'].replace('parsePrice', 'readPrice')

let repo: TestRepo
let client: Client

beforeAll(async () => {
  repo = new TestRepo(mkdtempSync(join(tmpdir(), 'sightline-agents-')))
  repo.git('init', '--quiet', '--initial-branch=main')
  repo.commit(before)
  repo.write({ 'src/price.ts': renamed })
  client = await connect(repo.path)
})

afterAll(async () => {
  await client.close()
  rmSync(repo.path, { recursive: true, force: true })
})

async function connect(folder: string): Promise<Client> {
  const env = Object.fromEntries(
    Object.entries(environment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', '--repo', folder],
    env,
    stderr: 'pipe',
  })
  const connected = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await connected.connect(transport)
  return connected
}

type Answer = { text: string; isError: boolean }

async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { content, isError = false } = await client.callTool({ name, arguments: args }, { timeout: 120_000 })
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { text, isError }
}

test('every tool says that it changes nothing, and what its arguments are', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'review_change',
    'check_new_code',
    'get_finding',
    'explain_finding',
    'ask',
    'search_code',
    'find_definition',
    'find_references',
    'find_uses_elsewhere',
    'callers',
    'impact',
    'context_of_change',
  ])
  for (const { annotations, inputSchema, description } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(inputSchema.type).toBe('object')
    expect(description?.length).toBeGreaterThan(40)
  }
})

test('a review comes with progress, and its finding can be explained and looked up', async () => {
  const stages: (string | undefined)[] = []
  const { content } = await client.callTool(
    { name: 'review_change', arguments: {} },
    { timeout: 120_000, onprogress: ({ message }) => stages.push(message) },
  )
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  expect(stages.slice(0, 2)).toEqual(['collect', 'diff'])
  expect(text).toContain('| src/price.ts:1')
  expect(text).toMatch(/Conclusion: \w+/)
  const [, id = ''] = /; id ([0-9a-f]{12})/.exec(text) ?? []

  const explained = await call('explain_finding', { id })
  expect(explained.text).toContain('parsePrice')
  expect(explained.text).toMatch(/<<<foreign \w+ "evidence E\d+, src\/cart\.ts/)

  const known = await call('get_finding', {})
  expect(known.text).toContain('src/price.ts:1')
  const listed = await client.readResource({ uri: 'sightline://findings' })
  expect(listed.contents[0]).toMatchObject({ text: expect.stringContaining('src/price.ts:1') })
  const last = await client.readResource({ uri: 'sightline://reviews/last' })
  expect(last.contents[0]).toMatchObject({ text: expect.stringContaining('Review on record as run') })
})

test('questions about code are answered from the work tree', async () => {
  expect((await call('find_definition', { symbol: 'readPrice' })).text).toContain('src/price.ts:1')
  expect((await call('find_definition', { symbol: 'parsePrice', ref: 'HEAD' })).text).toContain(
    'src/price.ts:1',
  )
  expect((await call('find_references', { symbol: 'total' })).text).toContain('src/page.ts:3')
  expect(await call('find_uses_elsewhere', { symbol: 'total' })).toEqual({
    text: expect.stringContaining('there is no workspace: no repositories are listed in the settings'),
    isError: true,
  })
  const callers = await call('callers', { symbol: 'parsePrice', ref: 'HEAD' })
  expect(callers.text).toContain('src/cart.ts:3')
  expect(callers.text).not.toContain('src/page.ts')
  expect((await call('impact', { symbol: 'parsePrice', ref: 'HEAD' })).text).toContain('depth 2: src/page.ts')
  expect((await call('search_code', { query: 'format cents' })).text).toContain('src/price.ts')
  expect((await call('context_of_change')).text).toContain('src/cart.ts')
})

test('text that is not on disk is checked, and stays off the disk', async () => {
  const fine = await call('check_new_code', {
    files: [{ path: 'src/price.ts', text: before['src/price.ts'].replace('* 100', '* 1000') }],
  })
  expect(fine.text).not.toContain('parsePrice')
  const broken = await call('check_new_code', {
    files: [{ path: 'src/cart.ts', text: before['src/cart.ts'].replace('total(', 'sum(') }],
  })
  expect(broken.text).toContain('| src/cart.ts:3')
  expect(broken.text).not.toContain('| src/price.ts:1\n')
  expect(repo.git('status', '--short')).toBe('M src/price.ts')
})

test('a bad argument is an answer, and not the end', async () => {
  const unsafe = await call('check_new_code', { files: [{ path: '../x.ts', text: '' }] })
  expect(unsafe).toMatchObject({ isError: true, text: expect.stringContaining('not a path from the root') })
  const both = await call('review_change', { staged: true, commit: 'HEAD' })
  expect(both).toMatchObject({ isError: true, text: expect.stringContaining('pass one of them') })
  const unknown = await call('find_definition', { symbol: 'parsePrice', ref: 'no-such-branch' })
  expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('no-such-branch') })
  expect((await call('explain_finding', { id: 'ffffffff' })).isError).toBe(true)
  const withoutModel = await call('ask', { question: 'Is it possible?' })
  expect(withoutModel).toMatchObject({ isError: true, text: expect.stringContaining('model') })
  expect((await call('find_definition', { symbol: 'total' })).isError).toBe(false)
})

test('prompts name the tools that they ask for', async () => {
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['review_my_work', 'before_i_change', 'check_finding'])
  const { messages } = await client.getPrompt({ name: 'before_i_change', arguments: { symbol: 'total' } })
  expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('callers and impact') })
})

test('a client of the newest protocol is served as well', async () => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const shell = {
    environment: environment(ownFolders()),
    folder: repo.path,
    stdin: toServer,
    stdout: toClient,
    stderr: new PassThrough().resume(),
    facts: sharedFacts(),
  }
  const served = runCommand(['mcp'], shell, new AbortController().signal)
  const newest = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  try {
    // Lines of JSON over two streams, whichever end it is.
    await newest.connect(new StdioServerTransport(toClient, toServer))
    expect(newest.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25')
    expect((await newest.listTools()).tools).toHaveLength(12)
  } finally {
    await newest.close()
    toServer.end()
  }
  expect(await served).toBe(0)
})

test('an argument that no tool has is refused by name, since a review of something else would look like an answer', async () => {
  const { isError, content } = await client.callTool({ name: 'review_change', arguments: { stagd: true } })
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('stagd')
})
