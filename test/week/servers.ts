/** Servers as an operator runs them, and a load balancer in front of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { environment } from '../helpers/sightline.ts'

export type ServerPlace = {
  /** The script of the version that runs. */
  entry: string
  folder: string
  settings: Record<string, unknown>
  /** Beside the settings, by name; secrets are kept so. */
  files: Record<string, string>
  env: Record<string, string>
}

/** One server; what is asked of it while it is not there fails. */
export class WeekServer {
  readonly name: string
  readonly place: ServerPlace
  /** How often it ended without being asked to. */
  crashes = 0
  /** Lines of its log at `warn` or above, by what they say. */
  readonly complaints = new Map<string, number>()
  private child: ChildProcess | null = null
  private address: string | null = null
  private isStopping = false

  constructor(name: string, place: ServerPlace) {
    this.name = name
    this.place = place
  }

  get url(): string | null {
    return this.address
  }

  get pid(): number | null {
    return this.address === null ? null : (this.child?.pid ?? null)
  }

  /** Resolves when it says where it serves. */
  async start(): Promise<void> {
    const { entry, folder, settings, files, env } = this.place
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
    const file = join(folder, 'server.yaml')
    writeFileSync(file, stringify(settings))
    this.isStopping = false
    const child = spawn(process.execPath, [entry, 'serve', '--settings', file], {
      cwd: folder,
      env: environment({ HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    let [said, log] = ['', '']
    child.stderr.on('data', (bytes: Buffer) => {
      const lines = `${log}${bytes}`.split('\n')
      log = lines.pop() ?? ''
      for (const line of lines) this.hear(line)
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    void ended.then(() => {
      if (this.child !== child) return
      this.address = null
      if (!this.isStopping) this.crashes++
    })
    this.address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (bytes: Buffer) => {
        said += bytes
        const [, found] = /^Sightline serves (\S+)/m.exec(said) ?? []
        if (found) resolve(found)
      })
      void ended.then(() =>
        reject(new Error(`${this.name} ended: ${log} ${[...this.complaints.keys()].join('; ')}`)),
      )
    })
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this
    this.isStopping = true
    this.address = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.kill(signal)
    await ended
  }

  private hear(line: string): void {
    if (process.env.SIGHTLINE_WEEK_LOG) process.stderr.write(`${this.name} ${line}\n`)
    try {
      const { level, event, failure, code, detail, message } = JSON.parse(line) as Record<string, unknown>
      if (level !== 'warn' && level !== 'error') return
      const what = [level, event, failure, code, detail, message].filter(Boolean).join(' ').slice(0, 200)
      this.complaints.set(what, (this.complaints.get(what) ?? 0) + 1)
    } catch {
      if (line.trim() !== '')
        this.complaints.set(line.slice(0, 200), (this.complaints.get(line.slice(0, 200)) ?? 0) + 1)
    }
  }
}

export type Balancer = { readonly url: string; close(): Promise<void> }

/** Passes webhooks on to one server after the other; 502 when none is there. */
export async function openBalancer(servers: readonly Pick<WeekServer, 'url'>[]): Promise<Balancer> {
  let turn = 0
  const server = createServer((incoming, response) => {
    void (async () => {
      const body = await readBody(incoming)
      turn += 1
      for (let at = 0; at < servers.length; at++) {
        const url = servers[(turn + at) % servers.length]?.url
        if (!url) continue
        const status = await forward(`${url}${incoming.url}`, incoming, body)
        if (status !== null) return void response.writeHead(status).end()
      }
      response.writeHead(502).end()
    })()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function forward(
  url: string,
  { headers, method }: IncomingMessage,
  body: Buffer,
): Promise<number | null> {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !hopByHop.has(name) ? [[name, value] as const] : [],
  )
  try {
    const answer = await fetch(url, {
      ...{ method: method ?? 'POST', body: new Uint8Array(body) },
      headers: Object.fromEntries(passed),
    })
    await answer.text()
    return answer.status
  } catch {
    return null
  }
}

const hopByHop = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
