/** Which language servers there are: those that are known, and those that the operator's settings add or change. */

import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { compareText } from '../../base/compare-text.ts'
import type { LanguageServerEntry, LanguageServerSettings } from '../../config/settings/language-servers.ts'
import type { Absent, LanguageServer, Program, Surroundings } from './contract.ts'
import { findOnPath } from './programs.ts'
import { clangd } from './servers/clangd.ts'
import { gopls } from './servers/gopls.ts'
import { operatorServer } from './servers/operator-server.ts'
import { pyright } from './servers/pyright.ts'
import { rustAnalyzer } from './servers/rust-analyzer.ts'
import { typescript } from './servers/typescript.ts'

const known: readonly LanguageServer[] = [typescript, pyright, gopls, clangd, rustAnalyzer]

/** Those of the settings that are new come first, so that they are asked before the known ones of their languages. */
export function languageServers(settings: LanguageServerSettings): LanguageServer[] {
  const names = new Set(known.map(({ name }) => name))
  const added = Object.entries(settings)
    .filter(([name]) => !names.has(name))
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, entry]) => adjust(operatorServer(name, entry), entry))
  const builtIn = known.map((server) => adjust(server, settings[server.name]))
  return [...added, ...builtIn]
}

/** The program of a server, by the settings, the PATH, or what is bundled, in this order. */
export async function findProgram(
  server: LanguageServer,
  entry: LanguageServerEntry | undefined,
  around: Omit<Surroundings, 'command'>,
): Promise<Program | Absent> {
  if (entry?.enabled === false) return { absent: 'it is switched off in the settings' }
  const [named, ...flags] = entry?.command ?? []
  if (named === undefined) return server.find({ ...around, command: null })
  const path = isAbsolute(named) ? named : findOnPath(named, around)
  if (path === null) return { absent: `\`${named}\` of the settings is not on the PATH` }
  if (!existsSync(path)) return { absent: `\`${path}\` of the settings does not exist` }
  return server.find({ ...around, command: [path, ...flags] })
}

function adjust(server: LanguageServer, entry: LanguageServerEntry | undefined): LanguageServer {
  if (!entry) return server
  return {
    ...server,
    languages: entry.languages ?? server.languages,
    initializationOptions: entry.initializationOptions ?? server.initializationOptions,
    memoryMb: entry.memoryMb ?? server.memoryMb,
    environment: (around) => ({
      ...server.environment(around),
      ...Object.fromEntries(
        entry.passEnvironment.flatMap((name) => {
          const value = around.environment[name]
          return value === undefined ? [] : [[name, value] as const]
        }),
      ),
    }),
  }
}
