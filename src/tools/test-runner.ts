/** Runs the operator's test commands on a copy of the head inside a sandbox. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSafePath } from '../base/git/tree-walk.ts'
import { usePrivateFolder } from '../base/private-folders.ts'
import { findSandbox } from '../base/sandbox/probe.ts'
import type { SandboxSettings } from '../config/settings/schema.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { TestRunner } from './contract.ts'

const outputBytes = 4 * 1024 * 1024
const largestCopyBytes = 512 * 1024 * 1024
const filesAtOnce = 500

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
        await copyTree(head, folder)
        const { memoryMb, readOnlyPaths } = settings
        const end = await sandbox.run({ ...test, folder, readOnlyPaths, memoryMb, outputBytes }, abort)
        return { ...end, ended: `ended ${end.ended}` }
      })
    },
  }
}

/** Text files only: links are not made, and binary files are not part of a snapshot. Nobody inside owns the folder. */
async function copyTree(head: RepoSnapshot, folder: string): Promise<void> {
  const files = (await head.list()).filter(({ path, mode }) => mode.startsWith('100') && isSafePath(path))
  const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (bytes > largestCopyBytes) throw new Error('the tree is too large to be copied for its tests')
  const modes = new Map(files.map(({ path, mode }) => [path, mode]))
  for (let from = 0; from < files.length; from += filesAtOnce) {
    const paths = files.slice(from, from + filesAtOnce).map(({ path }) => path)
    for (const [path, { text }] of await head.readMany(paths)) {
      const place = join(folder, path)
      await mkdir(dirname(place), { recursive: true, mode: 0o777 })
      await writeFile(place, text, { flag: 'wx' })
      if (modes.get(path) === '100755') await chmod(place, 0o755)
    }
  }
}
