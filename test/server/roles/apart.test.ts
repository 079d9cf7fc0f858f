/** What each role has, by looking at the processes themselves, and what it cannot reach however it tries. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { descendants } from '../../../src/base/process-tree.ts'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { runRole } from '../../../src/server/roles/run-role.ts'
import { wallIn } from '../../../src/server/roles/walls.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { hooks, openPullWorld } from '../jobs/pull-world.ts'

const timeout = 240_000

/** Environments and command lines of all processes below this one, by role, for as long as `work` runs. */
async function watchProcesses(work: Promise<unknown>): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>()
  let isOver = false
  const end = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const pid of descendants(process.pid)) {
      try {
        const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
        const role = /jobs\/[^/]+\/[0-9a-f]+\/(collector|analyzer|publisher)/.exec(environ)?.[1] ?? 'other'
        const texts = seen.get(role) ?? new Set()
        seen.set(role, texts.add(environ).add(words))
      } catch {
        // It ended meanwhile.
      }
    }
    await new Promise((done) => setTimeout(done, 20))
  }
  await end
  return seen
}

test('no environment or command line of a role holds any secret', {
  ...needs('Linux'),
  timeout,
}, async () => {
  process.env.SIGHTLINE_SERVER_SECRET = 'of-the-server-alone'
  const { job, parts, token, fake } = await openPullWorld()
  const seen = await watchProcesses(runJob('acme', job, { ...parts, runRole }, hooks()))
  delete process.env.SIGHTLINE_SERVER_SECRET
  expect(fake.calls).toHaveLength(1)
  for (const role of ['collector', 'analyzer', 'publisher']) {
    const texts = [...(seen.get(role) ?? [])].join('\n')
    expect(texts, role).toContain('HOME=')
    for (const secret of [token, fakeApiKey, 'of-the-server-alone', 'SHOP_TOKEN', 'FAKE_KEY'])
      expect(texts, role).not.toContain(secret)
  }
})

/** Tries everything that a role taken over by its input would try. Prints what it got. */
const probe = `
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
const [others, token, port] = process.argv.slice(2)
const attempt = (work) => { try { return work() } catch (error) { return error.code ?? String(error) } }
const read = (path) => attempt(() => (readFileSync(path, 'latin1').includes(token) ? 'secret' : 'nothing'))
const processes = readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
const reach = (port) => new Promise((done) => {
  const socket = connect(Number(port), '127.0.0.1', () => { done('connected'); socket.destroy() })
  socket.on('error', (error) => done(error.code))
})
console.log(JSON.stringify({
  environments: processes.map((pid) => read('/proc/' + pid + '/environ')).filter((got) => got === 'secret'),
  memory: processes.filter((pid) => pid !== String(process.pid)).length,
  file: read(others + '/secret'),
  neighbours: attempt(() => readdirSync(others).length),
  home: attempt(() => readdirSync('/root').length + readdirSync('/home').length),
  passwords: read('/etc/shadow'),
  write: attempt(() => writeFileSync(others + '/mine', 'x') ?? 'written'),
  network: await reach(port),
}))
`

test('a role that was taken over reaches no secret of another one', {
  ...needs('bubblewrap'),
  timeout,
}, async () => {
  const [own, others, tools] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  for (const name of ['home', 'tmp']) mkdirSync(join(own, name))
  const secret = 'a-secret-of-somebody-else'
  writeFileSync(join(others, 'secret'), secret)
  writeFileSync(join(tools, 'probe.mjs'), probe)
  const neighbour = spawn('sleep', ['60'], { env: { TOKEN: secret }, stdio: 'ignore' })
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => {
    neighbour.kill('SIGKILL')
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const tryAs = async (hasNetwork: boolean) => {
    const walls = { folder: own, writable: [], readable: [tools], isBoxed: true, hasNetwork }
    const command = [process.execPath, join(tools, 'probe.mjs'), others, secret, String(port)]
    const launch = wallIn(walls, command)
    return JSON.parse(
      execFileSync(launch.command, launch.arguments, { env: { ...launch.environment }, encoding: 'utf8' }),
    )
  }
  const none = {
    environments: [],
    file: 'ENOENT',
    neighbours: 'ENOENT',
    write: 'ENOENT',
    passwords: 'ENOENT',
  }
  expect(await tryAs(false)).toMatchObject({ ...none, network: 'ECONNREFUSED' })
  expect(await tryAs(true)).toMatchObject({ ...none, network: 'connected' })
})

test('a process of one tenant sees nothing of another one', { ...needs('bubblewrap'), timeout }, async () => {
  const [data, own, tools] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  for (const name of ['home', 'tmp']) mkdirSync(join(own, name))
  writeFileSync(join(tools, 'probe.mjs'), probe)
  const [mine, theirs] = [placesOf(data, 'evil'), placesOf(data, 'acme')]
  const secret = 'a-secret-of-acme'
  const writable = [mine.cacheOwn, mine.stateOwn, mine.fetchedOwn]
  for (const folder of [theirs.cacheOwn, theirs.stateOwn, theirs.fetchedOwn]) {
    writeFileSync(join(folder, 'secret'), secret)
    const walls = { folder: own, writable, readable: [tools], isBoxed: true, hasNetwork: true }
    const {
      command,
      arguments: all,
      environment,
    } = wallIn(walls, [process.execPath, join(tools, 'probe.mjs'), folder, secret, '1'])
    const got = JSON.parse(execFileSync(command, all, { env: { ...environment }, encoding: 'utf8' }))
    expect(got, folder).toMatchObject({ file: 'ENOENT', neighbours: 'ENOENT', write: 'ENOENT' })
  }
})
