/**
 * Many reviews at a time on one machine: a fake GitHub, a scripted model that takes its time, the embedded database, and one
 * worker whose three roles are real processes. Prints what they took, and whether each change got exactly one review.
 *
 *   node bench/server/at-once.ts [--count 64] [--slots 64] [--seconds 20] [--url postgres://…]
 *
 * `--seconds`: how long the model takes for an answer. Exit code 1 when a review is missing, double or failed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cpuSeconds, descendants, privateBytes } from '../../src/base/process-tree.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import type { Access, ReviewJob } from '../../src/server/jobs/contract.ts'
import { reviewKind } from '../../src/server/jobs/contract.ts'
import { openWorker, type WorkerEvent } from '../../src/server/jobs/worker.ts'
import { openQueue } from '../../src/server/queue/sql-queue.ts'
import { fakeApiKey } from '../../test/helpers/fakes/provider.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { startGitHub } from '../../test/helpers/hosts/github/server.ts'
import { reviewerRights } from '../../test/helpers/hosts/github/state.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '64' },
    slots: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '20' },
    url: { type: 'string' },
  },
})
const [count, slots, seconds] = [Number(values.count), Number(values.slots), Number(values.seconds)]
/** The queue gives one tenant so many jobs at a time, unless it is told otherwise. */
const jobsPerTenant = 8
const tenantOf = (at: number) => `tenant-${Math.floor(at / jobsPerTenant)}`

const root = mkdtempSync(join(tmpdir(), 'sightline-at-once-'))
const github = await startGitHub()
const fake = await startFakeProvider('anthropic', {
  steps: [
    {
      answer: 'good',
      value: emptyAnswer,
      delivery: { kind: 'slow', delayMs: Math.round((seconds * 1000) / 8) },
      times: 'always',
    },
  ],
})
const host = new URL(github.url).host
const app = github.state.addApp('sightline', reviewerRights)
const source = (name: string, value: number) =>
  Array.from(
    { length: 120 },
    (_, at) => `export function ${name}${at}(): number {\n  return ${value + at}\n}\n`,
  ).join('\n')
const jobs = Array.from({ length: count }, (_, at): ReviewJob & { head: string } => {
  const name = `shop${at}`
  const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((file) => [`src/${file}.ts`, source(file, at)]))
  const project = github.world.createProject(`acme/${name}`, { files })
  const change = project.open({ branch: 'topic', files: { 'src/a.ts': source('a', at + 1000) } })
  github.state.install(app, [project])
  return {
    address: `${github.url}/acme/${name}/pull/${change.number}`,
    connection: 'github',
    installation: null,
    repository: { host, id: null, name: `acme/${name}` },
    number: change.number,
    head: change.head,
    trigger: { id: name, kind: 'opened', by: null },
    decision: { kind: 'review', depth: 'quick', budgetUsd: null, notice: null },
  }
})
const { token } = github.state.addInstallationToken(
  github.state.install(app, [...github.world.projects.values()]),
)
const access: Access = {
  settings: JSON.stringify({
    hosts: { [host]: { kind: 'github', url: github.url, token: 'HOST_TOKEN' } },
    models: {
      providers: { fake: { kind: 'anthropic', baseUrl: fake.baseUrl, keyFrom: 'FAKE_KEY' } },
      roles: { reviewer: 'fake/claude-sonnet-5-5' },
    },
  }),
  secrets: {
    collector: { HOST_TOKEN: token },
    analyzer: { FAKE_KEY: fakeApiKey },
    publisher: { HOST_TOKEN: token },
  },
  allowanceUsd: null,
}

const database = await openDatabase({ url: values.url, folder: join(root, 'db') })
const queue = openQueue(database)
const events: WorkerEvent[] = []
const worker = await openWorker({
  queue,
  database,
  data: join(root, 'data'),
  openAccess: async () => access,
  slots,
  onEvent: (event) => {
    events.push(event)
    if (event.type === 'trouble' || event.type === 'tried-again') console.error(JSON.stringify(event))
  },
})
const idleMegabytes = residentMegabytes(process.pid)
const startedAt = performance.now()
for (const [at, { head, ...job }] of jobs.entries())
  await queue.enqueue({
    tenant: tenantOf(at),
    kind: reviewKind,
    lane: `${host}/${job.repository.name}#${job.number}`,
    contentKey: head,
    payload: { ...job, head },
  })

const peak = { megabytes: 0, processes: 0, asking: 0, running: 0 }
const cpuBefore = cpuSeconds(process.pid) ?? 0
for (;;) {
  const ended = events.filter(({ type }) => type === 'ended').length
  const tree = descendants(process.pid)
  const bytes = tree.reduce((sum, pid) => sum + (privateBytes(pid) ?? 0), 0)
  peak.megabytes = Math.max(peak.megabytes, bytes / 2 ** 20)
  peak.processes = Math.max(peak.processes, tree.length)
  peak.asking = Math.max(peak.asking, fake.requests.filter(({ outcome }) => outcome === 'pending').length)
  peak.running = Math.max(peak.running, worker.running)
  if (ended >= count) break
  await new Promise((done) => setTimeout(done, 500))
}
const tookSeconds = (performance.now() - startedAt) / 1000
const ended = events.flatMap((event) => (event.type === 'ended' ? [event] : []))
const roles = events.flatMap((event) => (event.type === 'role-ended' ? [event] : []))
const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
const checks = Map.groupBy(github.state.checks, ({ commit }) => commit)
const wrong = jobs.filter(({ head }) => checks.get(head)?.length !== 1).length
const unfit = ended.filter(({ state }) => state !== 'reviewed').length

console.log(
  `machine            ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB; slots ${slots}`,
)
console.log(
  `reviews            ${ended.length} of ${count}, ${unfit} not whole, ${wrong} without exactly one check`,
)
console.log(`violations         ${github.violations.length} of the host's rules`)
console.log(
  `took               ${tookSeconds.toFixed(0)} s, ${((count / tookSeconds) * 60).toFixed(1)} reviews a minute`,
)
console.log(
  `at a time, at most ${peak.running} jobs, ${peak.asking} waiting for the model, ${peak.processes} processes`,
)
console.log(`memory of roles    ${peak.megabytes.toFixed(0)} MB at most, together; each, at its most:`)
for (const role of ['collector', 'analyzer', 'publisher']) {
  const own = roles.filter((one) => one.role === role)
  const [megabytes, cpu] = [mean(own.map((one) => one.megabytes)), mean(own.map((one) => one.cpuSeconds))]
  console.log(`  ${role.padEnd(17)}${megabytes.toFixed(0)} MB, ${cpu.toFixed(2)} s of CPU on average`)
}
console.log(
  `this process       ${idleMegabytes} MB idle, ${((cpuSeconds(process.pid) ?? 0) - cpuBefore).toFixed(1)} s of CPU (with fakes)`,
)
await worker.stop()
await database.close()
await Promise.all([github.close(), fake.close()])
rmSync(root, { recursive: true, force: true, maxRetries: 3 })
process.exit(wrong > 0 || unfit > 0 || github.violations.length > 0 ? 1 : 0)

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
