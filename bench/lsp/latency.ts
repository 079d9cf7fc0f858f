/**
 * What an editor waits for: from the last key to the diagnostics of a file of 2,000 lines, and from the start to the first ones;
 * what the server needs of CPU and memory, and how long it kept a key waiting. Usage:
 *
 *   node bench/lsp/latency.ts REPOSITORY… [--product FOLDER] [--edits 60] [--first 20] [--seed 1] [--lines 2000] [--json FILE]
 *
 * --first: so many steps before those that count; what the file is connected with is read for the first time then, and kept on disk.
 * --product: what `node scripts/bundle.ts FOLDER` made, as it is installed; else the sources.
 * REPOSITORY: a git directory, which is cloned and removed again. In the clone, the file of a parsed language that is nearest to
 * so many lines is repeated until it has about as many, and committed. A step is one to four keys, 60 ms apart, in a random place of it.
 * CPU milliseconds beside wall time, of the server and all that it starts, since a busy machine lengthens only the latter.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { languageOf } from '../../src/code-index/language-of.ts'
import { Random } from '../../test/helpers/random.ts'
import { nameOf, type Row, rounded, rowsOf, at as shareOf } from '../figures.ts'
import { childrenOf, cpuOf } from '../index/measured.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    product: { type: 'string', default: join(import.meta.dirname, '../..') },
    edits: { type: 'string', default: '60' },
    first: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    lines: { type: 'string', default: '2000' },
    json: { type: 'string' },
  },
})
const [edits, first, seed, lines] = [values.edits, values.first, values.seed, values.lines].map(Number) as [
  number,
  number,
  number,
  number,
]
const entry = join(values.product, 'bin/sightline.js')
const betweenKeysMs = 60
const loopDelaySource = join(import.meta.dirname, '../index/loop-delay.ts')
/** Until the children that read and match code have ended. */
const idleMs = 65_000

console.log(`seed ${seed}, ${first} steps and ${edits} that count, load ${loadavg()[0]?.toFixed(1)}`)
console.table(await rowsOf(positionals, values.json, async (folder) => [await measure(resolve(folder))]))

