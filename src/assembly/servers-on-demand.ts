/** The language servers of one tree, by the operator's settings; nothing is read or started before somebody asks. */
import { discoverRepository } from '../base/git/discover.ts'
import { findSandbox } from '../base/sandbox/probe.ts'
import type { LanguageServers } from '../code-index/language-servers/contract.ts'
import {
  type Confinement,
  openLanguageServers,
} from '../code-index/language-servers/open-language-servers.ts'
import { loadSettings } from '../config/settings/load.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'

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
  let found: ReturnType<typeof findSandbox> | null = null
  return {
    findSandbox() {
      found ??= findSandbox(sandbox.image, new AbortController().signal)
      return found
    },
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
