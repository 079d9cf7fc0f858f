/** Secrets of every kind in every place, through every output of the real command. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { Review } from '../../../src/domain/review.ts'
import { formatNames, formats } from '../../../src/index.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import { startFakeProvider } from '../../helpers/fakes/registry.ts'
import { Random } from '../../helpers/random.ts'
import { sightline } from '../../helpers/sightline.ts'
import { askApi } from './ask-api.ts'
import { askAsAgent } from './ask-as-agent.ts'
import { leakFinder } from './leaks.ts'
import {
  buildRepository,
  ofPlace,
  type Place,
  type Planted,
  plantCanaries,
  ticketText,
  toolMaterial,
} from './plant.ts'
import { scriptModels, toldByTools } from './script.ts'

/** What one output shows of one canary: its place but no character of it, some of it, or not even its place. */
export type Cell = {
  kind: string
  place: Place
  output: string
  state: 'clean' | 'leaky' | 'not shown'
  /** What got out, with the text around it. */
  leak?: string
}

export type CanaryOutcome = {
  kinds: string[]
  outputs: string[]
  cube: Cell[]
  characters: number
}

/** `depths`: of the reviews whose prompts are read; a sample takes one. `kinds`: in each place, all when not given. */
export async function runCanaries(
  root: string,
  { seed, depths, kinds }: { seed: number; depths: readonly string[]; kinds?: number | undefined },
): Promise<CanaryOutcome> {
  const planted = plantCanaries(new Random(seed), kinds)
  const outputs = await readOutputs(mkdtempSync(join(root, 'canaries-')), planted, depths)
  const leaksIn = leakFinder(planted)
  const cube = [...outputs].flatMap(([output, text]) => {
    // In a record made-up tokens of the same form replace real ones, and may begin alike.
    const leaked = leaksIn(text, { beginnings: !/: (?:export|record)/.test(output) })
    return planted.map((one): Cell => {
      const { kind, place, mark } = one
      const leak = leaked.get(one)
      if (leak !== undefined) return { kind, place, output, state: 'leaky', leak }
      return { kind, place, output, state: text.includes(mark) ? 'clean' : 'not shown' }
    })
  })
  return {
    kinds: [...new Set(planted.map(({ kind }) => kind))],
    outputs: [...outputs.keys()],
    cube,
    characters: [...outputs.values()].reduce((sum, text) => sum + text.length, 0),
  }
}

/** What each output shows, by its name. */
async function readOutputs(
  folder: string,
  planted: readonly Planted[],
  depths: readonly string[],
): Promise<Map<string, string>> {
  const repository = join(folder, 'repository')
  const ticket = join(folder, 'ticket.md')
  buildRepository(repository, planted)
  writeFileSync(ticket, ticketText(planted))
  const outputs = new Map<string, string>()
  const fake = await startFakeProvider('anthropic', { steps: scriptModels(planted, toolMaterial(planted)) })
  const env = { ...homes(folder), ...settingsFor(folder, fake.baseUrl) }
  const say = async (output: string, ...args: string[]) => {
    const { stdout, stderr } = await sightline(args, { env, cwd: repository })
    outputs.set(output, `${outputs.get(output) ?? ''}${stdout}\n${stderr}`)
    return stdout
  }
  const asksModels = depths.some((depth) => depth !== 'offline')
  try {
    for (const depth of depths) {
      const before = fake.requests.length
      const json = await say(
        `${depth}: JSON and events`,
        'review',
        'HEAD',
        '--json',
        '--progress',
        '--depth',
        depth,
        '--ticket',
        ticket,
      )
      if (depth !== 'offline') outputs.set(`${depth}: prompts`, textsOf(fake.requests.slice(before)))
      const review = Review.parse(JSON.parse(json))
      for (const format of formatNames)
        outputs.set(
          `${depth}: ${format}`,
          formats[format](review, { color: false, width: 100, explain: true, maxInline: 200 }),
        )
      const path = join(folder, `${depth}.zst`)
      await say(`${depth}: export`, 'runs', '--export', path)
      const pack = zstdDecompressSync(readFileSync(path)).toString('utf8')
      outputs.set(`${depth}: export`, `${outputs.get(`${depth}: export`)}${withoutSeals(unescaped(pack))}`)
      if (depth !== 'offline') outputs.set(`${depth}: export, prompts`, unescaped(promptsIn(pack)))
    }
    if (depths.includes('standard') || depths.includes('deep'))
      for (const [tool, text] of toldByTools(fake.calls.map(({ call }) => call.prompt)))
        outputs.set(`scout: ${tool}`, text)
    outputs.set('all depths: record', withoutSeals(unescaped(recordIn(join(folder, 'state')))))
    const mark = (place: Place) => ofPlace(planted, place)[0]?.mark ?? ''
    await say('show', 'show', 'last')
    await say('show', 'show', 'last', '--json')
    await say('context', 'context', 'HEAD', '--ticket', ticket)
    await say('search', 'search', `password key ${mark('tool')} ${mark('context')}`)
    await say('outline', 'outline', 'evidence/user.ts')
    await say('def', 'def', mark('evidence'))
    await say('refs', 'refs', 'connect')
    await say('callers', 'callers', 'connect')
    await say('impact', 'impact', 'connect')
    await say(
      'terminal, with progress',
      'review',
      'HEAD',
      '--depth',
      'offline',
      '--explain',
      '--ticket',
      ticket,
    )
    await say('replay', 'replay', 'last', '--explain')
    const linted = join(folder, 'linted.sarif')
    writeFileSync(linted, linterResults(repository, planted))
    await say('review --sarif', 'review', 'HEAD', '--depth', 'offline', '--json', '--sarif', linted)
    await say('findings', 'findings')
    await say('findings --json', 'findings', '--json')
    if (asksModels) {
      const before = fake.requests.length
      await say('ask', 'ask', 'last', 'what is in conf/diff.conf, and why does it matter?')
      outputs.set('ask: prompts', textsOf(fake.requests.slice(before)))
    }
    for (const [tool, text] of await askAsAgent(repository, env, planted)) outputs.set(`agent: ${tool}`, text)
    await say('show --html', 'show', 'last', '--html')
    await say('related', 'related')
    for (const [answer, json] of await askApi(repository, env))
      outputs.set(`dashboard: ${answer}`, unescaped(json))
    const [frozen, reviewed] = [join(folder, 'frozen'), join(folder, 'reviewed.json')]
    // The pack beside the request is git's own objects, and as confidential as the repository.
    await say('collect', 'collect', 'HEAD', '--out', frozen, '--ticket', ticket)
    outputs.set('collect', `${outputs.get('collect')}${readFileSync(join(frozen, 'request.json'), 'utf8')}`)
    await say('analyze', 'analyze', frozen, '--depth', 'offline', '--output', reviewed)
    outputs.set('analyze', `${outputs.get('analyze')}${readFileSync(reviewed, 'utf8')}`)
    await say('publish', 'publish', reviewed, '--request', frozen)
    const [inPath] = ofPlace(planted, 'path')
    await say('errors', 'review', `${inPath?.mark} ${inPath?.text}`)
  } finally {
    await fake.close()
  }
  // A model that could not answer was shown nothing further, and would have proved less than it seems.
  if (fake.mistakes.length > 0) throw new Error(`The scripted models failed: ${fake.mistakes.join('; ')}`)
  return outputs
}

