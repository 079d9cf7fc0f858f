/** Finds a sandbox that works on this machine. */
import { usePrivateFolder } from '../private-folders.ts'
import { probeBubblewrap } from './bubblewrap.ts'
import { probeContainer } from './container.ts'
import type { Sandbox } from './contract.ts'

/** The first that really runs a program; null when none does, and then nothing of strangers is run. */
export async function findSandbox(image: string | undefined, signal: AbortSignal): Promise<Sandbox | null> {
  return await usePrivateFolder(
    'probe',
    async (folder) =>
      (await probeBubblewrap(folder, signal)) ?? (await probeContainer(image, folder, signal)),
  )
}
