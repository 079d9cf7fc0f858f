/** Which language servers there are on this machine for a repository. Starts none of them but to ask their version. */
import type { Program } from '../code-index/language-servers/contract.ts'
import { findProgram, languageServers } from '../code-index/language-servers/registry.ts'
import { loadSettings } from '../config/settings/load.ts'
import { foreignFolders } from './servers-on-demand.ts'

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
export async function listServers(folder: string): Promise<ServerLine[]> {
  const { settings } = await loadSettings()
  const around = { environment: process.env, foreignFolders: foreignFolders(folder) }
  const found: ServerLine[] = []
  for (const server of languageServers(settings.languageServers)) {
    const program = await findProgram(server, settings.languageServers[server.name], around)
    const { name, languages } = server
    if ('absent' in program)
      found.push({ name, languages, version: null, from: null, command: [], absent: program.absent })
    else {
      const { version, from, command } = program
      found.push({ name, languages, version, from, command: [command, ...program.arguments], absent: null })
    }
  }
  return found
}