function textsOf(requests: readonly { text: string }[]): string {
  return requests.map(({ text }) => unescaped(text)).join('\n')
}

/** What a linter that prints what it found would say of each secret of the diff, on its own line. */
function linterResults(repository: string, planted: readonly Planted[]): string {
  const path = 'conf/diff.conf'
  const lines = readFileSync(join(repository, path), 'utf8').split('\n')
  const results = ofPlace(planted, 'diff').map(({ mark, text }) => ({
    ruleId: `leak-${mark}`,
    message: { text: `${mark} ${text}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path },
          region: { startLine: lines.indexOf(`# ${mark}`) + 2, snippet: { text } },
        },
      },
    ],
  }))
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Linter' } }, results }] })
}

const Pack = z.object({ objects: z.record(z.string(), z.string()) })
const ModelRequest = z.object({ kind: z.literal('model'), body: z.string() })

/** The questions to models in an exported run, as they were sent. */
function promptsIn(pack: string): string {
  // What was read of the repository is cut into pieces, which are no JSON by themselves.
  const requests = Object.values(Pack.parse(JSON.parse(pack)).objects).filter((text) =>
    text.startsWith('{"address":'),
  )
  return requests.flatMap((text) => ModelRequest.safeParse(JSON.parse(text)).data?.body ?? []).join('\n')
}

/** All files that runs are kept in; the key that seals secrets is random bytes. */
function recordIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'key')
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8')
    })
    .join('\n')
}

/** What only the key of this machine opens is random text, and long enough to hold any five characters. */
function withoutSeals(text: string): string {
  return text.replace(/sealed\\*":\s*\\*"[A-Za-z0-9+/=]+/g, 'sealed":"')
}

/** Strings in JSON, in JSON again: a secret is looked for as it was written. */
function unescaped(text: string): string {
  return text.replaceAll(/\\+n/g, '\n').replaceAll('\\"', '"')
}

function homes(folder: string): Record<string, string> {
  return {
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
}

function settingsFor(folder: string, baseUrl: string): Record<string, string> {
  const path = join(folder, 'settings.yaml')
  const model = 'fake/claude-sonnet-5-5'
  writeFileSync(
    path,
    [
      'models:',
      '  providers:',
      `    fake: { kind: anthropic, baseUrl: '${baseUrl}', keyFrom: FAKE_KEY }`,
      '  roles:',
      `    reviewer: ${model}`,
      `    scout: ${model}`,
      `  prices: { '${model}': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }`,
      '',
    ].join('\n'),
  )
  return { SIGHTLINE_SETTINGS: path, FAKE_KEY: fakeApiKey }
}
