/** Opens the language servers of one snapshot. Nothing is started before the first question. */
import type { Sandbox } from '../../base/sandbox/contract.ts'
import type { LanguageServerSettings } from '../../config/settings/language-servers.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { languageOf } from '../language-of.ts'
import {
  defaultLimits,
  type LanguageServers,
  type Limits,
  type Position,
  type ServerAnswer,
  ServerFailure,
} from './contract.ts'
import { askCallers, questions } from './questions.ts'
import { findProgram, languageServers } from './registry.ts'
import { ServerHandle } from './server-handle.ts'

export type ServerOptions = {
  snapshot: RepoSnapshot
  /** The operator's, never a repository's. */
  settings: LanguageServerSettings
  environment: Readonly<Record<string, string | undefined>>
  /** The repository's own folders: no program in them is started. */
  foreignFolders: readonly string[]
  confinement: Confinement
  limits?: Partial<Limits>
}

/** What is reviewed is foreign text, whoever started the review: by it a server reads any file that it can see. */
export type Confinement = {
  /** Null when none works on this machine. Called once, before the first server starts. */
  findSandbox(): Promise<Sandbox | null>
  /** The operator's word: without a sandbox, servers run as they are. */
  isOptional: boolean
}

export function openLanguageServers(options: ServerOptions): LanguageServers {
  const { snapshot, settings } = options
  const limits = { ...defaultLimits, ...options.limits }
  const servers = languageServers(settings)
  const handles = new Map<string, Promise<ServerHandle | string>>()
  let sandbox: Promise<Sandbox | null> | null = null
  let isClosed = false

  /** Of the first server of the language that is there; or why there is none. */
  async function handleFor(language: string): Promise<ServerHandle | string> {
    sandbox ??= options.confinement.findSandbox()
    const box = await sandbox
    if (!box && !options.confinement.isOptional) return noSandbox
    let why = `no language server is known for ${language}`
    for (const server of servers.filter(({ languages }) => languages.includes(language))) {
      let handle = handles.get(server.name)
      if (!handle) {
        const { environment, foreignFolders } = options
        const { readOnlyPaths = [] } = settings[server.name] ?? {}
        const around = { environment, foreignFolders, readOnlyPaths, isConfined: box !== null }
        handle = findProgram(server, settings[server.name], around).then((program) =>
          'absent' in program
            ? program.absent
            : new ServerHandle(server, program, snapshot, { ...around, command: null }, limits, box),
        )
        handles.set(server.name, handle)
      }
      const found = await handle
      if (typeof found !== 'string') return found
      why = `${server.name}: ${found}`
    }
    return why
  }

  async function ask<Found>(
    language: string | null,
    question: (handle: ServerHandle) => Promise<Omit<ServerAnswer<Found>, 'source'>>,
  ): Promise<ServerAnswer<Found>> {
    if (isClosed) return silence(null, 'the servers are closed')
    if (language === null) return silence(null, 'its language is not known')
    const handle = await handleFor(language)
    if (typeof handle === 'string') return silence(null, handle)
    try {
      const answer = await question(handle)
      return { source: handle.source, ...answer }
    } catch (error) {
      if (error instanceof ServerFailure) return silence(handle.source, error.message)
      throw error
    }
  }

  const at = ({ path }: Pick<Position, 'path'>) => languageOf(path)
  const { references, definition, symbols, symbolsNamed, diagnostics, type } = questions(limits)
  return {
    async serverFor(language) {
      const handle = await handleFor(language)
      return typeof handle === 'string' ? null : handle.source
    },
    references: (position) => ask(at(position), (handle) => references(handle, position)),
    definition: (position) => ask(at(position), (handle) => definition(handle, position)),
    callers: (position) =>
      ask(at(position), (handle) =>
        askCallers(
          () => references(handle, position),
          (path) => symbols(handle, path),
        ),
      ),
    symbols: (path) => ask(at({ path }), (handle) => symbols(handle, path)),
    symbolsNamed: (name, language) => ask(language, (handle) => symbolsNamed(handle, name)),
    async diagnostics(path, text) {
      const language = at({ path })
      const answer = await ask(language, (handle) => diagnostics(handle, path, text ?? null))
      const handle = language === null ? 'unknown' : await handleFor(language)
      const server = typeof handle === 'string' ? null : handle.server
      return {
        ...answer,
        checksTypes: server?.checksTypes(path) ?? false,
        knowsGlobals: server?.knowsGlobals ?? false,
      }
    },
    type: (position) => ask(at(position), (handle) => type(handle, position)),
    async close() {
      isClosed = true
      const all = await Promise.all(handles.values())
      await Promise.all(all.map((handle) => (typeof handle === 'string' ? null : handle.close())))
    },
  }
}

export const noSandbox =
  'no sandbox works on this machine, and language servers read foreign code only in one (`sightline doctor` says more)'

function silence(source: string | null, why: string): ServerAnswer<never> {
  return { source, state: 'silent', why, found: [], outside: 0 }
}
