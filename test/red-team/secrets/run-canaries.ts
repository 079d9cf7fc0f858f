/**
 * Secrets of every kind in every place, through every door of the real command. A leak is any ten characters in a row of
 * what nobody may see, or its beginning past the prefix that may be shown.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { Review } from '../../../src/domain/review.ts'
import { formatNames, formats } from '../../../src/index.ts'
import { sightline } from '../../cli/run-cli.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import { startFakeProvider } from '../../helpers/fakes/registry.ts'
import { Random } from '../../helpers/random.ts'
import { type Canary, drawCanaries } from './kinds.ts'

export const places = ['diff', 'context', 'evidence', 'tool', 'path', 'message', 'ticket'] as const
type Place = (typeof places)[number]

export type CanaryOutcome = {
  kinds: string[]
  doors: string[]
  /** `kind × place` for each door. */
  leaks: ReadonlyMap<string, readonly { kind: string; place: Place }[]>
  characters: number
}

type Planted = Canary & { place: Place }

/** `depths`: of the reviews whose prompts are read; a sample takes one. */
export async function runCanaries(
  root: string,
  { seed, depths }: { seed: number; depths: readonly string[] },
): Promise<CanaryOutcome> {
  const random = new Random(seed)
  const planted = places.flatMap((place) => drawCanaries(random).map((canary) => ({ ...canary, place })))
  const folder = mkdtempSync(join(root, 'canaries-'))
  const doors = await openDoors(folder, planted, depths)
  const isLeaked = leakFinder(planted)
  return {
    kinds: [...new Set(planted.map(({ kind }) => kind))],
    doors: [...doors.keys()],
    leaks: new Map([...doors].map(([door, text]) => [door, isLeaked(text)])),
    characters: [...doors.values()].reduce((sum, text) => sum + text.length, 0),
  }
}

const gramLength = 10

function leakFinder(planted: readonly Planted[]): (text: string) => Planted[] {
  const grams = new Map<string, Planted>()
  for (const one of planted)
    for (const value of one.hidden)
      for (let at = 0; at + gramLength <= value.length; at++) grams.set(value.slice(at, at + gramLength), one)
  return (text) => {
    const found = new Set<Planted>()
    for (let at = 0; at + gramLength <= text.length; at++) {
      const leaked = grams.get(text.slice(at, at + gramLength))
      if (leaked) found.add(leaked)
    }
    for (const one of planted) {
      const [value = ''] = one.hidden
      const at = one.text.indexOf(value)
      const beginning = one.text.slice(Math.max(0, at - 4), at + 5)
      if (beginning.length === 9 && text.includes(beginning)) found.add(one)
    }
    return [...found]
  }
}

/** What each door shows, by its name. */
async function openDoors(
  folder: string,
  planted: readonly Planted[],
  depths: readonly string[],
): Promise<Map<string, string>> {
  const repository = join(folder, 'repository')
  const ticket = join(folder, 'ticket.md')
  buildRepository(repository, planted)
  writeFileSync(
    ticket,
    `# Ticket\n\n- [ ] ${ofPlace(planted, 'ticket')
      .map(({ text }) => text)
      .join('\n\n- [ ] ')}\n`,
  )
  const doors = new Map<string, string>()
  const fake = await startFakeProvider('anthropic', { steps: [{ answer: 'good', times: 'always' }] })
  const env = { ...homes(folder), ...settingsFor(folder, fake.baseUrl) }
  const say = async (door: string, ...args: string[]) => {
    const { stdout, stderr } = await sightline(args, { env, cwd: repository })
    doors.set(door, `${doors.get(door) ?? ''}${stdout}\n${stderr}`)
    return stdout
  }
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
      if (depth !== 'offline')
        doors.set(
          `${depth}: prompts`,
          fake.requests
            .slice(before)
            .map(({ text }) => unescaped(text))
            .join('\n'),
        )
      const review = Review.parse(JSON.parse(json))
      for (const format of formatNames)
        doors.set(
          `${depth}: ${format}`,
          formats[format](review, { color: false, width: 100, explain: true, maxInline: 50 }),
        )
      const pack = join(folder, `${depth}.zst`)
      await say('runs --export', 'runs', '--export', pack)
      doors.set(`${depth}: export`, unescaped(zstdDecompressSync(readFileSync(pack)).toString('utf8')))
    }
    await say('show', 'show', 'last')
    await say('context', 'context', 'HEAD', '--ticket', ticket)
    await say('search', 'search', 'service value password key')
    for (const file of ['evidence/user.ts', 'src/service.ts']) await say('outline', 'outline', file)
    await say('def', 'def', 'connect')
    await say('refs', 'refs', 'connect')
    for (const { text } of ofPlace(planted, 'path').slice(0, 3)) await say('errors', 'review', text)
  } finally {
    await fake.close()
  }
  return doors
}

function buildRepository(folder: string, planted: readonly Planted[]): void {
  mkdirSync(folder)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const comment = (all: readonly Planted[]) => `/*\n${all.map(({ text }) => text).join('\n\n')}\n*/\n`
  git('init', '--quiet')
  const context = ofPlace(planted, 'context').map(({ text }, index) => `# ${index}\n${text}\n`)
  write('conf/context.conf', context.join('\n'))
  write(
    'tool/all.conf',
    ofPlace(planted, 'tool')
      .map(({ text }) => `${text}\n`)
      .join('\n'),
  )
  write('src/service.ts', 'export function connect(address: string): string {\n  return address\n}\n')
  write(
    'evidence/user.ts',
    `import { connect } from '../src/service.ts'\n${ofPlace(planted, 'evidence')
      .map((one, index) => `export function use${index}() {\n  return connect(\`\n${one.text}\n\`)\n}\n`)
      .join('\n')}`,
  )
  git('add', '-A')
  git('commit', '--quiet', '-m', 'begin')
  write('conf/context.conf', context.join('changed = 1\n'))
  write(
    'src/service.ts',
    `export function connect(address: string, port: number): string {\n  return address + port\n}\n${comment(ofPlace(planted, 'diff'))}`,
  )
  write(
    'conf/diff.conf',
    ofPlace(planted, 'diff')
      .map(({ text }) => `${text}\n`)
      .join('\n'),
  )
  for (const { text } of ofPlace(planted, 'path')) write(`conf/paths/${nameOf(text)}/a.conf`, 'port = 1\n')
  git('add', '-A')
  git(
    'commit',
    '--quiet',
    '-m',
    `change\n\n${ofPlace(planted, 'message')
      .map(({ text }) => text)
      .join('\n\n')}`,
  )
}

/** The token alone, where a path can hold one. */
function nameOf(text: string): string {
  return text
    .replace(/^value: /, '')
    .replaceAll('/', '')
    .replaceAll('\n', '')
    .slice(0, 200)
}

function ofPlace(planted: readonly Planted[], wanted: Place): Planted[] {
  // Of all that has no token of its own, only the form around it tells; a path has none.
  return planted.filter(
    ({ place, text }) => place === wanted && (place !== 'path' || /^value: [\w.-]+$/.test(text)),
  )
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
      `  prices: { '${model}': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }`,
      '',
    ].join('\n'),
  )
  return { SIGHTLINE_SETTINGS: path, FAKE_KEY: fakeApiKey }
}
