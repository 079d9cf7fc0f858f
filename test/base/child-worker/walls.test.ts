/** What a child that reads foreign text can reach once it is taken over: behind both walls, and behind each of them. */
import { existsSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ChildWorker, type WorkerReply } from '../../../src/base/child-worker.ts'
import { confineNode, type NodeWalls, nodeWalls } from '../../../src/base/sandbox/confine-node.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'
import type { Reach, Reached } from './reaching-worker.ts'

const script = join(import.meta.dirname, 'reaching-worker.ts')
const best = await nodeWalls()

test('in bubblewrap: no file, no program, no network, no variable', needs('bubblewrap'), async () => {
  const { reached, asked } = await reach('bubblewrap and permissions')
  for (const way of ['read', 'write', 'spawn', 'thread', 'connect'] as const)
    expect(reached[way], way).toMatch(/^refused/)
  expect(asked).toBe(0)
  expect(reached.environment).not.toContain('top-secret')
})

test('with the permissions of Node alone: no file, no program, no variable', async () => {
  const { reached } = await reach('permissions')
  for (const way of ['read', 'write', 'spawn', 'thread'] as const)
    expect(reached[way], way).toMatch(/^refused/)
  expect(reached.environment).not.toContain('top-secret')
})

test('a cache of compiled code is never writable for a child', async () => {
  const run = { script, flags: [], words: [] }
  for (const walls of ['permissions', best] as const) {
    const { command, arguments: all } = await confineNode(run, walls)
    const line = [command, ...all].join(' ')
    expect(line).toContain('--permission')
    if (walls === 'permissions') expect(line).not.toContain('--allow-fs-write')
    expect(line).not.toContain(' --bind ')
  }
})

async function reach(walls: NodeWalls): Promise<{ reached: Reached; asked: number }> {
  const folder = temporaryFolder()
  const file = join(folder, 'canary')
  writeFileSync(file, 'top-secret')
  process.env.SIGHTLINE_TEST_SECRET = 'top-secret'
  let asked = 0
  const server = createServer((socket) => {
    asked++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const child = await ChildWorker.start<Reach, WorkerReply & { reached?: Reached }>(script, { walls })
  onTestFinished(async () => {
    delete process.env.SIGHTLINE_TEST_SECRET
    server.close()
    await child.end()
  })
  const { port } = server.address() as AddressInfo
  let reached: Reached | undefined
  const end = await child.run({ file, folder, port }, { start: 60_000, answer: () => 60_000 }, (reply) => {
    reached = reply.reached ?? reached
  })
  expect(end.type).toBe('done')
  expect(existsSync(join(folder, 'written'))).toBe(false)
  if (!reached) throw new Error('the child said nothing')
  return { reached, asked }
}