async function measure(gitDirectory: string): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  const clone = join(folder, 'repo')
  try {
    execFileSync('git', ['clone', '--quiet', gitDirectory, clone])
    const { path, text, megabytes } = prepare(clone)
    const cold = await startServer(clone, folder)
    const start = await cold.open(path, text)
    await cold.stop()
    const server = await startServer(clone, folder)
    const again = await server.open(path, text)
    const random = new Random(seed)
    const play = async (steps: number) => {
      const waits: Wait[] = []
      for (let step = 0; step < steps; step++) waits.push(await typeIn(server, { path, text, random }))
      return waits
    }
    const early = await play(first)
    const waits = await play(edits)
    await sleep(idleMs)
    const idleMB = server.megabytes()
    const { maxMs, maxCpuMs } = await server.stop()
    const quantile = (share: number, name: keyof Wait, among = waits) =>
      Math.round(
        shareOf(
          among.map((wait) => wait[name]),
          share,
        ),
      )
    return {
      repository: nameOf(gitDirectory),
      MB: rounded(megabytes),
      lines: text.split('\n').length,
      'cold start ms (CPU)': toldOf(start),
      'next start ms (CPU)': toldOf(again),
      'first steps p50 and p95 ms': `${quantile(0.5, 'ms', early)}, ${quantile(0.95, 'ms', early)}`,
      'p50 ms': quantile(0.5, 'ms'),
      'p95 ms': quantile(0.95, 'ms'),
      'CPU p50 ms': quantile(0.5, 'cpuMs'),
      'CPU p95 ms': quantile(0.95, 'cpuMs'),
      'idle MB': Math.round(idleMB),
      'loop held ms (CPU)': `${Math.round(maxMs)} (${Math.round(maxCpuMs)})`,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

type Wait = { ms: number; cpuMs: number }

function toldOf({ ms, cpuMs }: Wait): string {
  return `${Math.round(ms)} (${Math.round(cpuMs)})`
}

function prepare(clone: string): { path: string; text: string; megabytes: number } {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  const entries = git('ls-tree', '-r', '-l', '-z', 'HEAD').split('\0').filter(Boolean)
  const files = entries.map((one) => {
    const [facts = '', path = ''] = one.split('\t')
    return { path, mode: facts.slice(0, 6), bytes: Number(facts.split(/ +/)[3]) || 0 }
  })
  const ranked = files
    .filter(({ path, mode, bytes }) => mode.startsWith('100') && bytes < 300_000 && languageOf(path) !== null)
    .map(({ path }) => ({ path, text: readFileSync(join(clone, path), 'utf8') }))
    .filter(({ text }) => text.includes('\n'))
    .map((one) => ({ ...one, away: Math.abs(one.text.split('\n').length - lines) }))
    .sort((a, b) => a.away - b.away)
  const [{ path, text: short } = { path: 'none.ts', text: '\n' }] = ranked
  const text = short.repeat(Math.max(1, Math.round(lines / short.split('\n').length)))
  writeFileSync(join(clone, path), text)
  const own = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org']
  git(...own, 'commit', '--quiet', '--allow-empty', '--all', '--message', 'a file to edit')
  return { path, text, megabytes: files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6 }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** From the last key until the diagnostics of that text. The text is as it was afterwards. */
async function typeIn(
  server: Server,
  { path, text, random }: { path: string; text: string; random: Random },
): Promise<Wait> {
  const all = text.split('\n')
  const line = random.between(0, all.length - 2)
  const old = all[line] ?? ''
  const typed = random.pick([' ', ';', 'x', ' // more', 'return', 'Other', ')'])
  const at = random.between(0, old.length)
  const keys = random.between(1, 4)
  for (let key = 1; key < keys; key++) {
    server.edit(path, line, [old.length + key - 1, old.length + key - 1], ' ')
    await sleep(betweenKeysMs)
  }
  const wait = await server.answerTo(() => server.edit(path, line, [at, at], typed))
  await server.answerTo(() => server.edit(path, line, [0, old.length + keys - 1 + typed.length], old))
  return wait
}

/** Its own cache folder stays, so that the next start finds what this one kept. */
async function startServer(repository: string, folder: string) {
  const loopFile = join(folder, 'loop')
  rmSync(loopFile, { force: true })
  // The process that is measured would load a compiler of some 30 MB for it.
  const loopDelay = join(folder, 'loop-delay.mjs')
  writeFileSync(loopDelay, stripTypeScriptTypes(readFileSync(loopDelaySource, 'utf8')))
  const startedAt = performance.now()
  const child = spawn(process.execPath, [entry, 'lsp'], {
    cwd: repository,
    env: {
      ...{ PATH: process.env.PATH, TMPDIR: tmpdir(), HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
      SIGHTLINE_BENCH_LOOP: loopFile,
      NODE_OPTIONS: `--import=${loopDelay}`,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pid = child.pid ?? 0
  const exited = new Promise((done) => child.once('exit', done))
  const reader = new StreamMessageReader(child.stdout)
  const connection = createProtocolConnection(reader, new StreamMessageWriter(child.stdin))
  let version = 0
  let heard: () => void = () => {}
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    if (params.version === version) heard()
  })
  // A review that failed would be waited for in vain.
  connection.onNotification(LogMessageNotification.type, ({ message }) => {
    throw new Error(message)
  })
  connection.listen()
  await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {
      workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: false } },
    },
    workspaceFolders: [{ uri: pathToFileURL(repository).href, name: 'repository' }],
  })
  await connection.sendNotification(InitializedNotification.type, {})
  const uriOf = (path: string) => pathToFileURL(join(repository, path)).href

  async function answerTo(act: () => void, since: number | null = null): Promise<Wait> {
    const before = since === null ? cpuBelow(pid) : 0
    act()
    const from = since ?? performance.now()
    await new Promise<void>((resolve) => {
      heard = resolve
    })
    return { ms: performance.now() - from, cpuMs: cpuBelow(pid) - before }
  }

  return {
    answerTo,
    open: (path: string, text: string) =>
      answerTo(() => {
        version = 1
        const textDocument = { uri: uriOf(path), languageId: languageOf(path) ?? 'text', version, text }
        void connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument })
      }, startedAt),
    edit(path: string, line: number, [start, end]: [number, number], text: string) {
      version++
      const range = { start: { line, character: start }, end: { line, character: end } }
      void connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri: uriOf(path), version },
        contentChanges: [{ range, text }],
      })
    },
    megabytes: () => treeOf(pid).reduce((sum, one) => sum + ownMegabytes(one), 0),
    async stop(): Promise<{ maxMs: number; maxCpuMs: number }> {
      await connection.sendRequest(ShutdownRequest.type)
      await connection.sendNotification(ExitNotification.type)
      await exited
      connection.dispose()
      const rows = readFileSync(loopFile, 'utf8').trim().split('\n')
      const delays = rows.map((row) => JSON.parse(row) as { max: number; maxCpu: number })
      const most = (name: 'max' | 'maxCpu') => Math.max(...delays.map((one) => one[name]))
      return { maxMs: most('max'), maxCpuMs: most('maxCpu') }
    },
  }
}

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

/** Of a process and all below it, with children that have ended, in milliseconds. */
function cpuBelow(pid: number): number {
  return treeOf(pid).reduce((sum, one) => sum + (cpuOf(one) ?? 0) + endedCpuOf(one), 0)
}

/** Of children that ended and were waited for: fields 16 and 17, in ticks of a hundredth of a second. */
function endedCpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}

/** With its part of what it shares with other processes. */
function ownMegabytes(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}
