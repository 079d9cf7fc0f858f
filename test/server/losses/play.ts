/**
 * One change request through everything that an operator can lose, move, rotate or have twice, on one host and in an order
 * that a seed chooses. After each loss comes a push, which is reviewed; then each problem has its one thread, on its line, and
 * what people did stays done.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { BuiltInHostKind } from '../../../src/domain/host-kind.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import type { Thread } from '../../helpers/hosts/engine/change.ts'
import { Random } from '../../helpers/random.ts'
import { type ConnectedHost, connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, type ServedServer, startServed } from '../../helpers/served/server.ts'
import { type CliResult, environment, sightline } from '../../helpers/sightline.ts'

export const losses = [
  'database',
  'data folder',
  'secretKey',
  'key of the App or the webhooks',
  'token',
  'address of the host',
  'repository renamed',
  'repository transferred',
  'App reinstalled',
  'another server of the same App',
  'command line',
  'older version',
] as const
/** What a server loses while it is stopped. */
export const lossesOfStopped = losses.slice(0, 9)
export type Loss = (typeof losses)[number]

export type Played = {
  host: BuiltInHostKind
  seed: number
  /** What was lost before each review, in this order. */
  order: Loss[]
  reviews: number
  comments: number
  /** Comments that say again what a comment said. */
  doubles: string[]
  /** Problems without a comment, comments on wrong lines, and deeds of people that came undone. */
  wrong: string[]
}

export type PlayOptions = {
  host: BuiltInHostKind
  seed: number
  only?: readonly Loss[]
  /** All of them before one review, and not a review after each. Only for what a stopped server loses. */
  isAtOnce?: boolean
  /** A checkout of an earlier version, which reviews with the same secretKey; null leaves it out. */
  older?: string | null
}

/** Unlike each other, so that none is taken for one that was moved. */
const problem = (name: string) =>
  `export function ${name}(${name}Text: string) {\n  return eval(${name}Text + '${name}') // ${name} ${name}\n}\n`
const solved = (name: string) => problem(name).replace('eval', 'JSON.parse')

