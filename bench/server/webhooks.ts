/**
 * How fast webhooks are acknowledged: a listener with its database in one process, the sender beside it. Of the deliveries a
 * fifth are sent twice and one in twenty is forged. A delivery counts as accepted after its durable write.
 *
 *   node bench/server/webhooks.ts [--rate 1000] [--seconds 60] [--url postgres://…] [--hostile 1000]
 *
 * `--hostile`: as many connections at a time of a third process that send without end, slowly, compressed, unsigned, forged
 * or to nobody, and come back when they are refused (`hostile-senders.ts`). The same is measured before without them, and the
 * memory of the listener is what both have at most. Prints a table and writes bench-webhooks.json into the system's temporary folder.
 */
import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { frugalEnvironment, frugalFlags } from '../../src/cli/supervision/frugal-process.ts'
import type { HostConnection } from '../../src/server/connections/connections.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { openListener } from '../../src/server/http/listen.ts'
import { webhookRoutes } from '../../src/server/http/webhook-routes.ts'
import { DeliveryWriter } from '../../src/server/intake/deliveries.ts'
import { openLog } from '../../src/server/log.ts'
import { openMetrics } from '../../src/server/metrics.ts'
import { at as shareOf } from '../figures.ts'

const secret = 'the secret of the webhooks of this bench'
const bodyBytes = 25_000
const duplicateEvery = 5
const forgedEvery = 20

type FromListener =
  | { type: 'ready'; url: string }
  | { type: 'stored'; rows: number }
  | { type: 'memory'; peakMb: number }

/** The process that is measured. */
async function runListener(folder: string, url: string | undefined): Promise<void> {
  const database = await openDatabase({ url, folder })
  const unused = () => Promise.reject(new Error('no host is asked'))
  const connection: HostConnection = {
    ...{ name: 'github', kind: 'github', host: 'github.com', webUrl: '', apiUrl: '' },
    webhookSecrets: async () => [secret],
    markerKeys: async () => [],
    missingRights: async () => [],
    ...{ hasToken: false, named: [] },
    ...{ tenantOf: unused, open: unused, app: unused, refreshInstallations: unused },
  }
  const [metrics, log] = [
    openMetrics(),
    openLog({ level: 'error', write: (line) => process.stderr.write(line) }),
  ]
  const listener = await openListener({
    routes: webhookRoutes({
      connections: new Map([['github', connection]]),
      writer: new DeliveryWriter(database, () => {}),
      limits: { bodyBytes: 1_000_000, perSecond: 1_000_000, replayHours: 96 },
      ...{ metrics, log },
    }),
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 10_000_000, metrics, log },
  })
  const tell = (message: FromListener) => process.send?.(message)
  tell({ type: 'ready', url: listener.url })
  let peak = 0
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 100).unref()
  process.on('disconnect', () => process.exit(1))
  process.on('message', async (asked) => {
    if (asked === 'memory') {
      tell({ type: 'memory', peakMb: Math.round(peak / 2 ** 20) })
      peak = 0
      return
    }
    const [row] = await database.query<{ rows: number }>('select count(*)::int as rows from webhook_delivery')
    tell({ type: 'stored', rows: row?.rows ?? 0 })
    await listener.close(1000)
    await database.close()
    process.disconnect?.()
  })
}

/** `end`: the status, or the error of the connection. */
type Answered = { status: number; end: string; ms: number; isForged: boolean }

function bodyOf(number: number): string {
  const filling = 'x'.repeat(bodyBytes - 400)
  return JSON.stringify({
    action: 'synchronize',
    number: (number % 5000) + 1,
    pull_request: {
      head: { sha: number.toString(16).padStart(40, '0') },
      updated_at: new Date().toISOString(),
      filling,
    },
    repository: { id: 1, full_name: 'acme/shop' },
    installation: { id: 1 },
  })
}

function post(url: string, agent: Agent, id: string, body: string, isForged: boolean): Promise<Answered> {
  const startedAt = performance.now()
  const key = isForged ? 'not the secret' : secret
  return new Promise((resolve) => {
    const sent = request(`${url}/webhooks/github`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-github-event': 'pull_request',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      },
    })
    // It has no answer, as after a lost connection, and the host sends it again.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        end: error.code ?? error.message,
        ms: performance.now() - startedAt,
        isForged,
      }),
    )
    sent.on('response', (answer) => {
      answer.resume()
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        resolve({ status, end: String(status), ms: performance.now() - startedAt, isForged })
      })
    })
    sent.end(body)
  })
}

