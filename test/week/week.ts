/**
 * A week of a server in a short time: change requests with their pushes and comments on all fake hosts, and all that goes
 * wrong meanwhile. Afterwards there is peace, and an account of every finding, every commit and every row.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type Dirent, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { privateBytes } from '../../src/base/process-tree.ts'
import { type BuiltInHostKind, hostKinds } from '../../src/domain/host-kind.ts'
import { tablesOf } from '../../src/server/admin/tables.ts'
import type { Database } from '../../src/server/database/contract.ts'
import { migrations } from '../../src/server/database/migrations/registry.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { passingReasons } from '../../src/server/jobs/failures.ts'
import { insist, moveClock } from '../chaos/plan.ts'
import { BugChange } from '../contracts/bug-change.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { Random } from '../helpers/random.ts'
import { entry } from '../helpers/sightline.ts'
import { type Account, account } from './account.ts'
import type { Sample } from './growth.ts'
import { openWeekHost, type WeekHost } from './hosts.ts'
import { openModel } from './model.ts'
import { deletedOwner, type Planned, type PlannedChange, planWeek, type WeekOptions } from './plan.ts'
import { type Balancer, openBalancer, WeekServer } from './servers.ts'

export type PlayOptions = WeekOptions & {
  /** The script of another version; each deploy goes to the other one. */
  other?: string
  onNote?: (text: string) => void
}

export type Played = {
  /** What happened how often. */
  happened: Record<string, number>
  lost: number
  repeated: number
  /** Each push that got a mark on its commit. */
  started: Started[]
  crashes: number
  complaints: Record<string, number>
  memory: Sample[]
  handles: Sample[]
  /** By the kind of folder below that of the data, and all. */
  files: ReadonlyMap<string, readonly Sample[]>
  /** By table, and all. */
  rows: ReadonlyMap<string, readonly Sample[]>
  account: Account
}

/** What kept a server from hearing of a push or from answering it; kills and deploys are no excuse. */
export type Excuse = 'webhook lost' | 'host or database away'

export type Started = {
  /** Milliseconds from the push to the first mark on its commit. */
  waited: number
  excuse: Excuse | null
}

/** When a host, or with null the database, could not be reached or written to; `performance.now()`. */
type Outage = { host: BuiltInHostKind | null; from: number; until: number }

/** A push whose commit has no mark yet. */
type Pending = { change: OpenChange; commit: string; at: number; isReported: boolean }

/** A change with what is known of it on its host. */
export type OpenChange = {
  host: WeekHost
  planned: PlannedChange
  bugs: BugChange
  random: Random
  /** One deed at a time. */
  turn: Promise<void>
}

const watchMs = 25
const lostShare = 0.03
const repeatedShare = 0.05
const reconcileMinutes = 1
/** Long enough for what no webhook reported to be found. */
const quietMs = (reconcileMinutes * 60 + 30) * 1000
const mostPeaceMs = 20 * 60_000
const run = promisify(execFile)