export async function playLosses({
  host: kind,
  seed,
  only = losses,
  isAtOnce = false,
  older = null,
}: PlayOptions): Promise<Played> {
  const names = ['stays', 'resolved', 'deleted', 'fixed']
  const host = await connectHost(kind, {
    files: Object.fromEntries(names.map((name) => [`${name}.ts`, problem(name)])),
    // Each has a thread, and is not only listed.
    base: { '.sightline.yaml': 'review:\n  maxInline: 50\n' },
  })
  const home = mkdtempSync(join(tmpdir(), 'sightline-losses-'))
  const random = new Random(seed)
  // It knows only what it signed itself, so it comes before anything is lost.
  const first = only.filter((loss) => loss === 'older version' && older !== null)
  const rest = only.filter((loss) => loss !== 'older version')
  const order = [...first, ...random.shuffled(rest)]
  const world = new LossWorld(host, home, older)
  const played: Played = { host: kind, seed, order, reviews: 0, comments: 0, doubles: [], wrong: [] }
  const open = new Set(names)
  const settled = new Map<string, 'resolved' | 'deleted'>()
  const look = (after: string) => {
    played.reviews++
    account(host, { open, settled, after, played })
  }
  try {
    await world.review('opened')
    look('the first review')
    for (const [name, deed] of [
      ['resolved', 'resolved'],
      ['deleted', 'deleted'],
    ] as const) {
      const thread = threadsOf(host, name)[0]
      if (!thread) throw new Error(`nothing says that ${name} is wrong`)
      if (deed === 'resolved' && kind !== 'forgejo') host.change.resolve(thread, 'ada')
      else for (const note of [...thread.notes]) host.change.deleteNote(note)
      settled.set(name, deed === 'resolved' && kind !== 'forgejo' ? 'resolved' : 'deleted')
      open.delete(name)
    }
    let added = 0
    for (const lost of isAtOnce ? [order] : order.map((one) => [one])) {
      const loss = lost.join(' and ')
      const fix = random.chance(0.3) && open.has('fixed')
      // No other account could vouch for what an older version posts; and what goes and comes in one push has moved.
      const add = random.chance(0.3) && !lost.includes('older version') && !fix
      const files: Record<string, string> = { 'other.ts': `export const pushes = '${loss}'\n` }
      if (fix) {
        files['fixed.ts'] = solved('fixed')
        open.delete('fixed')
      }
      if (add) {
        const name = `added${++added}`
        files[`${name}.ts`] = problem(name)
        open.add(name)
      }
      // Everything moves down by a line.
      if (random.chance(0.5)) files['stays.ts'] = `// ${loss}\n${problem('stays')}`
      host.change.push(files)
      await world.lose(lost)
      look(loss)
    }
    played.comments = host.change.threads.length
    played.wrong.push(...host.violations.map((one) => `the host: ${one}`))
    return played
  } finally {
    await world.close()
    await host.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Servers over one host, each in a folder of its own. */
class LossWorld {
  private readonly host: ConnectedHost
  private readonly home: string
  private readonly running = new Map<string, ServedServer>()
  /** By the folders of their servers, which begin and end more often. */
  private readonly databases = new Map<string, Database>()
  private hostUrl: string
  private made = 0
  private folder: string
  private readonly older: string | null
  private secretKey = 'the first secretKey, long enough for a server'

  constructor(host: ConnectedHost, home: string, older: string | null) {
    this.host = host
    this.older = older
    this.home = home
    this.hostUrl = host.url
    this.folder = this.newFolder()
  }

  async review(action: 'opened' | 'pushed' = 'pushed', folder = this.folder): Promise<void> {
    const server = this.running.get(folder) ?? (await this.start(folder))
    await this.host.announce(server.url, action)
    await endOfCheck(this.host, server)
  }

  async lose(lost: readonly Loss[]): Promise<void> {
    const { host } = this
    const [loss] = lost
    if (loss === 'command line') return await this.reviewByCommand()
    if (loss === 'older version') {
      await this.reviewByOlder(this.older ?? '')
      host.change.push({ 'other.ts': 'export const pushes = "by the newer again"\n' })
      return await this.review()
    }
    if (loss === 'another server of the same App') {
      const other = this.newFolder()
      const own = this.secretKey
      this.secretKey = 'the secretKey of another server, long enough'
      await this.review('pushed', other)
      this.secretKey = own
      await this.stop(other)
      await this.loseDatabase(other)
      host.change.push({ 'other.ts': 'export const pushes = "by the first again"\n' })
      return await this.review()
    }
    await this.stop(this.folder)
    for (const one of lost) await this.loseOfStopped(one)
    await this.review()
  }

  private async loseOfStopped(loss: Loss): Promise<void> {
    const { host } = this
    if (loss === 'database') await this.loseDatabase(this.folder)
    if (loss === 'data folder') {
      await this.loseDatabase(this.folder)
      this.folder = this.newFolder()
    }
    if (loss === 'secretKey') this.secretKey = `the secretKey number ${++this.made}, long enough for a server`
    if (loss === 'key of the App or the webhooks') host.rotateKey()
    if (loss === 'token') host.replaceToken()
    if (loss === 'App reinstalled') host.reinstall()
    if (loss === 'repository renamed') host.project.rename(`${host.project.owner}/store${++this.made}`)
    if (loss === 'repository transferred') {
      // Of an organization with projects, to another project.
      const place = [...host.project.owner.split('/').slice(0, -1), `others${++this.made}`]
      host.project.rename([...place, host.project.name].join('/'))
    }
    if (loss === 'address of the host') {
      const { hostname } = new URL(this.hostUrl)
      this.hostUrl = this.hostUrl.replace(hostname, hostname === 'localhost' ? '127.0.0.1' : 'localhost')
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.keys()].map((folder) => this.stop(folder)))
    await Promise.all([...this.databases.keys()].map((folder) => this.loseDatabase(folder)))
  }

  private newFolder(): string {
    const folder = join(this.home, `server${++this.made}`)
    mkdirSync(folder)
    return folder
  }

  private async start(folder: string): Promise<ServedServer> {
    const { host, hostUrl, secretKey } = this
    const settings = { policy: { depth: 'offline' } }
    const database = this.databases.get(folder) ?? (await openEmptyDatabase())
    this.databases.set(folder, database)
    const server = await startServed({ host, folder, hostUrl, secretKey, settings, database })
    this.running.set(folder, server)
    return server
  }

  private async stop(folder: string): Promise<void> {
    await this.running.get(folder)?.stop()
    this.running.delete(folder)
  }

  private async loseDatabase(folder: string): Promise<void> {
    await this.databases.get(folder)?.close()
    this.databases.delete(folder)
  }

  /** Side by side with the one that runs, on the same secretKey. */
  private async reviewByOlder(checkout: string): Promise<void> {
    const { host, secretKey, hostUrl: url } = this
    const folder = this.newFolder()
    const secrets = Object.entries(host.secrets).flatMap(([name, secret]) => {
      if (secret === null) return []
      writeFileSync(join(folder, name), secret, { mode: 0o600 })
      return [[name, { file: join(folder, name) }] as const]
    })
    writeFileSync(join(folder, 'key'), secretKey, { mode: 0o600 })
    const file = join(folder, 'server.yaml')
    writeFileSync(
      file,
      stringify({
        ...{
          listen: { port: 0 },
          dataFolder: join(folder, 'data'),
          secretKey: { file: join(folder, 'key') },
        },
        policy: { depth: 'offline' },
        connections: { host: { ...host.connection(), url, ...Object.fromEntries(secrets) } },
      }),
    )
    const child = spawn(process.execPath, [join(checkout, 'bin/sightline.js'), 'serve', '--settings', file], {
      env: environment({ HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log: string[] = []
    child.stderr.on('data', (bytes: Buffer) => log.push(bytes.toString()))
    const ended = new Promise((resolve) => child.once('close', resolve))
    try {
      const address = await new Promise<string>((resolve, reject) => {
        child.stdout.on('data', (bytes: Buffer) => {
          const [, found] = /serves (\S+)/.exec(bytes.toString()) ?? []
          if (found) resolve(found)
        })
        void ended.then(() => reject(new Error(log.join(''))))
      })
      await host.announce(address)
      await endOfCheck(host, { log })
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  }

  private async reviewByCommand(): Promise<void> {
    const { host, home } = this
    const { hostname, host: name } = new URL(host.url)
    const settings = join(home, 'settings.yaml')
    writeFileSync(
      settings,
      stringify({ hosts: { [name]: { kind: host.kind, url: host.url, token: 'HOST_TOKEN' } } }),
    )
    const secret = host.secrets.webhookSecret ?? ''
    const env = { SIGHTLINE_SETTINGS: settings, HOST_TOKEN: host.token(), SIGHTLINE_MARKER_SECRET: secret }
    const { code, stderr }: CliResult = await sightline(
      ['review', host.address(), '--post', '--depth', 'offline'],
      {
        env: { ...env, HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home },
        cwd: home,
      },
    )
    if (code !== 0) throw new Error(`${hostname}: the command ended with ${code}: ${stderr}`)
  }
}

function threadsOf({ change }: ConnectedHost, name: string): Thread[] {
  return change.threads.filter(({ path }) => path === `${name}.ts`)
}

type Expected = {
  open: ReadonlySet<string>
  settled: ReadonlyMap<string, 'resolved' | 'deleted'>
  after: string
  played: Played
}

function account(host: ConnectedHost, { open, settled, after, played }: Expected): void {
  const { change } = host
  for (const name of open) {
    const threads = threadsOf(host, name)
    if (threads.length > 1) played.doubles.push(`${threads.length} threads on ${name} after ${after}`)
    const [thread] = threads
    if (!thread) played.wrong.push(`no thread on ${name} after ${after}`)
    else if (thread.resolvedBy) played.wrong.push(`${name} was closed after ${after}`)
    else {
      const line = change.placeOf(thread)?.line
      const file = String(change.repository.read(change.head, `${name}.ts`))
      const text = line ? file.split('\n')[line - 1] : ''
      if (!text?.includes('eval')) played.wrong.push(`${name} is on line ${line} after ${after}`)
    }
  }
  for (const [name, deed] of settled) {
    const threads = threadsOf(host, name)
    const isUndone = threads.length !== (deed === 'deleted' ? 0 : 1) || threads.some((one) => !one.resolvedBy)
    if (isUndone) played.doubles.push(`${name} is there again after ${after}`)
  }
  if (!open.has('fixed')) {
    const threads = threadsOf(host, 'fixed')
    const isClosed =
      host.kind === 'forgejo' ||
      threads.every(({ resolvedBy, notes }) => resolvedBy || notes.at(-1)?.body.startsWith('Fixed in '))
    if (threads.length !== 1) played.doubles.push(`${threads.length} threads on fixed after ${after}`)
    if (!isClosed) played.wrong.push(`fixed is still open after ${after}`)
  }
  const bodies = [...change.reviews.map(({ body }) => body), ...change.comments.map(({ body }) => body)]
  const texts = new Map<string, number>()
  for (const body of bodies.filter((one) => one !== '')) texts.set(body, (texts.get(body) ?? 0) + 1)
  for (const [body, times] of texts)
    if (times > 1) played.doubles.push(`${times} times after ${after}: ${body.slice(0, 60)}`)
}
