/**
 * The language servers of this machine, by the operator's settings: opened at the first question, for the tools of a review
 * within a budget of seconds, and listed.
 */

import { discoverRepository } from '../base/git/discover.ts'
import { once, remembered } from '../base/remembered.ts'
import { findSandbox } from '../base/sandbox/probe.ts'
import { withinSeconds } from '../base/time-budget.ts'
import type { LanguageServers, Program } from '../code-index/language-servers/contract.ts'
import {
  type Confinement,
  noSandbox,
  openLanguageServers,
} from '../code-index/language-servers/open-language-servers.ts'
import { findProgram, languageServers } from '../code-index/language-servers/registry.ts'
import { loadSettings } from '../config/settings/load.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { Side } from '../domain/change-set.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { ToolServers } from '../tools/contract.ts'

export type ServersOnDemand = {
  /** Throws `settings-invalid`. */
  open(): Promise<LanguageServers>
  close(): Promise<void>
}

/** `folder` lies in the repository: no program in there is ever started. */
export function serversOnDemand(
  snapshot: RepoSnapshot,
  folder: string,
  environment: NodeJS.ProcessEnv,
): ServersOnDemand {
  let opened: Promise<LanguageServers> | null = null
  return {
    open() {
      opened ??= openOnes(snapshot, folder, environment)
      return opened
    },
    async close() {
      const servers = await opened?.catch(() => null)
      await servers?.close()
    },
  }
}

async function openOnes(
  snapshot: RepoSnapshot,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<LanguageServers> {
  const { settings } = await loadSettings(environment)
  return openLanguageServers({
    snapshot,
    settings: settings.languageServers,
    environment,
    foreignFolders: foreignFolders(folder),
    confinement: confinementBy(settings),
  })
}

/** As the operator's settings say. */
export function confinementBy({ sandbox }: Pick<Settings, 'sandbox'>): Confinement {
  return {
    findSandbox: once(() => findSandbox(sandbox.image, new AbortController().signal)),
    isOptional: sandbox.languageServers === 'optional',
  }
}

/** The folder named and the root of its repository. */
export function foreignFolders(folder: string): string[] {
  try {
    const { workTree, gitDir } = discoverRepository(folder)
    return [folder, workTree ?? gitDir]
  } catch {
    return [folder]
  }
}

/** Language servers for the tools of a review: for a few seconds each time, and for so many in all. */
/** Less than a tool gets, so that the index can still answer. */
const longestSeconds = 6

/** `open` is called at the first question. `seconds`: for all questions together. */
export function openToolServers(open: () => LanguageServers, seconds: number): ToolServers {
  let leftMs = seconds * 1000
  return {
    async ask(work, signal) {
      if (leftMs <= 0) return null
      const startedAt = performance.now()
      try {
        return await withinSeconds(Math.min(longestSeconds, leftMs / 1000), signal, () => work(open()))
      } catch {
        // A fault in reading a server's answer must not take the tool with it: the index answers too.
        signal.throwIfAborted()
        return null
      } finally {
        leftMs -= performance.now() - startedAt
      }
    },
  }
}

type SharedServers = {
  open(side: Side): LanguageServers
  close(): Promise<void>
}

/** One set of servers a side, whoever asks. */
export function shareServers(open: (side: Side) => LanguageServers): SharedServers {
  const opened = new Map<Side, LanguageServers>()
  return {
    open(side) {
      return remembered(opened, side, open)
    },
    async close() {
      await Promise.all([...opened.values()].map((servers) => servers.close()))
    },
  }
}

/** Which language servers there are on this machine for a repository. Starts none of them but to ask their version. */
type ServerLine = {
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
