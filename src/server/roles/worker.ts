/**
 * What runs in the process of a role: it takes one order over its channel, does it with the same calls as every other
 * entry point, says what came of it, and ends. Its environment was built from nothing; secrets are in the order alone.
 */
import { readdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { constants, getPriority, setPriority } from 'node:os'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { workerIn } from '../../base/child-worker.ts'
import { UserError } from '../../base/errors.ts'
import { adoptMark } from '../../base/process-mark.ts'
import { confineNode, nodeWalls } from '../../base/sandbox/confine-node.ts'
import { beatMs } from '../../base/watchdog.ts'
import { carryOut, loadBodies } from './carry-out.ts'
import { loadOnly } from './compiled.ts'
import type { Line, Order, Report, RoleOrder } from './contract.ts'

let waiting: ((isGranted: boolean) => void)[] = []
const stop = new AbortController()
/** Changes for a live index, in the order in which they came. */
const refreshes = new PassThrough({ objectMode: true })
const longestFillMs = 20_000
const lookMs = 100

if (process.argv.includes(loadOnly)) await loadAll()
else serve()

function serve(): void {
  process.on('message', (order: Order) => {
    if (order.type === 'order') {
      adoptMark(order.mark)
      void run(order.order)
    } else if (order.type === 'refresh') refreshes.write(order)
    else {
      const asked = waiting
      waiting = []
      for (const answer of asked) answer(order.isGranted)
    }
  })
  // A worker that is gone wants nothing any more.
  process.on('disconnect', () => process.exit(1))
  process.on('uncaughtException', (error) => end(failureOf(error)))
  process.on('unhandledRejection', (error) => end(failureOf(error)))
  report({ type: 'ready' })
  setInterval(() => report({ type: 'alive' }), beatMs).unref()
}

/** What is imported only when it is needed, too. */
async function loadAll(): Promise<void> {
  await Promise.all([loadBodies(), import('../../llm/gateway.ts'), import('../../assembly/recording.ts')])
  await fillForParsers()
  process.exit(0)
}

/** The first preparation of such a child fills a folder for it beside ours, in the background. */
async function fillForParsers(): Promise<void> {
  const own = getCompileCacheDir()
  if (own === undefined || (await nodeWalls()) === 'permissions') return
  await confineNode({ script: workerIn('code-index/parsing'), flags: [], words: [] })
  for (let waited = 0; waited < longestFillMs; waited += lookMs) {
    if (readdirSync(own).some((name) => /^child-[0-9a-f]+$/.test(name))) return
    await delay(lookMs)
  }
}

/** Reviews come first. */
const inBackground: ReadonlySet<RoleOrder['role']> = new Set(['indexer', 'workspace'])

async function run(order: RoleOrder): Promise<void> {
  try {
    // Its parsers inherit it. Where the server has less already, more is not allowed.
    if (inBackground.has(order.role))
      setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
    end({ type: 'done', result: await carryOut(order, line) })
  } catch (error) {
    end(failureOf(error))
  }
}

const line: Line = {
  report,
  requireJob: () =>
    new Promise((resolve, reject) => {
      waiting.push((isGranted) => (isGranted ? resolve() : reject(new JobLost())))
      report({ type: 'may-write' })
    }),
  refreshes,
  signal: stop.signal,
}

class JobLost extends Error {
  override readonly name = 'JobLost'
  override readonly message = 'the job is another worker’s by now; nothing was written'
}

function report(words: Report): void {
  if (process.connected) process.send?.(words)
}

function failureOf(error: unknown): Report {
  if (error instanceof UserError) return { type: 'failed', code: error.code, message: error.message }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { type: 'failed', code: null, message: words.slice(0, 20_000) }
}

/** Parsers and servers that this process started end with it. */
function end(last: Report): void {
  if (!process.connected) process.exit(1)
  process.send?.(last, undefined, undefined, () => process.exit(0))
}
