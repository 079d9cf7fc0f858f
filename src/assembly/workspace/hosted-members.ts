/**
 * Repositories of the workspace that are on a host: what is kept of each between reviews, how it is brought up to date, and who
 * may read it now. Of one that was deleted, or that may no longer be read, nothing is kept.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, writeWhole } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import { defaultConfig } from '../../config/schema.ts'
import { Refused } from '../../hosts/remote/answers.ts'
import type { RepositoryPlace } from '../../hosts/remote/contract.ts'
import { numberName, pageOf } from '../../hosts/remote/facts.ts'
import { fetchDefaultBranch, fetchHeads, gitFolderIn } from '../../hosts/remote/fetch-default-branch.ts'
import { type Mirror, type MirroredRepository, mirrorFolder, openMirrors } from '../../hosts/remote/mirror.ts'
import type { HostedRepository, RepositoryReader } from '../../hosts/repository/contract.ts'
import { type OtherReaders, stricterOf } from '../../workspace/audience.ts'
import { changeKeys, keysToFind } from '../../workspace/change-keys.ts'
import type { KeptChange, UsesIndex } from '../../workspace/uses-index.ts'
import { knownHosts, openHostedRepository } from '../open-host.ts'
import { type HostedMember, isHosted, KeptRepository, type Member, type WorkspaceParts } from './contract.ts'

const recordName = 'repository.json'

function mirrorsIn(cache: string): string {
  return join(cache, 'workspace')
}

/** By its address: what the host calls it is not known before it was asked. */
function keyOf({ webUrl, owner, name }: RepositoryPlace): MirroredRepository {
  return { webUrl, id: [...owner, name].join('/').toLowerCase() }
}

/** Where it is kept, and what is on record of it; null for nothing. */
export function keptMember(
  place: RepositoryPlace,
  cache: string | null,
): { folder: string; kept: KeptRepository | null } {
  if (cache === null) return { folder: '', kept: null }
  const mirror = mirrorFolder(mirrorsIn(cache), keyOf(place))
  return { folder: gitFolderIn(mirror), kept: readRecord(mirror) }
}

