/** The inner process of a bubblewrap that was killed while it started is found and ended, and no other is. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { descendants, killTree, readProc } from '../../../src/base/process-tree.ts'
import { bubblewrapPath } from '../../../src/base/sandbox/bubblewrap.ts'
import { endOrphans, findOrphans } from '../../../src/base/sandbox/orphans.ts'
import { needs } from '../../helpers/needs/needs.ts'

/** A sandbox that is not set up before somebody writes to the last pipe, which nobody does. */
async function startHalf(): Promise<{ outer: ChildProcess; inner: number }> {
  const words = ['--unshare-all', '--die-with-parent', '--dev-bind', '/', '/', '--block-fd', '3', 'true']
  const outer = spawn(bubblewrapPath(), words, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  onTestFinished(() => killTree(outer.pid ?? 0))
  const inner = await vi.waitUntil(() => descendants(outer.pid ?? 0)[0], { timeout: 300_000 })
  return { outer, inner }
}

/** The inner process of one whose outer process was killed, found as an orphan. */
async function killOuter(): Promise<number> {
  for (;;) {
    const { outer, inner } = await startHalf()
    expect(findOrphans()).not.toContain(inner)
    // Alone, as a look at a tree of processes did that was taken too early.
    outer.kill('SIGKILL')
    const isGone = () => readProc(`/proc/${inner}/comm`) === null
    await vi.waitUntil(() => findOrphans().includes(inner) || isGone(), { timeout: 300_000, interval: 5 })
    // Any other command of this user may come first, and end it as it should.
    if (!isGone()) return inner
  }
}

test(
  'the inner process of one that was killed is ended; one whose outer process lives is left alone',
  needs('bubblewrap'),
  async () => {
    const living = await startHalf()
    const inner = await killOuter()
    expect(findOrphans()).not.toContain(living.inner)
    endOrphans()
    await vi.waitUntil(() => !findOrphans().includes(inner), { timeout: 300_000 })
    expect(living.outer.exitCode).toBeNull()
    expect(() => process.kill(living.inner, 0)).not.toThrow()
  },
)

test(
  'one whose outer process lives is none, even where whoever led their group has ended',
  needs('bubblewrap'),
  async () => {
    const words = '--unshare-all --die-with-parent --dev-bind / / --block-fd 3 true'
    // The shell leads the group, and ends; a part of it waits for bubblewrap.
    const shell = spawn('/bin/sh', ['-c', `('${bubblewrapPath()}' ${words}; true) & echo $!`], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      detached: true,
    })
    const [said] = await once(shell.stdout as NodeJS.EventEmitter, 'data')
    const part = Number(String(said))
    onTestFinished(() => killTree(part))
    const isBubblewrap = (pid: number | undefined) => readProc(`/proc/${pid}/comm`) === 'bwrap\n'
    const [outer, inner = 0] = await vi.waitUntil(
      () => {
        const below = descendants(part)
        return below.length === 2 && below.every(isBubblewrap) ? below : null
      },
      { timeout: 20_000 },
    )
    await vi.waitUntil(() => readProc(`/proc/${shell.pid}/stat`) === null, { timeout: 20_000 })
    expect(findOrphans()).not.toContain(inner)
    expect([outer, inner].map(isBubblewrap)).toEqual([true, true])
  },
)
