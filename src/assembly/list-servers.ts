/** Which language servers there are on this machine for a repository. Starts none of them but to ask their version. */
import type { Program } from '../code-index/language-servers/contract.ts'
import { noSandbox } from '../code-index/language-servers/open-language-servers.ts'
import { findProgram, languageServers } from '../code-index/language-servers/registry.ts'
import { loadSettings } from '../config/settings/load.ts'
import { confinementBy, foreignFolders } from './servers-on-demand.ts'

export type ServerLine = {
  name: string
  languages: readonly string[]
  version: string | null
  from: Program['from'] | null
  command: readonly string[]
  /** Why it cannot be asked; null when it can. */
  absent: string | null
}

/** In the order in which they are asked. Throws `settings-invalid`. */
export async function listServers(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ServerLine[]> {
  const { settings } = await loadSettings(environment)
  const { findSandbox, isOptional } = confinementBy(settings)
  const isConfined = (await findSandbox()) !== null
  const found: ServerLine[] = []
  for (const server of languageServers(settings.languageServers)) {
    const entry = settings.languageServers[server.name]
    const { readOnlyPaths = [] } = entry ?? {}
    const program = await findProgram(server, entry, {
      environment,
      foreignFolders: foreignFolders(folder),
      readOnlyPaths,
      isConfined,
    })
    const { name, languages } = server
    const absent = 'absent' in program ? program.absent : isConfined || isOptional ? null : noSandbox
    if (absent !== null || 'absent' in program)
      found.push({ name, languages, version: null, from: null, command: [], absent })
    else {
      const { version, from, command } = program
      found.push({ name, languages, version, from, command: [command, ...program.arguments], absent: null })
    }
  }
  return found
}
