/**
 * How soon a command in a comment is acknowledged: a server as an operator starts it, with its workers and the embedded
 * database, and a fake GitHub that takes its time for each answer. Commands of ten people come in on twenty change requests,
 * and pushes beside them, each of which is reviewed by code. Counted from the comment, so webhook and host are part of it.
 *
 *   node bench/server/commands.ts [--commands 60] [--seconds 2] [--pushEvery 5] [--latency 150]
 *
 * `--seconds`: from one command to the next. `--latency`: milliseconds of each answer of the host. Exit code 1 when one was
 * not acknowledged within five seconds.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { startGitHub } from '../../test/helpers/hosts/github/server.ts'
import { at as shareOf } from '../figures.ts'

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '2' },
    pushEvery: { type: 'string', default: '5' },
    latency: { type: 'string', default: '150' },
  },
})
const [commands, seconds] = [Number(values.commands), Number(values.seconds)]
const [pushEvery, latency] = [Number(values.pushEvery), Number(values.latency)]
const longestMs = 5_000
const words = ['help', 'config', 'pause', 'resume', 'review']
const entry = join(import.meta.dirname, '../../bin/sightline.js')

const folder = mkdtempSync(join(tmpdir(), 'sightline-commands-'))
const github = await startGitHub()
github.faults.take = () => [{ kind: 'delay', ms: latency }]
const app = github.state.addApp('sightline', {
  ...{ checks: 'write', contents: 'read', issues: 'write', pull_requests: 'write', statuses: 'write' },
})
const secret = 'the secret of the webhooks of this bench'
const project = github.world.createProject('acme/shop', { files: { 'a.ts': 'export const one = 1\n' } })
github.state.install(app, [project])
const people = Array.from({ length: 10 }, (_, at) => `person${at}`)
for (const login of people) project.roles.set(login, 'write')
const changes = Array.from({ length: 20 }, (_, at) =>
  project.open({ branch: `topic${at}`, files: { 'a.ts': `export const one = ${at + 2}\n` } }),
)

const server = startServer()
github.hooks.targets.set(app, { url: `${await server.url}/webhooks/github`, secret })
const sent = new Map<number, number>()
const took: number[] = []
const watching = new AbortController()
const watched = watchReactions(watching.signal)
for (let at = 0; at < commands; at++) {
  const change = changes[at % changes.length]
  const push = changes[(at * 7 + 3) % changes.length]
  if (!change || !push) break
  if (at % pushEvery === 0) {
    push.push({ 'a.ts': `export const one = ${at + 100}\n` })
    void github.hooks.pull(push, 'synchronize')
  }
  const note = change.comment(people[at % people.length] ?? '', `@sightline ${words[at % words.length]}`)
  sent.set(note.id, performance.now())
  void github.hooks.comment(change, note)
  await sleep(seconds * 1000)
}
for (let waited = 0; took.length < commands && waited < 6 * longestMs; waited += 100) await sleep(100)
watching.abort()
await watched

const quantile = (part: number) => Math.round(shareOf(took, part))
const reviewed = github.state.checks.filter(({ status }) => status === 'completed').length
console.log(
  `commands        ${commands}, one each ${seconds} s; ${latency} ms for each answer of the host; load ${loadavg()[0]?.toFixed(1)}`,
)
console.log(`acknowledged    ${took.length}`)
console.log(
  `milliseconds    p50 ${quantile(0.5)}, p95 ${quantile(0.95)}, p99 ${quantile(0.99)}, at most ${quantile(1)}`,
)
console.log(`reviews beside  ${reviewed}`)
console.log(`violations      ${github.violations.length} of the host's rules`)
await server.stop()
await github.close()
rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
process.exit(took.length === commands && quantile(1) <= longestMs ? 0 : 1)

async function watchReactions(signal: AbortSignal): Promise<void> {
  for (let seen = 0; !signal.aborted; await sleep(10))
    for (; seen < github.state.reactions.length; seen++) {
      const at = sent.get(github.state.reactions[seen]?.note ?? 0)
      if (at !== undefined) took.push(performance.now() - at)
    }
}

function startServer(): { url: Promise<string>; stop: () => Promise<void> } {
  writeFileSync(join(folder, 'app-key.pem'), app.privateKey, { mode: 0o600 })
  writeFileSync(join(folder, 'webhook-secret'), secret, { mode: 0o600 })
  const settings = {
    listen: { port: 0 },
    dataFolder: join(folder, 'data'),
    workers: { slots: 2 },
    connections: {
      github: {
        ...{ kind: 'github', url: github.url, appId: String(app.id) },
        ...{ appKey: { file: 'app-key.pem' }, webhookSecret: { file: 'webhook-secret' } },
      },
    },
  }
  writeFileSync(join(folder, 'server.yaml'), stringify(settings))
  const child = spawn(process.execPath, [entry, 'serve', '--settings', join(folder, 'server.yaml')], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, log] = ['', '']
  child.stderr.on('data', (bytes: Buffer) => {
    log = `${log}${bytes}`.slice(-20_000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      said += bytes
      const [, found] = /^Sightline serves (\S+)/m.exec(said) ?? []
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`the server ended:\n${log}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