function readRecord(mirror: string): KeptRepository | null {
  try {
    return KeptRepository.safeParse(JSON.parse(readFileSync(join(mirror, recordName), 'utf8'))).data ?? null
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

function writeRecord(mirror: string, kept: KeptRepository): KeptRepository {
  writeWhole(join(mirror, recordName), Buffer.from(JSON.stringify(kept)), { replace: true })
  return kept
}

/** Asks its host, and fetches its default branch. Never throws for what is wrong with it: that is on record. */
export async function updateHosted(
  { name, hosted: { place } }: HostedMember,
  index: UsesIndex,
  parts: WorkspaceParts,
): Promise<void> {
  if (parts.folders.cache === null) return
  const mirror = await openMirrors(mirrorsIn(parts.folders.cache)).take(keyOf(place), parts.signal)
  try {
    const last = readRecord(mirror.folder)
    try {
      const reader = openReader(name, parts)
      const found = await reader.lookUp(parts.signal)
      if (last?.repository && last.repository.id !== found.repository.id)
        await forget(mirror.folder, index, name)
      const kept = writeRecord(mirror.folder, await fetchKept(mirror, found, parts))
      const changes = keepOpenChanges({ name, place, reader, found, mirror, index }, parts)
      const trouble = await changes.catch((error: unknown) => {
        parts.signal.throwIfAborted()
        return `its open change requests are not known: ${reasonOf(error)}`
      })
      if (trouble) writeRecord(mirror.folder, { ...kept, trouble })
    } catch (error) {
      parts.signal.throwIfAborted()
      await keepFailure(error, { mirror, index, name, last }, parts)
    }
  } finally {
    await mirror.release()
  }
}

async function fetchKept(
  mirror: Mirror,
  { repository, fetch }: HostedRepository,
  { now, signal }: WorkspaceParts,
): Promise<KeptRepository> {
  const { fileBytes } = defaultConfig.limits
  const commit = await fetchDefaultBranch(mirror, fetch, { fileBytes, signal })
  const time = now().toISOString()
  return { repository, askedAt: time, fetchedAt: time, trouble: commit === null ? 'it has no commit' : null }
}

type Failing = { mirror: Mirror; index: UsesIndex; name: string; last: KeptRepository | null }

/** Whoever lost the right is not answered from a copy. */
async function keepFailure(
  error: unknown,
  { mirror, index, name, last }: Failing,
  { now }: WorkspaceParts,
): Promise<void> {
  const none = { repository: null, askedAt: now().toISOString(), fetchedAt: null }
  if (isLost(error)) {
    await forget(mirror.folder, index, name)
    writeRecord(mirror.folder, { ...none, trouble: lost(error) })
  } else
    writeRecord(mirror.folder, { ...(last ?? none), trouble: `it could not be updated: ${reasonOf(error)}` })
}

/** In words. Throws whatever is not an answer of a host. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the answer of its host cannot be understood'
  if (error instanceof UserError || error instanceof Refused) return error.message
  throw error
}

function isLost(error: unknown): error is UserError {
  return (
    error instanceof UserError && (error.code === 'change-request-unknown' || error.code === 'host-refused')
  )
}

function lost({ message }: UserError): string {
  return `it does not exist, or may not be read: ${message}`
}

async function forget(mirror: string, index: UsesIndex, name: string): Promise<void> {
  for (const entry of readdirSync(mirror)) rmSync(join(mirror, entry), { recursive: true, force: true })
  await index.remove([name])
}

type LookingReader = RepositoryReader & Required<Pick<RepositoryReader, 'lookUp'>>

function openReader(name: string, parts: WorkspaceParts): LookingReader {
  const { reader } = openHostedRepository(name, parts)
  if (canLookUp(reader)) return reader
  throw new UserError(
    'host-package-unusable',
    `${name}: the package for this host does not say who may read it`,
  )
}

function canLookUp(reader: RepositoryReader): reader is LookingReader {
  return reader.lookUp !== undefined
}

const hourMs = 3_600_000
/** A review waits no longer for a host that it asks who may read a repository. */
const patienceMs = 5_000

/**
 * Who may read it: the host is asked again when its word is older than an hour, and of two words the stricter one counts until
 * the next fetch. `member.trouble` says when it may not be read at all.
 */
export async function readersOf(
  member: Member,
  index: UsesIndex,
  parts: WorkspaceParts,
): Promise<OtherReaders> {
  if (!isHosted(member)) return 'unsaid'
  const { kept, place } = member.hosted
  if (!kept?.repository || parts.folders.cache === null) return 'unknown'
  const { repository } = kept
  if (parts.now().getTime() - Date.parse(kept.askedAt) < hourMs) return repository
  if (parts.settings.workspace.offline) return 'unknown'
  const path = mirrorFolder(mirrorsIn(parts.folders.cache), keyOf(place))
  try {
    const limit = AbortSignal.any([parts.signal, AbortSignal.timeout(patienceMs)])
    const { repository: now } = await openReader(member.name, parts).lookUp(limit)
    if (now.id !== repository.id) return 'unknown'
    const visibility = stricterOf(repository.visibility, now.visibility)
    const askedAt = parts.now().toISOString()
    return writeRecord(path, { ...kept, askedAt, repository: { ...now, visibility } }).repository ?? 'unknown'
  } catch (error) {
    parts.signal.throwIfAborted()
    if (isLost(error)) {
      await forget(path, index, member.name)
      const askedAt = parts.now().toISOString()
      member.trouble = lost(error)
      writeRecord(path, { repository: null, askedAt, fetchedAt: null, trouble: member.trouble })
    }
    return 'unknown'
  }
}

/** Removes what is kept of repositories that are not among these. */
export async function keepOnly(
  members: readonly Member[],
  index: UsesIndex,
  cache: string | null,
): Promise<void> {
  const names = new Set(members.map(({ name }) => name))
  const rows = await index.repositories()
  await index.remove(rows.flatMap(({ name }) => (names.has(name) ? [] : [name])))
  if (cache === null) return
  const folders = members
    .filter(isHosted)
    .map(({ hosted }) => mirrorFolder(mirrorsIn(cache), keyOf(hosted.place)))
  openMirrors(mirrorsIn(cache)).keepOnly(folders)
}

/** The newest; older ones are seldom alive. */
const mostKept = 40
const mostPaths = 300

type Listing = {
  /** Of the member, as the settings call it. */
  name: string
  place: RepositoryPlace
  reader: RepositoryReader
  found: HostedRepository
  mirror: Mirror
  index: UsesIndex
}

/** Asks its host for those whose head is new, and fetches their heads. Throws as `RepositoryReader` and `fetchHeads`. */
async function keepOpenChanges(
  { name, place, reader, found: { repository, fetch }, mirror, index }: Listing,
  parts: Pick<WorkspaceParts, 'settings' | 'environment' | 'signal'>,
): Promise<void> {
  const { signal } = parts
  const listed = (await reader.listOpen(signal)).slice(0, mostKept)
  const known = new Map((await index.changesOf(name)).map((one) => [one.number, one]))
  const { fileBytes } = defaultConfig.limits
  const heads = await fetchHeads(mirror, fetch, { kind: place.kind, changes: listed, fileBytes, signal })
  const hosts = knownHosts(parts)
  const here = { ...place, owner: repository.owner, name: repository.name }
  const changes: KeptChange[] = []
  for (const { number, head: listedHead, title, body, branch, isFork } of listed) {
    const last = known.get(number)
    const isKnown = last?.listedHead === listedHead
    const at = { ...here, number }
    changes.push({
      ...{ number, name: numberName(at), url: pageOf(at), listedHead, head: heads.get(number) ?? null },
      ...{ branch, isFork },
      paths: isKnown ? last.paths : (await reader.readFiles(number, signal)).paths.slice(0, mostPaths),
      keys: keysToFind(at, changeKeys({ title, body, branch }, here, hosts)),
    })
  }
  await index.keepChanges(name, changes)
}