async function measure(
  rate: number,
  seconds: number,
  url: string | undefined,
  hostile: number,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  // As `sightline serve` runs.
  const child = fork(import.meta.filename, ['--listener', folder, ...(url ? ['--url', url] : [])], {
    execArgv: [...frugalFlags],
    env: frugalEnvironment(process.env),
  })
  const next = () =>
    new Promise<FromListener>((resolve) =>
      child.once('message', (message) => resolve(message as FromListener)),
    )
  const ready = await next()
  if (ready.type !== 'ready') throw new Error('the listener did not open')
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const memory = async () => {
    child.send('memory')
    const told = await next()
    return told.type === 'memory' ? told.peakMb : 0
  }
  const own = sender(ready.url, agent)
  // What starting took is no matter here.
  await own.send(rate, 2)
  await memory()
  const alone = hostile > 0 ? { ...describe(await own.send(rate, seconds)), peakMb: await memory() } : null
  const attack =
    hostile > 0 ? fork(join(import.meta.dirname, 'hostile-senders.ts'), [ready.url, String(hostile)]) : null
  if (attack) await new Promise((resolve) => attack.once('message', resolve))
  const answers = await own.send(rate, seconds)
  const peakMb = await memory()
  const attacked = attack
    ? await new Promise((resolve) => {
        attack.once('message', resolve)
        attack.send('stop')
      })
    : null
  attack?.kill()
  child.send('stop')
  const stored = await next()
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
  const rows = stored.type === 'stored' ? stored.rows : 0
  const result = {
    ...{ database: url ? 'PostgreSQL' : 'embedded', ...describe(answers), peakMb },
    ...{ stored: rows, lost: own.unique - rows },
    ...(alone
      ? {
          ...{ p99MsAlone: alone.p99Ms, peakMbAlone: alone.peakMb, grownMb: peakMb - alone.peakMb },
          hostile: JSON.stringify(attacked),
        }
      : {}),
  }
  writeFileSync(join(tmpdir(), 'bench-webhooks.json'), `${JSON.stringify(result, null, 2)}\n`)
  for (const [name, value] of Object.entries(result)) process.stdout.write(`${name.padEnd(16)}${value}\n`)
}

/** Sends at a steady rate, and counts what must be stored. */
function sender(url: string, agent: Agent) {
  let [at, unique] = [0, 0]
  const send = async (rate: number, seconds: number): Promise<Answered[]> => {
    const under: Promise<Answered>[] = []
    const startedAt = performance.now()
    for (const begin = at; at < begin + rate * seconds; at++) {
      const early = startedAt + ((at - begin) * 1000) / rate - performance.now()
      if (early > 0) await sleep(early)
      const isForged = at % forgedEvery === 0
      const isAgain = at % duplicateEvery === 1 && at > 1
      const number = isAgain ? at - 1 : at
      const isFirst = !isForged && !isAgain
      // What repeats a forged one was never stored, so it is the first.
      if (isFirst || (isAgain && number % forgedEvery === 0)) unique += 1
      under.push(post(url, agent, `guid-${number}`, bodyOf(number), isForged))
    }
    return await Promise.all(under)
  }
  return {
    send,
    get unique() {
      return unique
    },
  }
}

function describe(answers: readonly Answered[]) {
  const accepted = answers.filter(({ status }) => status === 202)
  const failed = answers.filter(({ status, isForged }) => !isForged && status !== 202)
  const times = accepted.map(({ ms }) => ms)
  const quantile = (part: number) => Math.round(shareOf(times, part) * 10) / 10
  return {
    sent: answers.length,
    accepted: accepted.length,
    unanswered: failed.length,
    // Of each way to fail how many, as `503: 2, ECONNRESET: 1`.
    failedBy: [...Map.groupBy(failed, ({ end }) => end)]
      .map(([end, all]) => `${end}: ${all.length}`)
      .join(', '),
    forgedAccepted: answers.filter(({ status, isForged }) => isForged && status !== 401).length,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    mostMs: quantile(1),
  }
}

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    url: { type: 'string' },
    hostile: { type: 'string', default: '0' },
    listener: { type: 'string' },
  },
})
if (values.listener !== undefined) await runListener(values.listener, values.url)
else await measure(Number(values.rate), Number(values.seconds), values.url, Number(values.hostile))
