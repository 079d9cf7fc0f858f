/**
 * What each command writes: the table in docs/privacy.md, held against the file system before and after. All commands run in one
 * world, with a home, the folders of the XDG variables, temporary files, a repository, and a folder for files that are named.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { McpServer } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { commandNames } from '../../src/cli/commands/registry.ts'
import { runCommand } from '../../src/cli/main.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { emptyAnswer, fakeEnvironment, retryRepo } from '../e2e/quick-world.ts'
import { placeEmptyDatabase } from '../helpers/empty-database.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { type Files, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { shareForRoles } from '../helpers/kept-compiled.ts'
import { startMcpServer } from '../helpers/mcp/http-server.ts'
import { needs } from '../helpers/needs/needs.ts'
import { environment, root } from '../helpers/sightline.ts'

/** The words of the table, and where they lie in the world. Other words in backticks are paths in the repository. */
const places: Record<string, string> = {
  cache: 'cache/sightline',
  state: 'state/sightline',
  settings: 'config/sightline',
  'server data': 'data',
  'the file or folder that you name': 'named',
  'with `--fix` the fixed files': 'repository/a.py',
  'with `--keep` a folder in `$TMPDIR`': 'tmp',
}

/** Command → words of the page. */
function readTable(): Record<string, string[]> {
  const page = readFileSync(join(root, 'docs/privacy.md'), 'utf8')
  const [, table = ''] = /<!-- written -->\n(.*?)<!-- \/written -->/s.exec(page) ?? []
  const rows = table.split('\n').flatMap((line) => {
    const [, commands = '', words = ''] = line.split('|')
    const written = words.split(';').map((word) => word.trim())
    const named = [...commands.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    return named.map((name) => [name, written[0] === 'nothing' ? [] : written.sort()] as const)
  })
  expect(new Set(rows.map(([name]) => name)).size, 'each command has one row').toBe(rows.length)
  return Object.fromEntries(rows)
}

/** Names in the table of what is stored, and those that runs and the index are made of. */
function readStored(): ReadonlySet<string> {
  const page = readFileSync(join(root, 'docs/privacy.md'), 'utf8')
  const [, table = ''] = /## What is stored\n\n(.*?)\n\n/s.exec(page) ?? []
  const places = table.split('\n').map((line) => line.split('|')[1] ?? '')
  const named = places.flatMap((cell) => [...cell.matchAll(/`(?:sightline\/)?([\w.-]+)`/g)])
  const ofRuns = ['FORMAT', 'SWEPT', 'answers', 'claims', 'objects', 'runs', 'key']
  return new Set([...named.map(([, name = '']) => name), ...ofRuns])
}

/** Files and folders of the index have the version of their format in their names. */
const ofIndex = /^(?:facts|search|vectors|queries|trees|background-index)\b/

type Call = {
  argv: string[]
  /** Standard input. */
  input?: string
  /** Somebody sits at a terminal. */
  isTyped?: boolean
  /** A command that runs until it is stopped is stopped once it has printed this. */
  until?: RegExp
  environment?: Record<string, string>
  /** Changes that are not committed. */
  changes?: Files
  /** The command opens its own facts. Slow: its parsers are cold. */
  isCold?: boolean
}

/** Runs commands in this process, whose own environment is that of the world. */
function openWorld(path: string) {
  const folders = {
    ...{ HOME: 'home', TMPDIR: 'tmp', XDG_CACHE_HOME: 'cache', XDG_STATE_HOME: 'state' },
    ...{ XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'home' },
  }
  for (const folder of [...Object.values(folders), 'data', 'named'])
    mkdirSync(join(path, folder), { recursive: true })
  for (const [name, folder] of Object.entries(folders)) vi.stubEnv(name, join(path, folder))
  onTestFinished(() => void vi.unstubAllEnvs())
  const facts = createFactStore({ cacheFolder: join(path, 'cache/sightline') })
  onTestFinished(() => facts.close())
  return async ({
    argv,
    input = '',
    isTyped = false,
    until,
    environment: more = {},
    isCold = false,
  }: Call) => {
    const stop = new AbortController()
    let printed = ''
    const collect = () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          printed += chunk
          if (until?.test(printed)) stop.abort()
          done()
        },
      })
    const stdin = new PassThrough()
    stdin.write(input)
    if (!until) stdin.end()
    const terminal = { isTTY: isTyped }
    const shell = {
      environment: environment(more),
      folder: join(path, 'repository'),
      stdin: Object.assign(stdin, terminal),
      stdout: collect(),
      stderr: Object.assign(collect(), terminal),
      facts: isCold ? null : facts,
    }
    const code = await runCommand(argv, shell, stop.signal)
    // One that was stopped says so.
    expect(code, `${argv.join(' ')}: ${printed}`).toBeOneOf(until ? [0, 130] : [0, 1])
    return printed
  }
}

