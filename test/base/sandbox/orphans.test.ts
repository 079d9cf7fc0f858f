/** The inner process of a bubblewrap that was killed while it started is found and ended, and no other is. */
import { type ChildProcess, spawn } from 'node:child_process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { descendants, killTree } from '../../../src/base/process-tree.ts'
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

test(
  'the inner process of one that was killed is ended; one whose outer process lives is left alone',
  needs('bubblewrap'),
  async () => {
    const [killed, living] = [await startHalf(), await startHalf()]
    expect(findOrphans()).not.toContain(killed.inner)
    // Alone, as a look at a tree of processes did that was taken too early.
    killed.outer.kill('SIGKILL')
    await vi.waitUntil(() => findOrphans().includes(killed.inner), { timeout: 300_000 })
    expect(findOrphans()).not.toContain(living.inner)
    endOrphans()
    await vi.waitUntil(() => !findOrphans().includes(killed.inner), { timeout: 300_000 })
    expect(living.outer.exitCode).toBeNull()
    expect(() => process.kill(living.inner, 0)).not.toThrow()
  },
)