/** Rejects with the reason of `signal` when that aborts; nothing that it started is left then either. */
export async function playWeek(options: PlayOptions, signal: AbortSignal): Promise<Played> {
  const week = new Week(options)
  const { promise: ended, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  try {
    return await Promise.race([ended, week.live()])
  } finally {
    await week.remove()
  }
}

class Week {
  private readonly options: PlayOptions
  private readonly folder = mkdtempSync(join(tmpdir(), 'sightline-week-'))
  private readonly hosts = new Map<BuiltInHostKind, WeekHost>()
  private readonly projects = new Map<string, Project>()
  private readonly changes = new Map<number, OpenChange>()
  private readonly servers: WeekServer[] = []
  private readonly pending = new Set<Pending>()
  private readonly outages: Outage[] = []
  private readonly under = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private readonly happened: Record<string, number> = {}
  private readonly samples = {
    memory: [] as Sample[],
    handles: [] as Sample[],
    files: new Map<string, Sample[]>(),
    rows: new Map<string, Sample[]>(),
  }
  private readonly beganAt = performance.now()
  private readonly started: Started[] = []
  private lost = 0
  private repeated = 0
  private model: Awaited<ReturnType<typeof openModel>> | null = null
  private postgres: Awaited<ReturnType<typeof startPostgres>> | null = null
  private balancer: Balancer | null = null
  private database: Database | null = null
  private deletedTenants: string[] = []
  private isOther = false
  private opening: Promise<void> = Promise.resolve()

  constructor(options: PlayOptions) {
    this.options = options
  }

  async live(): Promise<Played> {
    this.opening = this.open()
    await this.opening
    await this.play()
    return await this.close()
  }

  private async open(): Promise<void> {
    const { folder, servers, hosts, options } = this
    this.balancer = await openBalancer(servers)
    for (const name of hostKinds) hosts.set(name, await openWeekHost(name, this.balancer.url))
    this.model = await openModel()
    this.postgres = options.database === 'postgres' ? await startPostgres({ isDurable: true }) : null
    const count = options.database === 'postgres' ? 2 : 1
    const secretKey = randomBytes(32).toString('base64url')
    for (let at = 0; at < count; at++)
      servers.push(
        new WeekServer(`server-${at}`, {
          entry,
          folder: join(folder, `server-${at}`),
          settings: {},
          files: { 'secret-key': secretKey },
          env: { FAKE_KEY: fakeApiKey, SIGHTLINE_SETTINGS: join(folder, `server-${at}`, 'settings.yaml') },
        }),
      )
    this.writeSettings()
    await Promise.all(servers.map((server) => this.begin(server)))
    this.database = await insist(() => openDatabase(this.place()))
  }

  private async play(): Promise<void> {
    const { changes, happenings } = planWeek(this.options)
    void this.watch()
    void this.sample()
    const beganAt = performance.now()
    for (const planned of happenings) {
      const early = planned.at - (performance.now() - beganAt)
      if (early > 0) await wait(early)
      this.happened[planned.kind] = (this.happened[planned.kind] ?? 0) + 1
      this.options.onNote?.(`${((performance.now() - beganAt) / 1000).toFixed(0)} s ${words(planned)}`)
      this.start(this.happen(planned, changes))
    }
    await Promise.all(this.under)
    this.options.onNote?.('peace')
  }

  private async close(): Promise<Played> {
    const database = this.database
    if (!database) throw new Error('the week was not opened')
    const [first] = [performance.now()]
    let [quietSince, last] = [performance.now(), '']
    // Whatever is not done yet, or an outage cut short, may be found by the reconciler; then it is lost.
    while (performance.now() - quietSince < quietMs && performance.now() - first < mostPeaceMs) {
      await wait(1000)
      const [row] = await database.query<{ open: number; waiting: number; cut: number; all: number }>(
        `select (select count(*) from job where state in ('queued', 'running'))::int as open,
           (select count(*) from webhook_delivery where settled_at is null)::int as waiting,
           (select count(*) from job where result->>'reason' = any($1::text[]) and ended_at > now() - interval '5 minutes'
             and not exists (select 1 from job later where later.lane = job.lane and later.id > job.id))::int as cut,
           (select count(*) from job)::int as all`,
        [[...passingReasons]],
      )
      const now = JSON.stringify(row)
      if (row && (row.open > 0 || row.waiting > 0 || row.cut > 0 || now !== last))
        quietSince = performance.now()
      last = now
    }
    this.stopping.abort()
    const { happened, lost, repeated, started, servers, samples } = this
    const result = await account({
      ...{ database, hosts: [...this.hosts.values()], changes: [...this.changes.values()] },
      deletedTenants: this.deletedTenants,
    })
    const complaints: Record<string, number> = {}
    for (const server of servers)
      for (const [what, count] of server.complaints) complaints[what] = (complaints[what] ?? 0) + count
    const crashes = servers.reduce((sum, server) => sum + server.crashes, 0)
    return { ...{ happened, lost, repeated, started, crashes, complaints, ...samples }, account: result }
  }

  async remove(): Promise<void> {
    this.stopping.abort()
    // What is half open has no name to close it by.
    await this.opening.catch(() => undefined)
    await this.database?.close().catch(() => undefined)
    await Promise.all(this.servers.map((server) => server.stop('SIGTERM')))
    await this.balancer?.close()
    await this.model?.fake.close()
    for (const host of this.hosts.values()) await host.fake.close()
    this.postgres?.stop()
    if (!process.env.SIGHTLINE_WEEK_KEEP) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Where the database is, for whoever looks from outside. */
  private place(): { url: string | undefined; folder: string } {
    return { url: this.postgres?.url, folder: join(this.folder, 'data', 'database') }
  }

  private writeSettings(): void {
    const all = [...this.hosts.values()].map((host) => ({ host, ...host.settings() }))
    for (const { place } of this.servers) {
      place.settings = {
        listen: { port: 0 },
        // On one machine they share it.
        dataFolder: join(this.folder, 'data'),
        secretKey: { file: 'secret-key' },
        intake: { reconcileMinutes },
        connections: Object.fromEntries(all.map(({ host, connection }) => [host.name, connection])),
        ...(this.postgres ? { databaseUrl: { env: 'DATABASE_URL' } } : {}),
      }
      place.env = { ...place.env, ...(this.postgres ? { DATABASE_URL: this.postgres.url } : {}) }
      place.files = {
        ...{ 'secret-key': place.files['secret-key'] ?? '' },
        ...Object.assign({}, ...all.map(({ files }) => files)),
        'settings.yaml': stringify({
          models: {
            providers: {
              fake: { kind: 'anthropic', baseUrl: this.model?.fake.baseUrl, keyFrom: 'FAKE_KEY' },
            },
            roles: { reviewer: 'fake/claude-sonnet-5-5' },
          },
        }),
      }
    }
  }

  private start(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.options.onNote?.(`failed: ${(error as Error).stack}`))
      .finally(() => this.under.delete(tracked))
    this.under.add(tracked)
  }

  private async happen(planned: Planned, changes: readonly PlannedChange[]): Promise<void> {
    switch (planned.kind) {
      case 'open':
        return await this.openChange(planned.change, changes)
      case 'push':
      case 'disturb':
      case 'ask':
      case 'close': {
        const { kind } = planned
        const change = this.changes.get(planned.change)
        if (change?.bugs.change.state !== 'open') return
        change.turn = change.turn.then(() => this.deed(change, kind))
        return await change.turn
      }
      case 'host-down':
        return await this.outage(planned.host, () =>
          this.away(planned.seconds, (isDown) => this.host(planned.host).setDown(isDown)),
        )
      case 'model-down':
        return await this.away(planned.seconds, (isDown) => this.model?.setDown(isDown))
      case 'rate-limit':
        this.host(planned.host).limitWrites(planned.seconds)
        return await this.outage(planned.host, () => wait(planned.seconds * 1000))
      case 'host-clock':
        return this.host(planned.host).fake.world.passTime(planned.seconds)
      case 'clock-jump':
        if (this.database) await moveClock(this.database, planned.seconds)
        return
      case 'database-down':
        return await this.outage(null, async () => {
          this.postgres?.crash()
          await wait(planned.seconds * 1000)
          if (!this.stopping.signal.aborted) this.postgres?.start()
        })
      case 'server-killed': {
        const server = this.servers[planned.server % this.servers.length]
        return await this.alone(async () => {
          await server?.stop('SIGKILL')
          await wait(planned.seconds * 1000)
          if (server) await this.begin(server)
        })
      }
      case 'deploy':
        return await this.alone(() => this.deploy())
      case 'webhook-secrets':
        return await this.alone(async () => {
          for (const host of this.hosts.values()) host.rotateWebhookSecret()
          this.writeSettings()
          await this.restart()
          for (const host of this.hosts.values()) host.useWebhookSecret()
        })
      case 'secret-key':
        return await this.alone(async () => {
          for (const { place } of this.servers)
            place.files['secret-key'] = `${'another '.repeat(4)}${planned.at}`
          this.writeSettings()
          await this.restart()
        })
      case 'rename': {
        const project = [...this.projects.values()][planned.project % Math.max(1, this.projects.size)]
        return project?.rename(`${project.owner}/${project.name}-renamed`)
      }
      case 'tokens':
        return await this.alone(async () => {
          for (const host of this.hosts.values()) host.rotateToken()
          this.writeSettings()
          await this.restart()
        })
      case 'day':
        return await this.alone(() => this.passDay())
      case 'delete-tenant':
        return await this.alone(() => this.deleteTenant())
    }
  }

  private host(name: BuiltInHostKind): WeekHost {
    const host = this.hosts.get(name)
    if (!host) throw new Error(`no host ${name}`)
    return host
  }

  private async away(seconds: number, setDown: (isDown: boolean) => void): Promise<void> {
    setDown(true)
    await wait(seconds * 1000)
    setDown(false)
  }

  private async outage(host: BuiltInHostKind | null, during: () => Promise<void>): Promise<void> {
    const outage: Outage = { host, from: performance.now(), until: Number.POSITIVE_INFINITY }
    this.outages.push(outage)
    await during()
    outage.until = performance.now()
  }

  private operation: Promise<void> = Promise.resolve()

  /** What an operator does, one after the other. */
  private alone(work: () => Promise<void>): Promise<void> {
    const done = this.operation.then(work)
    this.operation = done.catch(() => undefined)
    return done
  }

  private async deploy(): Promise<void> {
    const { other } = this.options
    this.isOther = other !== undefined && !this.isOther
    for (const { place } of this.servers) place.entry = this.isOther && other ? other : entry
    await this.restart()
  }

  /** One after the other, as an operator does it. */
  private async restart(): Promise<void> {
    for (const server of this.servers) {
      await server.stop()
      await this.begin(server)
    }
  }

  /** Whoever looks after it starts it again when it ends, as it does while its database is away. */
  private begin(server: WeekServer): Promise<void> {
    return insist(async () => {
      if (this.stopping.signal.aborted) return
      await server.start()
    })
  }

  private async deleteTenant(): Promise<void> {
    const github = this.host('github')
    const rows = await insist(
      async () =>
        (await this.database?.query<{ tenant: string }>(
          'select tenant from installation where account = $1',
          [deletedOwner],
        )) ?? [],
    )
    await github.uninstall(deletedOwner)
    const [server] = this.servers
    if (!server) return
    for (const { tenant } of rows) {
      await this.admin(server, ['delete-tenant', tenant, '--yes'])
      this.deletedTenants.push(tenant)
    }
  }

  private async openChange(at: number, changes: readonly PlannedChange[]): Promise<void> {
    const planned = changes[at]
    if (!planned) return
    const host = this.host(planned.host)
    const key = `${planned.host}/${planned.owner}/${planned.repository}`
    const project =
      this.projects.get(key) ??
      host.createProject(planned.owner, planned.repository, {
        '.sightline.yaml': 'review: {depth: quick, maxInline: 100}\n',
        'README.md': '# Example\n',
      })
    this.projects.set(key, project)
    for (const login of ['ada', 'bob']) project.roles.set(login, 'write')
    const random = new Random(planned.seed)
    const bugs = new BugChange({
      ...{ random, project, resolves: host.resolves, branch: `topic-${at}`, base: `base-${at}` },
    })
    bugs.edit()
    const change: OpenChange = { host, planned, bugs, random, turn: Promise.resolve() }
    this.changes.set(at, change)
    await this.pushed(change, 'opened')
  }

  private async deed(change: OpenChange, kind: 'push' | 'disturb' | 'ask' | 'close'): Promise<void> {
    const { bugs, host, random } = change
    if (kind === 'push') {
      bugs.edit()
      return await this.pushed(change, 'pushed')
    }
    if (kind === 'close') {
      if (random.chance(0.5)) bugs.change.close()
      else bugs.change.merge()
      await this.report(change, () => host.report({ change: bugs.change, action: 'closed' }))
      return
    }
    if (kind === 'ask') {
      const note = bugs.change.comment('bob', `@sightline ${random.pick(['help', 'config', 'review'])}`)
      await this.report(change, () => host.report({ change: bugs.change, note, thread: null }))
      return
    }
    const done = bugs.disturb()
    const note = done?.deed === 'answer' ? done.thread.notes.at(-1) : undefined
    if (done && note)
      await this.report(change, () => host.report({ change: bugs.change, note, thread: done.thread }))
  }

  private async pushed(change: OpenChange, action: 'opened' | 'pushed'): Promise<void> {
    const pending: Pending = {
      ...{ change, commit: change.bugs.change.head, at: performance.now(), isReported: true },
    }
    this.pending.add(pending)
    pending.isReported = await this.report(change, () =>
      change.host.report({ change: change.bugs.change, action }),
    )
  }

  /** Some get lost on their way, which is told, and some come twice. */
  private async report({ random }: OpenChange, send: () => Promise<number>): Promise<boolean> {
    if (random.chance(lostShare)) {
      this.lost++
      return false
    }
    await send()
    if (random.chance(repeatedShare)) {
      this.repeated++
      await send()
    }
    return true
  }

  private async watch(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      for (const one of this.pending) {
        const { change, commit, at } = one
        if (change.host.marksOf(change.bugs.change, commit).length === 0) {
          // A newer push took its place, or nobody is to be told any more.
          if (change.bugs.change.head !== commit || change.bugs.change.state !== 'open')
            this.pending.delete(one)
          continue
        }
        this.started.push({ waited: performance.now() - at, excuse: this.excuseOf(one) })
        this.pending.delete(one)
      }
      await wait(watchMs)
    }
  }

  private excuseOf({ change, at, isReported }: Pending): Excuse | null {
    if (!isReported) return 'webhook lost'
    const isAway = this.outages.some(
      ({ host, until }) => until > at && (host === null || host === change.host.name),
    )
    return isAway ? 'host or database away' : null
  }

  private async sample(): Promise<void> {
    const every = Math.max(2000, (this.options.minutes * 60_000) / 200)
    const { memory, handles, files, rows } = this.samples
    while (!this.stopping.signal.aborted) {
      await wait(every)
      const counted = await this.countRows().catch(() => null)
      if (counted === null) continue
      const [x, minute] = [counted.reviews, (performance.now() - this.beganAt) / 60_000]
      const add = (to: Map<string, Sample[]>, name: string, y: number) =>
        to.set(name, [...(to.get(name) ?? []), { group: name, x, y, minute }])
      for (const [table, count] of Object.entries(counted.rows)) add(rows, table, count)
      for (const [kind, count] of filesByKind(join(this.folder, 'data'))) add(files, kind, count)
      for (const { pid, name } of this.servers) {
        if (pid === null) continue
        const group = `${name} ${pid}`
        const bytes = privateBytes(pid)
        if (bytes !== null) memory.push({ group, x, y: bytes / 2 ** 20, minute })
        handles.push({ group, x, y: handlesOf(pid), minute })
      }
      this.forget()
    }
  }

  /** What fakes remember of requests would be most of this process soon. */
  private forget(): void {
    for (const host of this.hosts.values()) (host.fake.log as unknown[]).length = 0
    const { requests, calls } = this.model?.fake ?? { requests: [], calls: [] }
    ;(requests as unknown[]).length = 0
    ;(calls as unknown[]).length = 0
  }

  private async countRows(): Promise<{ reviews: number; rows: Record<string, number> }> {
    const { database } = this
    if (!database) return { reviews: 0, rows: {} }
    const tables = await tablesOf(database)
    const counts = tables.map((name) => `(select count(*)::int from "${name}") as "${name}"`).join(', ')
    const [rows = {}] = await database.query<Record<string, number>>(`select ${counts}`)
    // Those that were deleted since count, too.
    const [{ reviews = 0 } = {}] = await database.query<{ reviews: number }>(
      `select (coalesce(max(id), 0) - count(*) filter (where ended_at is null))::int as reviews from job`,
    )
    return { reviews, rows: { ...rows, all: Object.values(rows).reduce((sum, count) => sum + count, 0) } }
  }

  /** Everything that is kept for a number of days is a day older; what is too old then is deleted by the operator's command. */
  private async passDay(): Promise<void> {
    const { database } = this
    const [server] = this.servers
    if (!database || !server) return
    await insist(() => ageRows(database))
    ageRuns(join(this.folder, 'data'))
    await this.admin(server, ['retention'])
  }

  private async admin({ place }: WeekServer, words: readonly string[]): Promise<void> {
    const env = { ...process.env, ...place.env, HOME: place.folder }
    const all = [place.entry, 'admin', ...words, '--settings', join(place.folder, 'server.yaml')]
    await insist(() => run(process.execPath, all, { cwd: place.folder, env }))
  }
}

