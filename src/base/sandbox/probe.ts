/** Finds a sandbox that works on this machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeBubblewrap } from './bubblewrap.ts'
import { probeContainer } from './container.ts'
import type { Sandbox } from './contract.ts'

/** The first that really runs a program; null when none does, and then nothing of strangers is run. */
export async function findSandbox(image: string | undefined, signal: AbortSignal): Promise<Sandbox | null> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-probe-'))
  try {
    return (await probeBubblewrap(folder, signal)) ?? (await probeContainer(image, folder, signal))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
