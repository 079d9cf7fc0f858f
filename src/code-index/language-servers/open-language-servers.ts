/** Opens the language servers of one snapshot. Nothing is started before the first question. */
import type { LanguageServerSettings } from '../../config/settings/language-servers.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { languageOf } from '../language-of.ts'
import { askCallers } from './ask-callers.ts'
import {
  defaultLimits,
  type LanguageServers,
  type Limits,
  type Position,
  type ServerAnswer,
  ServerFailure,
} from './contract.ts'
import { questions } from './questions.ts'
import { findProgram, languageServers } from './registry.ts'
import { Seat } from './seat.ts'

export type ServerOptions = {
  snapshot: RepoSnapshot
  /** The operator's, never a repository's. */
  settings: LanguageServerSettings
  environment: Readonly<Record<string, string | undefined>>
  /** The repository's own folders: no program in them is started. */
  foreignFolders: readonly string[]
  limits?: Partial<Limits>
}

export function openLanguageServers(options: ServerOptions): LanguageServers {
  const { snapshot, settings } = options
  const limits = { ...defaultLimits, ...options.limits }
  const servers = languageServers(settings)
  const seats = new Map<string, Promise<Seat | string>>()
  let isClosed = false

  /** Of the first server of the language that is there; or why there is none. */
  async function seatFor(language: string): Promise<Seat | string> {
    let why = `no language server is known for ${language}`
    for (const server of servers.filter(({ languages }) => languages.includes(language))) {
      let seat = seats.get(server.name)
      if (!seat) {
        const around = { environment: options.environment, foreignFolders: options.foreignFolders }
        seat = findProgram(server, settings[server.name], around).then((program) =>
          'absent' in program
            ? program.absent
            : new Seat(server, program, snapshot, { ...around, command: null }, limits),
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

function silence(source: string | null, why: string): ServerAnswer<never> {
  return { source, state: 'silent', why, found: [], outside: 0 }
}