/** What still counts for a moment, as a pause of a host does, is left as it is. */
async function ageRows(database: Database): Promise<void> {
  for (const { table, at } of migrations.flatMap(({ retained = [] }) => retained))
    await database.query(
      `update "${table}" set "${at}" = "${at}" - interval '1 day' where "${at}" < now() - interval '1 minute'`,
    )
}

function words({ at: _, ...happening }: Planned): string {
  return Object.values(happening).join(' ')
}

/** Runs on record tell their age by when they were last written; what was written just now is being written. */
function ageRuns(data: string): void {
  const [now, day] = [Date.now() / 1000, 24 * 60 * 60]
  for (const { parentPath, name } of entriesIn(join(data, 'state'))) {
    const path = join(parentPath, name)
    const written = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) / 1000
    // It may be replaced or removed meanwhile.
    if (now - written > 60) attempt(() => utimesSync(path, written - day, written - day))
  }
}

function filesByKind(data: string): Map<string, number> {
  const kinds = Map.groupBy(entriesIn(data), ({ parentPath }) => relative(data, parentPath).split(sep)[0])
  kinds.delete('database')
  const counts = new Map([...kinds].map(([kind, all]) => [kind || 'data', all.length]))
  return counts.set(
    'all',
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  )
}

function entriesIn(folder: string): Dirent[] {
  return (
    attempt(() => readdirSync(folder, { recursive: true, withFileTypes: true }))?.filter((entry) =>
      entry.isFile(),
    ) ?? []
  )
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

function handlesOf(pid: number): number {
  return attempt(() => readdirSync(`/proc/${pid}/fd`).length) ?? 0
}
