/** What a program inside the sandbox can and cannot do, tried with a real one where it works. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  bubblewrapArguments,
  launchArguments,
  probeBubblewrap,
} from '../../../src/base/sandbox/bubblewrap.ts'
import { containerArguments } from '../../../src/base/sandbox/container.ts'
import type { Sandbox } from '../../../src/base/sandbox/contract.ts'
import { findSandbox } from '../../../src/base/sandbox/probe.ts'
import { useOf } from '../../../src/base/sandbox/quota.ts'
import { needs } from '../../helpers/needs/needs.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
const { signal } = new AbortController()
const sandbox: Sandbox | null = await probeBubblewrap(folder, signal)
const usual = { folder, readOnlyPaths: [], seconds: 10, memoryMb: 512, outputBytes: 100_000 }
const inside = (script: string, some: object = {}) =>
  sandbox?.run({ ...usual, command: ['sh', '-c', script], ...some }, signal) ??
  Promise.reject(new Error('no sandbox'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('bubblewrap', needs('bubblewrap'), () => {
  beforeAll(() => writeFileSync(join(folder, 'here.txt'), 'hello'))

  test('the copy is there; secrets of the host are not', async () => {
    process.env.SIGHTLINE_TEST_SECRET = 'top-secret'
    const { exitCode, output, ended } = await inside(
      'cat here.txt; env; ls -A /home; cat /etc/shadow; ls /root; id -u',
    )
    delete process.env.SIGHTLINE_TEST_SECRET
    expect([exitCode, ended]).toEqual([0, 'by itself'])
    expect(output).toContain('hello')
    expect(output).not.toContain('top-secret')
    expect(output).not.toContain('root:')
    // The two channels come in any order.
    expect(output).toMatch(/^65534$/m)
  })

  test('no network, not even to the host itself', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end('ok')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { output } = await inside(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached; cat /proc/net/dev`, {
      command: ['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached; cat /proc/net/dev`],
    })
    server.close()
    expect(output).not.toContain('reached')
    expect(output).not.toMatch(/eth\d|ens\d/)
    expect(asked).toBe(0)
  })

  test('time, output and memory are bounded, and nothing survives', async () => {
    expect(await inside('sleep 60', { seconds: 1 })).toMatchObject({ exitCode: null, ended: 'out of time' })
    const flood = await inside('yes')
    expect([flood.ended, flood.output.length <= 65_536]).toEqual(['too much output', true])
    const hungry = await inside('x=a; while :; do x=$x$x$x$x; done', { memoryMb: 64 })
    expect(hungry.exitCode).not.toBe(0)
    await inside('(sleep 300; touch /src/survived) & true')
    expect((await inside('ls')).output).not.toContain('survived')
  })

  test('all folders together hold the quota and not a byte more, and the folder that was given stays as it is', async () => {
    const places = ['/src', '/tmp', '/home', '/dev/shm', '/', '/other', '/var/tmp']
    // Two writers for each place, as fast as they can, in files of 20 MB.
    const write = `mkdir -p $at; for w in a b; do (i=0; while head -c 20000000 /dev/zero > $at/$w$i; do i=$((i+1)); done) & done`
    const { output } = await inside(
      `(for at in ${places.join(' ')}; do ${write}; done; wait) 2>/dev/null; du -scb -x / /dev/shm 2>/dev/null | tail -1`,
      { seconds: 60 },
    )
    const [written = 0] = /^\d+(?=\s+total$)/m.exec(output)?.map(Number) ?? []
    expect(written).toBeLessThanOrEqual(256 * 1024 * 1024)
    expect(written).toBeGreaterThan(200_000_000)
    expect(readdirSync(folder)).toEqual(['here.txt'])
    expect((await inside('echo x > /dev/other')).exitCode).not.toBe(0)
    expect((await inside('echo x > /given/other')).exitCode).not.toBe(0)
  }, 120_000)

  test('what is written to the disk of the host counts with the rest, and so do files', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'sandbox-cache-'))
    onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
    const both = { seconds: 60, mounts: [{ from: cache, to: '/cache', isWritable: true }] }
    const many = 'for i in 1 2 3 4 5 6 7; do head -c 20000000 /dev/zero > $at/$i; done'
    expect(await inside(`for at in /src /cache; do ${many}; done; sleep 50`, both)).toMatchObject({
      exitCode: null,
      ended: 'too much written',
    })
    const { bytes } = useOf([cache])
    const files = `for (1 .. 4) { if (!fork) { for (;;) { open F, '>', "/src/$$-" . $i++ } } } sleep 50`
    expect(await inside('', { ...both, command: ['perl', '-e', files] })).toMatchObject({
      exitCode: null,
      ended: 'too much written',
    })
    expect(bytes).toBeLessThan(400_000_000)
  }, 120_000)

  test('processor time counts in all, and so do processes', async () => {
    const spin = 'i=0; while [ $i -lt 8 ]; do (while :; do :; done) & i=$((i+1)); done; wait'
    const { ended, exitCode } = await inside(spin, { seconds: 1 })
    expect([exitCode, ['over its limits', 'out of time'].includes(ended)]).toEqual([null, true])
    const crowd = 'i=0; while [ $i -lt 400 ]; do sleep 20 & i=$((i+1)); done; wait'
    const end = await inside(crowd, { seconds: 30 })
    expect(
      end.ended === 'over its limits' || /Resource temporarily unavailable|Cannot fork/.test(end.output),
    ).toBe(true)
  }, 120_000)

  test('what is said on either channel is told', async () => {
    const { output } = await inside('echo result; echo warning >&2')
    expect(output.split('\n').toSorted()).toEqual(['', 'result', 'warning'])
  })

  test('no namespaces inside the namespace', async () => {
    expect((await inside('unshare --user true')).exitCode).not.toBe(0)
  })

  test('an abort ends it', async () => {
    const controller = new AbortController()
    const running = sandbox?.run({ ...usual, command: ['sleep', '60'] }, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(running).rejects.toThrow('enough')
  })
})

test('arguments go behind a double dash and are never read by a shell', () => {
  const run = { ...usual, command: ['npm', 'test; rm -rf /'] }
  const boxed = bubblewrapArguments(run, 2 ** 28)
  expect(boxed.slice(-2)).toEqual(['npm', 'test; rm -rf /'])
  expect(boxed).toEqual(
    expect.arrayContaining(['--fsize=268435456', '--nproc=256', '--cpu=20', '--data=536870912']),
  )
  const container = containerArguments('docker', 'node:24', 'box', run)
  expect(container.slice(-3)).toEqual(['node:24', 'npm', 'test; rm -rf /'])
})

test('a container gets what is listed here, and nothing else of the machine', () => {
  const mounts = [
    { from: '/results', to: '/out', isWritable: true },
    { from: '/cache', to: '/packages', isWritable: false },
  ]
  const run = { ...usual, command: ['npm', 'test'], isReadOnly: true, readOnlyPaths: ['/opt/node'], mounts }
  expect(containerArguments('podman', 'node:24', 'box', run)).toEqual([
    ...['podman', 'run', '--rm', '--name', 'box', '--pull=never', '--network=none', '--cap-drop=ALL'],
    ...['--security-opt=no-new-privileges', '--pids-limit=256', '--read-only', '--tmpfs=/tmp:size=256m'],
    ...['--memory=512m', '--cpus=2', '--ulimit=fsize=268435456', '--user=65534:65534'],
    ...['--env=CI=true', '--env=HOME=/tmp'],
    ...['--volume=/opt/node:/opt/node:ro', `--volume=${folder}:/src:ro`],
    ...['--volume=/results:/out', '--volume=/cache:/packages:ro'],
    ...['--workdir=/src', 'node:24', 'npm', 'test'],
  ])
  const writable = containerArguments('podman', 'node:24', 'box', { ...run, isReadOnly: false })
  expect(writable).toContain(`--volume=${folder}:/src`)
})

test('what goes on without us is not killed with us', () => {
  const run = { command: ['/bin/true'], cwd: '/', readOnlyPaths: [], writablePaths: [], environment: {} }
  expect(launchArguments(run)).toContain('--die-with-parent')
  expect(launchArguments({ ...run, outlivesParent: true })).not.toContain('--die-with-parent')
})

test('without a sandbox that works, there is none', async () => {
  const before = process.env.PATH
  expect(before).toBeDefined()
  const found = await findSandbox(undefined, signal)
  expect(found === null).toBe(sandbox === null)
})
