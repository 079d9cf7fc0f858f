/** Runs the operator's test commands on a copy of the head inside a sandbox. */
import { usePrivateFolder } from '../base/private-folders.ts'
import { findSandbox } from '../base/sandbox/probe.ts'
import type { SandboxSettings } from '../config/settings/schema.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { layOutTree } from '../test-runs/lay-out.ts'
import type { TestRunner } from './contract.ts'

const outputBytes = 4 * 1024 * 1024

/** Null when the operator named no commands, or no sandbox works here: then `run_tests` is not offered. */
export async function openTestRunner(
  head: RepoSnapshot,
  settings: SandboxSettings,
  signal: AbortSignal,
): Promise<TestRunner | null> {
  const commands = Object.keys(settings.tests).sort()
  if (commands.length === 0) return null
  const sandbox = await findSandbox(settings.image, signal)
  if (!sandbox) return null
  return {
    commands,
    sandbox: sandbox.name,
    async run(name, abort) {
      const test = settings.tests[name]
      if (!test) throw new Error(`there is no test command ${name}`)
      return await usePrivateFolder('tests', async (folder) => {
        await layOutTree(head, folder)
        const { memoryMb, readOnlyPaths } = settings
        const end = await sandbox.run({ ...test, folder, readOnlyPaths, memoryMb, outputBytes }, abort)
        return { ...end, ended: `ended ${end.ended}` }
      })
    },
  }
}
