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
import { Seat } from './server-handle.ts'

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
  const seats = new Map<string, Promise<Seat | string>>()
  let sandbox: Promise<Sandbox | null> | null = null
  let isClosed = false

  /** Of the first server of the language that is there; or why there is none. */
  async function seatFor(language: string): Promise<Seat | string> {
    sandbox ??= options.confinement.findSandbox()
    const box = await sandbox
    if (!box && !options.confinement.isOptional) return noSandbox
    let why = `no language server is known for ${language}`
    for (const server of servers.filter(({ languages }) => languages.includes(language))) {
      let seat = seats.get(server.name)
      if (!seat) {
        const { environment, foreignFolders } = options
        const { readOnlyPaths = [] } = settings[server.name] ?? {}
        const around = { environment, foreignFolders, readOnlyPaths, isConfined: box !== null }
        seat = findProgram(server, settings[server.name], around).then((program) =>
          'absent' in program
            ? program.absent
            : new Seat(server, program, snapshot, { ...around, command: null }, limits, box),
        )
        seats.set(server.name, seat)
      }
      const found = await seat
      if (typeof found !== 'string') return found
      why = `${server.name}: ${found}`
    }
    return why
  }

  async function ask<Found>(
    language: string | null,
    question: (seat: Seat) => Promise<Omit<ServerAnswer<Found>, 'source'>>,
  ): Promise<ServerAnswer<Found>> {
    if (isClosed) return silence(null, 'the servers are closed')
    if (language === null) return silence(null, 'its language is not known')
    const seat = await seatFor(language)
    if (typeof seat === 'string') return silence(null, seat)
    try {
      const answer = await question(seat)
      return { source: seat.source, ...answer }
    } catch (error) {
      if (error instanceof ServerFailure) return silence(seat.source, error.message)
      throw error
    }
  }

  const at = ({ path }: Pick<Position, 'path'>) => languageOf(path)
  const { references, definition, symbols, symbolsNamed, diagnostics, type } = questions(limits)
  return {
    async serverFor(language) {
      const seat = await seatFor(language)
      return typeof seat === 'string' ? null : seat.source
    },
    references: (position) => ask(at(position), (seat) => references(seat, position)),
    definition: (position) => ask(at(position), (seat) => definition(seat, position)),
    callers: (position) =>
      ask(at(position), (seat) =>
        askCallers(
          () => references(seat, position),
          (path) => symbols(seat, path),
        ),
      ),
    symbols: (path) => ask(at({ path }), (seat) => symbols(seat, path)),
    symbolsNamed: (name, language) => ask(language, (seat) => symbolsNamed(seat, name)),
    async diagnostics(path, text) {
      const language = at({ path })
      const answer = await ask(language, (seat) => diagnostics(seat, path, text ?? null))
      const seat = language === null ? 'unknown' : await seatFor(language)
      const server = typeof seat === 'string' ? null : seat.server
      return {
        ...answer,
        checksTypes: server?.checksTypes(path) ?? false,
        knowsGlobals: server?.knowsGlobals ?? false,
      }
    },
    type: (position) => ask(at(position), (seat) => type(seat, position)),
    async close() {
      isClosed = true
      const all = await Promise.all(seats.values())
      await Promise.all(all.map((seat) => (typeof seat === 'string' ? null : seat.close())))
    },
  }
}

export const noSandbox =
  'no sandbox works on this machine, and language servers read foreign code only in one (`sightline doctor` says more)'

function silence(source: string | null, why: string): ServerAnswer<never> {
  return { source, state: 'silent', why, found: [], outside: 0 }
}
