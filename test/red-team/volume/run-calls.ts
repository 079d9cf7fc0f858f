/**
 * Calls of tools as an attacker would make them, over a real repository with neighbours that must not be read: what is let
 * through stays inside the two trees, no answer has a word of a neighbour, and no call starts a program or opens a socket.
 */
import { execFileSync } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ZodObject } from 'zod'
import { textOf } from '../../../src/agent/answer.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import { openCodeSearch } from '../../../src/code-index/search/search.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { codeTools } from '../../../src/tools/registry.ts'
import { createToolbox } from '../../../src/tools/toolbox.ts'
import { Random } from '../../helpers/random.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { argumentNames, faultsOfCall } from '../invariants/tools.ts'

export type CallsOutcome = { calls: number; run: number; violations: string[] }

const canary = 'canary-of-a-neighbour-7c1d'
const files = { 'src/price.ts': 'export const price = 1\n', 'docs/notes.md': 'Round numbers are nice.\n' }

const pathParts = [
  ...[
    'src',
    'docs',
    'price.ts',
    'notes.md',
    '..',
    '.',
    '',
    '.git',
    '.GIT',
    'config',
    'link',
    'etc',
    'passwd',
  ],
  ...['\0', '%2e%2e', '..\\', '~', '-o', '--upload-pack=id', '\u2024\u2024', 'a\u202eb', 'C:', 'neighbour'],
]
const words = [
  ...['price', 'round', '', '(', '(a+)+$', '.*', '[', '\\', '$(id)', '`id`', ';id', '|id', '--output=/tmp/x'],
  ...[
    '-O',
    '--open-files-in-pager=id',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    'ssh://-oProxyCommand=id/x',
  ],
  ...[
    'HEAD:src/price.ts',
    'refs/heads/main',
    '../neighbour',
    'ext::sh -c id',
    canary.slice(0, 6),
    '\n',
    '\0',
  ],
]
const argumentsOf = [...argumentNames]
const strangers = ['cwd', 'env', 'ref', 'repo', 'url', 'command', '__proto__', 'constructor']
const toolNames = [
  ...codeTools.map(({ name }) => name),
  'run',
  'bash',
  'read_file ',
  'READ_FILE',
  'toString',
  '',
]

export async function runCalls({ seed, calls }: { seed: number; calls: number }): Promise<CallsOutcome> {
  const root = mkdtempSync(join(tmpdir(), 'sightline-calls-'))
  const repository = join(root, 'repository')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  mkdirSync(join(root, 'neighbour'))
  writeFileSync(join(root, 'neighbour', 'secret'), canary)
  for (const folder of ['src', 'docs']) mkdirSync(join(repository, folder), { recursive: true })
  git('init', '-q')
  for (const part of ['first', 'second']) {
    for (const [path, text] of Object.entries(files))
      writeFileSync(join(repository, path), `${text}// ${part}\n`)
    if (part === 'first') symlinkSync('../neighbour', join(repository, 'link'))
    git('add', '-A')
    git('commit', '-qm', part)
  }
  // In no commit, and so in neither tree.
  writeFileSync(join(repository, 'untracked'), canary)
  const facts = sharedFacts()
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder: repository, selector, limits: defaultConfig.limits })
  try {
    const { head, base, history } = change
    const toolbox = createToolbox({
      tools: codeTools,
      seconds: 120,
      scope: {
        ...{ head, base, history, surroundings: { changed: [], related: [] } },
        ...{
          discussion: null,
          tickets: null,
          openTickets: null,
          errors: null,
          openChanges: null,
          elsewhere: null,
        },
        ...{ memory: [], developer: [], foreign: null, testRunner: null, servers: null },
        tree: () => openCodeTree(head, facts),
        search: () => openCodeSearch(head, facts),
      },
    })
    return await play(toolbox, new Random(seed), calls)
  } finally {
    await Promise.all([facts.close(), change.close()])
    rmSync(root, { recursive: true, force: true })
  }
}

async function play(
  toolbox: ReturnType<typeof createToolbox>,
  random: Random,
  calls: number,
): Promise<CallsOutcome> {
  const paths = new Set([...Object.keys(files), 'link'])
  const outcome: CallsOutcome = { calls, run: 0, violations: [] }
  const signal = new AbortController().signal
  // What parses and searches is started by us, once, and not by a call: the first harmless ones warm it up.
  const harmless = [
    { tool: 'find_definition', args: { symbol: 'price' } },
    { tool: 'search_code', args: { query: 'price' } },
    { tool: 'get_file_history', args: { path: 'src/price.ts' } },
  ]
  for (const call of harmless) {
    const warm = toolbox.check(call)
    if (!warm.ok) throw new Error(`${call.tool}: ${warm.detail}`)
    await toolbox.run(warm.call, signal)
  }
  let started = 0
  const count = () => void started++
  const channels = ['child_process', 'net.client.socket'].map((name) => channel(name))
  for (const one of channels) one.subscribe(count)
  // The same answer needs no second look.
  const seen = new Set<string>()
  for (let at = 0; at < calls; at++) {
    const call = draw(random)
    const checked = toolbox.check(call)
    if (!checked.ok) continue
    const key = JSON.stringify(checked.call)
    const faults = faultsOfCall(checked.call)
    if (!seen.has(key)) {
      if (seen.size < 50_000) seen.add(key)
      outcome.run++
      const before = started
      const answer = await toolbox.run(checked.call, signal)
      if (started > before) faults.push('it started a program or opened a socket')
      if (textOf(answer).includes(canary)) faults.push('it brought what a neighbour has')
      for (const { path } of answer.ranges) if (!paths.has(path)) faults.push(`it brought ${path}`)
    }
    outcome.violations.push(...faults.map((fault) => `${key.slice(0, 200)}: ${fault}`))
  }
  for (const one of channels) one.unsubscribe(count)
  return outcome
}

function draw(random: Random): { tool: string; args: Record<string, unknown> } {
  const args: [string, unknown][] = []
  for (let left = random.between(1, 4); left > 0; left--)
    args.push([random.chance(0.05) ? random.pick(strangers) : random.pick(argumentsOf), drawValue(random)])
  // Half of them have what most tools ask for, so that more than the schema is tried.
  if (random.chance(0.5))
    args.push(['path', drawPath(random)], ['query', drawWords(random)], ['symbol', random.pick(words)])
  const tool = random.pick(toolNames)
  const own = codeTools.find(({ name }) => name === tool)
  const shape = own && random.chance(0.8) ? (own.args as ZodObject).shape : null
  const kept = shape ? args.filter(([name]) => name in shape) : args
  return { tool, args: Object.fromEntries(kept) }
}

function drawValue(random: Random): unknown {
  switch (random.between(0, 5)) {
    case 0:
      return drawPath(random)
    case 1:
      return random.pick([-1, 0, 1, 2 ** 53, 1.5, Number.NaN, null, true])
    case 2:
      return random.pick([[], {}, ['src'], { path: 'src' }])
    default:
      return drawWords(random)
  }
}

function drawPath(random: Random): string {
  return Array.from({ length: random.between(1, 4) }, () => random.pick(pathParts)).join('/')
}

function drawWords(random: Random): string {
  return Array.from({ length: random.between(1, 3) }, () => random.pick(words)).join(random.pick(['', ' ']))
}