/** Path in the world → which file is there; of folders the name alone. */
type Listing = ReadonlyMap<string, string>

function list(world: string, folder = ''): Listing {
  const found = new Map<string, string>()
  for (const entry of readdirSync(join(world, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const { size, mtimeMs, ino } = statSync(join(world, path))
    // Git touches an object that it would write again: what is in it is in its name.
    const touched = path.includes('.git/objects/') ? '' : mtimeMs
    found.set(path, entry.isDirectory() ? '' : `${size} ${touched} ${ino}`)
    if (entry.isDirectory()) for (const [inside, state] of list(world, path)) found.set(inside, state)
  }
  return found
}

/** The words for what differs; the path itself where neither the world nor the row of the command has any. */
function wordsFor(before: Listing, after: Listing, row: readonly string[]): string[] {
  const named = row.map(
    (word) => [word, places[word] ?? join('repository', word.replaceAll('`', ''))] as const,
  )
  const known = [...named, ...Object.entries(places).filter(([word]) => !word.includes('`'))]
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  return (
    paths
      .filter((path) => before.get(path) !== after.get(path))
      // A folder on the way is made with what lies in it.
      .map((path) => known.find(([, place]) => isIn(path, place) || isIn(place, path))?.[0] ?? path)
  )
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

const plainCalls = `
show last --html
compare last last
replay last --output ../named/replayed.md
runs --export ../named/run.zst
runs --import ../named/run.zst
findings
stats
memory propose Delays --paths src/**
memory retire delays --because wrong
context HEAD
impact delayFor
callers delayFor
refs delayFor --server
def delayFor
outline src/delay.ts
search delay
experts src
related HEAD
index
index --collect-garbage
doctor --servers
init
config --check
hook install
hook remove
rules
models
version
completions bash
manual
help
collect HEAD --out ../named/change
analyze ../named/change --depth offline --output ../named/review.json
publish ../named/review.json --request ../named/change --output ../named/review.md`

test(
  'every command writes what the page says, and nothing else',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const table = readTable()
    const path = temporaryFolder()
    const repo = new TestRepo(join(path, 'repository'))
    renameSync(retryRepo().path, repo.path)
    await using model = await startFakeProvider('anthropic', { steps: [finds, gathers, answers, proves] })
    const withModel = fakeEnvironment(model, { settings: 'sandbox: { prove: { allow: true } }' })
    const withServer = await settingsOfServer()
    const run = openWorld(path)
    const written = new Map<string, Set<string>>()
    let seen = list(path)
    const play = async (call: Call) => {
      const [name = ''] = call.argv
      // Something that no command before it has read.
      repo.commit({ 'src/fresh.ts': `export const fresh = '${call.argv.join(' ')}'\n` })
      if (call.changes) repo.write(call.changes)
      // Between two commands this test writes to the repository and to temporary files alone.
      const before = new Map([...seen, ...list(path, 'repository'), ...list(path, 'tmp')])
      const printed = await run(call)
      seen = list(path)
      const words = wordsFor(before, seen, table[name] ?? [])
      written.set(name, new Set([...(written.get(name) ?? []), ...words]))
      return printed
    }

    await play({ argv: ['doctor', '--no-calls'] })
    const keyed = { ANTHROPIC_API_KEY: 'key' }
    const saved = ['review', '--output', '../named/review.html']
    await play({ argv: saved, input: 'no\n', isTyped: true, environment: keyed })
    await play({ argv: ['demo', '--into', '../named/demo', '-q'], isCold: true })
    await play({ argv: ['demo', '--keep', '-q'], isCold: true })
    await play({ argv: ['review', '--depth', 'offline', '--fix', '--yes'], changes: { 'a.py': unsafe } })
    const [, finding = ''] = /"id": "([0-9a-f]{8,})/.exec(await play({ argv: ['findings', '--json'] })) ?? []
    await play({ argv: ['dismiss', finding, '--because', 'it is right'] })
    const ownWorkspace = { SIGHTLINE_SETTINGS: settingsWith({ workspace: { repositories: [repo.path] } }) }
    await play({ argv: ['workspace', '--update'], environment: ownWorkspace })
    for (const line of plainCalls.trim().split('\n')) await play({ argv: line.split(' ') })
    repo.commit({ 'b.py': unsafe.replaceAll('file', 'stream') })
    const asked = ['review', 'HEAD~2..HEAD', '--depth', 'quick', '--no-agent']
    await play({ argv: asked, environment: withModel })
    await play({ argv: ['ask', 'last', 'is the base used?'], environment: withModel })
    await play({ argv: ['prove', 'C1'], environment: withModel })
    const shown = await play({ argv: ['mcp', 'trust', 'docs'], environment: withServer })
    const [, code = ''] = /--accept (\w+)/.exec(shown) ?? []
    await play({ argv: ['mcp', 'trust', 'docs', '--accept', code], environment: withServer })
    await play({ argv: ['mcp'], input: asksForReview, until: /"id":2/ })
    const changes = { 'c.py': unsafe.replaceAll('file', 'text') }
    const edited = { changes, until: /"id":2[\s\S]*"diagnostics":\[\{|"diagnostics":\[\{[\s\S]*"id":2/ }
    await play({ argv: ['lsp'], input: dismissesInEditor(repo.path, finding), ...edited })
    await play({ argv: ['dismiss', '--all'] })
    await play({ argv: ['ui'], until: /^Open/m })
    // To make one, and to compile for roles, takes as long as twenty commands, and other tests do it.
    await shareForRoles(join(path, 'data'))
    await placeEmptyDatabase(join(path, 'data/database'))
    seen = list(path)
    await play({ argv: ['serve', '--port', '0', '--data', '../data'], until: /server-ready/ })
    await play({ argv: ['admin', 'backup', '../named/backup.gz', '--data', '../data'] })

    // What lies in the two folders after all that is on the page, by its name there.
    const stored = readStored()
    for (const folder of ['state/sightline', 'cache/sightline'])
      expect(
        readdirSync(join(path, folder)).filter((name) => !stored.has(name) && !ofIndex.test(name)),
        folder,
      ).toEqual([])

    const found = [...written].map(([name, words]) => [name, [...words].sort()])
    expect(Object.fromEntries(found)).toEqual(table)
    expect(Object.keys(table).sort()).toEqual([...commandNames, 'completions', 'help', 'manual'].sort())
  },
)

const asksForReview = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'review_change', arguments: { commit: 'HEAD~1' } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

/** What an editor sends that opens a file, with a text that nobody has parsed, and dismisses a finding. */
function dismissesInEditor(folder: string, finding: string): string {
  const uri = pathToFileURL(join(folder, 'c.py')).href
  const rootUri = pathToFileURL(folder).href
  const textDocument = { uri, languageId: 'python', version: 1, text: unsafe.replaceAll('file', 'draft') }
  const command = { command: 'sightline.dismiss', arguments: [{ uri, finding }] }
  return [
    { id: 1, method: 'initialize', params: { processId: null, rootUri, capabilities: {} } },
    { method: 'initialized', params: {} },
    { method: 'textDocument/didOpen', params: { textDocument } },
    { id: 2, method: 'workspace/executeCommand', params: command },
  ]
    .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    .map((body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    .join('')
}

const unsafe = 'import yaml\n\ndef read(file):\n    return yaml.load(file)\n'

const finds: CodedStep = { answer: 'good', value: emptyAnswer }
const gathers: CodedStep = {
  answer: 'good',
  when: { contains: 'You gather what answers it' },
  value: { reasoning: 'enough', tools: [], done: true },
}
const answers: CodedStep = {
  answer: 'good',
  when: { contains: 'The question:' },
  value: { statements: [{ text: 'It is used.', quotes: [] }], disputed: '', cannot: '' },
}
const proves: CodedStep = {
  answer: 'good',
  when: { contains: 'Your test file will be here' },
  value: { test: '', predicted: '', because: '', cannot: 'it has no tests' },
}

/** An MCP server that nobody trusts yet. */
async function settingsOfServer(): Promise<Record<string, string>> {
  const { url } = await startMcpServer(() => {
    const server = new McpServer({ name: 'docs', version: '1' })
    const inputSchema = z.object({ query: z.string() })
    server.registerTool('search', { description: 'Finds.', inputSchema }, async () => ({ content: [] }))
    return server
  })
  return { SIGHTLINE_SETTINGS: settingsWith({ mcp: { servers: { docs: { url, tools: ['search'] } } } }) }
}

function settingsWith(settings: object): string {
  const file = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(file, JSON.stringify(settings))
  return file
}
