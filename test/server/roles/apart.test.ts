/** What a process of a role cannot reach however it tries. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { wallIn } from '../../../src/server/roles/walls.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { listen } from '../../helpers/listen.ts'
import { needs } from '../../helpers/needs/needs.ts'

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
}, async () => {
  const [own, others, tools] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  for (const name of ['home', 'tmp']) mkdirSync(join(own, name))
  const secret = 'a-secret-of-somebody-else'
  writeFileSync(join(others, 'secret'), secret)
  writeFileSync(join(tools, 'probe.mjs'), probe)
  const neighbour = spawn('sleep', ['60'], { env: { TOKEN: secret }, stdio: 'ignore' })
  onTestFinished(() => void neighbour.kill('SIGKILL'))
  const port = await listen(createServer())
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

test('a process of one tenant sees nothing of another one', {
  ...needs('bubblewrap'),
}, async () => {
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
