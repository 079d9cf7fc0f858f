/** Builds an index after a report is out, in a process of its own: at low priority, one at a time, within limits. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../base/durable.ts'
import { tryLock } from '../../base/file-lock.ts'
import { ownNode } from '../../base/own-node.ts'
import { packageRoot } from '../../base/package-root.ts'
import type { IndexAdvice } from '../../index.ts'
import type { Shell } from '../shell.ts'
import type { Terminal } from '../terminal.ts'
import { supervisedMark } from './supervised.ts'

/** Limits of such a process, which its supervisor holds unless the operator has set others. */
const limits = { SIGHTLINE_MINUTES: '30', SIGHTLINE_MEMORY_MB: '1024' }
const lockFile = 'background-index.lock'
/** An older lock belongs to a run that is long past its limits. */
const longestRunMs = 3_600_000

export type AfterReport = {
  shell: Pick<Shell, 'environment'>
  terminal: Terminal
  folder: string
  /** Null for a work tree: what is not committed will hardly be asked about again. */
  commit: string | null
  advice: IndexAdvice | null
}

/**
 * Tells how to make the next runs faster; where the settings allow it, does so. Says nothing when nothing is to be gained,
 * or when the settings cannot be read any more: the report is out.
 */
export async function afterReport({ shell, terminal, folder, commit, advice }: AfterReport): Promise<void> {
  const { loadSettings } = await import('../../config/settings/load.ts')
  const { environment } = shell
  const loaded = await loadSettings(environment).catch(() => null)
  if (loaded?.settings.index.background && commit !== null) return start(folder, commit, environment)
  if (!advice) return
  const { megabytes, seconds } = advice
  terminal.note(
    `sightline: ${megabytes.toFixed(1)} MB are not indexed; \`sightline index\` (about ${seconds} s) makes the next runs faster\n`,
  )
}

function start(folder: string, commit: string, environment: NodeJS.ProcessEnv): void {
  const entry = join(packageRoot, 'bin', 'sightline.js')
  const words = [entry, 'index', '--background', '--repo', folder, '--at', commit]
  const { [supervisedMark]: _, ...inherited } = environment
  const [program, ...own] = ownNode()
  const child = spawn(program, [...own, ...words], {
    detached: true,
    stdio: 'ignore',
    env: { ...limits, ...inherited },
  })
  // The report is out: that no index is built is no reason to fail.
  child.on('error', () => {})
  child.unref()
}

/** Runs `work` at the lowest priority, unless another background run is at work; then the answer is null. */
export async function inBackground<Result>(
  cacheFolder: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  makeFolder(cacheFolder)
  const free = tryLock(join(cacheFolder, lockFile), longestRunMs)
  if (!free) return null
  try {
    setPriority(constants.priority.PRIORITY_LOW)
    return await work()
  } finally {
    free()
  }
}
