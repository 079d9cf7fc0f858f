/** Opens language servers over a small repository; all is closed when the test ends. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findSandbox } from '../../../src/base/sandbox/probe.ts'
import type {
  LanguageServers,
  Limits,
  Location,
  ServerAnswer,
} from '../../../src/code-index/language-servers/contract.ts'
import {
  type Confinement,
  openLanguageServers,
} from '../../../src/code-index/language-servers/open-language-servers.ts'
import { LanguageServerSettings } from '../../../src/config/settings/language-servers.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { type Files, temporaryFolder } from '../../helpers/git-repo.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'

const fake = join(import.meta.dirname, '../../helpers/fake-language-server/server.ts')

export type Opened = LanguageServers & {
  /** Lines that the fake server wrote of what it saw. */
  notes(): string[]
}

const { signal } = new AbortController()
export const sandbox = await findSandbox(undefined, signal)

/** What there is here; without a sandbox, as an operator may allow it. */
const confinement: Confinement = { findSandbox: async () => sandbox, isOptional: true }
/** For a fake server that writes notes of what it saw. */
export const unconfined: Confinement = { findSandbox: async () => null, isOptional: true }

/** Longer than a test may take: what waits for it fails, and what is slow on a busy machine does not. */
const patient = { initializeMs: 600_000, requestMs: 600_000 }

/** The fake reports progress in one mode, and there as soon as it is up. */
const graceOf = (mode: string) => (mode === 'progress' ? {} : { graceMs: 20 })

/** Ruby files go to the fake server, which behaves as `mode` says. It runs without a sandbox. */
export async function openFake(
  mode: string,
  files: Files | RepoSnapshot,
  limits: Partial<Limits> = {},
  entry: object = {},
  confinement: Confinement = unconfined,
): Promise<Opened> {
  const notes = join(temporaryFolder(), 'notes')
  writeFileSync(notes, '')
  const settings = {
    fake: {
      command: [process.execPath, fake, mode],
      languages: ['ruby'],
      passEnvironment: ['NOTES'],
      ...entry,
    },
  }
  const environment = { ...process.env, NOTES: notes, SECRET_KEY: 'sk-1' }
  const servers = await open(files, {
    settings,
    environment,
    limits: { ...patient, ...graceOf(mode), ...limits },
    confinement,
  })
  const read = () =>
    readFileSync(notes, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  return { ...servers, notes: read }
}

export async function open(
  files: Files | RepoSnapshot,
  options: {
    settings?: object
    environment?: Record<string, string | undefined>
    limits?: Partial<Limits>
    foreignFolders?: string[]
    confinement?: Confinement
  } = {},
): Promise<LanguageServers> {
  const { settings = {}, environment = process.env, limits = {}, foreignFolders = [] } = options
  const snapshot = isSnapshot(files) ? files : memorySnapshot(files)
  const servers = openLanguageServers({
    snapshot,
    settings: LanguageServerSettings.parse(settings),
    environment,
    foreignFolders,
    confinement: options.confinement ?? confinement,
    limits,
  })
  onTestFinished(() => servers.close())
  return servers
}

/** `a.rb:3:4`. */
export function places({ found }: ServerAnswer<Location>): string[] {
  return found.map(({ path, line, column }) => `${path}:${line}:${column}`)
}

/** `3 reportCallIssue`; what is not the file's own fault stands in brackets. `text`: another one than it has. */
export async function errors(servers: LanguageServers, path: string, text?: string): Promise<string[]> {
  const { state, found } = await servers.diagnostics(path, text)
  if (state !== 'complete') throw new Error(`${path}: its answer is ${state}`)
  return found.flatMap(({ severity, line, code, isAbsence }) =>
    severity === 'error' ? [isAbsence ? `(${line} ${code})` : `${line} ${code}`] : [],
  )
}

function isSnapshot(files: Files | RepoSnapshot): files is RepoSnapshot {
  return typeof files.readMany === 'function'
}
