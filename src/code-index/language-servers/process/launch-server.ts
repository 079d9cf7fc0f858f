/** What has to be started for a server: its program as it is, or in a sandbox with all that it needs in there. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Launch, LongRun, Sandbox } from '../../../base/sandbox/contract.ts'
import type { Program } from '../contract.ts'
import { realOf } from '../programs/find-on-path.ts'

/** `readOnlyPaths`: those of the operator. */
export function launchServer(
  program: Program,
  { sandbox, ...run }: Omit<LongRun, 'command'> & { sandbox: Sandbox | null },
): Launch {
  const { command, arguments: all, needs } = program
  if (!sandbox) return { command, arguments: all, environment: run.environment, afterwards: async () => {} }
  const real = realOf(command)
  // Links inside the sandbox would lead to what cannot be seen there; yet some programs go by the name they are called.
  const own = basename(real) === basename(command) ? real : command
  const paths = [own, ...needs.map(realOf), ...needs, ...run.readOnlyPaths]
  return sandbox.launch({
    ...run,
    command: [own, ...all],
    readOnlyPaths: [...new Set(paths)].filter((path) => existsSync(path)),
  })
}
