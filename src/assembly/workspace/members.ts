/** The repositories of the operator's workspace: where each is on this machine, what it is called, and what the index has of it. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { discoverRepository } from '../../base/git/discover.ts'
import { trimTrailing } from '../../base/trim-text.ts'
import { defaultConfig } from '../../config/schema.ts'
import { namePart } from '../../domain/repository-name.ts'
import type { RepositoryIdentity, ReviewRequest } from '../../domain/review-request.ts'
import type { OtherRepository } from '../../domain/workspace.ts'
import { type DefaultBranch, openDefaultBranch, peekDefaultBranch } from '../../hosts/local/default-branch.ts'
import { isAddress } from '../../hosts/remote/addresses.ts'
import { repositoryUrl } from '../../hosts/remote/facts.ts'
import type { ReadRepository, UsesIndex } from '../../workspace/uses-index.ts'
import { placeOf } from '../open-host.ts'
import { type Member, placeNow, type WorkspaceParts } from './contract.ts'
import { keptMember } from './hosted-members.ts'

export function membersOf(parts: Pick<WorkspaceParts, 'settings' | 'environment' | 'folders'>): Member[] {
  return parts.settings.workspace.repositories.map((name) => memberOf(name, parts))
}

/** Of an entry of the settings. */
export function memberOf(
  name: string,
  parts: Pick<WorkspaceParts, 'settings' | 'environment' | 'folders'>,
): Member {
  const home = parts.environment.HOME || homedir()
  const folder = name.startsWith('~/') ? join(home, name.slice(2)) : name
  if (!isAddress(name)) return { name, folder, hosted: null, trouble: null }
  try {
    const place = placeOf(name, parts)
    const { folder: mirror, kept } = keptMember(place, parts.folders.cache)
    const isThere = kept !== null && kept.fetchedAt !== null
    const never = kept?.trouble ?? 'it was not fetched yet; run `sightline workspace --update`'
    return { name, folder: mirror, hosted: { place, kept }, trouble: isThere ? null : never }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { name, folder, hosted: null, trouble: error.message }
  }
}

/** The repository that is reviewed is none of the others, by whatever name it is listed, and no other clone of it is. */
export function isReviewed(
  { folder, hosted }: Member,
  known: ReadRepository | null,
  {
    repositoryLabel,
    originUrl = null,
    request: { repository },
  }: { repositoryLabel: string; originUrl?: string | null; request: Pick<ReviewRequest, 'repository'> },
): boolean {
  if (hosted && repository) return isSamePlace(hosted, repository)
  if (isAbsolute(repositoryLabel) && commonFolder(folder) === commonFolder(repositoryLabel)) return true
  const reviewed = repository
    ? `https://${repository.host}/${[...repository.owner, repository.name].join('/')}`
    : originUrl && webAddress(originUrl)
  const listed = hosted ? repositoryUrl(hosted.place) : known?.originUrl ? webAddress(known.originUrl) : null
  return listed !== null && listed.toLowerCase() === reviewed?.toLowerCase()
}

/** By its id; by its name where it was not asked for yet. */
function isSamePlace(
  { place, kept }: NonNullable<Member['hosted']>,
  { host, id, owner, name }: RepositoryIdentity,
): boolean {
  if (kept?.repository) return kept.repository.host === host && kept.repository.id === id
  const own = [place.host, ...place.owner, place.name].join('/')
  return own.toLowerCase() === [host, ...owner, name].join('/').toLowerCase()
}

function commonFolder(folder: string): string {
  try {
    return realpathSync(discoverRepository(folder).commonDir)
  } catch {
    return folder
  }
}

/** How it is told, and where the index has it; `at` is null for one that says nothing. */
export type ReadMember = { repository: OtherRepository; at: ReadRepository | null }

/** Brings one repository of the index up to date, unless that takes more than `most` files. Never throws for what is wrong with it. */
export async function refreshMember(
  member: Member,
  known: ReadRepository | null,
  index: UsesIndex,
  parts: WorkspaceParts,
  most: number,
): Promise<ReadMember> {
  const { name, folder } = member
  const found = await orTrouble(member, known, parts.signal, async () => {
    if (known && peekDefaultBranch(folder) === known.commit) return readAt(known)
    const branch = await openMember(folder, parts)
    try {
      const { commit, committedAt, snapshot } = branch
      const originUrl = member.hosted ? repositoryUrl(placeNow(member.hosted)) : branch.originUrl
      const label = labelOf(member, originUrl)
      const at = { name, commit, committedAt, tree: snapshot.tree, label, originUrl }
      const read = await index.refresh(at, snapshot, parts.facts, most)
      if (read !== null) return readAt(at)
      const old = known ? 'it has changed since' : 'it is new'
      const why = `${old}, with more files than one review reads; run \`sightline workspace --update\``
      return known ? readAt(known, why) : unread(label, why)
    } finally {
      await branch.close()
    }
  })
  return fetched(found, member)
}

/** What the index has of it, without reading it. */
export async function peekMember(member: Member, known: ReadRepository | null): Promise<ReadMember> {
  return await orTrouble(member, known, null, async () => {
    const tip = peekDefaultBranch(member.folder)
    if (!known) return unread(labelOf(member, null), 'the next review reads it')
    const isOld = tip !== known.commit
    return fetched(readAt(known, isOld ? 'it has changed since; the next review reads it' : null), member)
  })
}

/** What is wrong with a member is told, and thrown no further. */
async function orTrouble(
  member: Member,
  known: ReadRepository | null,
  signal: AbortSignal | null,
  read: () => Promise<ReadMember>,
): Promise<ReadMember> {
  if (member.trouble !== null) return unread(labelOf(member, null), member.trouble)
  try {
    return await read()
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof UserError)) throw error
    return unread(known?.label ?? labelOf(member, null), error.message)
  }
}

/** With its age, and what its host said last. */
function fetched({ repository, at }: ReadMember, { hosted }: Member): ReadMember {
  const { fetchedAt = null, trouble = null } = hosted?.kept ?? {}
  return { repository: { ...repository, fetchedAt, trouble: repository.trouble ?? trouble }, at }
}

function readAt(at: ReadRepository, trouble: string | null = null): ReadMember {
  const { label, commit, committedAt } = at
  return { repository: { name: label, commit, committedAt, fetchedAt: null, trouble }, at }
}

function unread(name: string, trouble: string): ReadMember {
  return {
    repository: { name, commit: null, committedAt: null, fetchedAt: null, trouble: trouble.slice(0, 500) },
    at: null,
  }
}

/** `at`: a commit at which it was read before; its default branch when not given. Throws as `openDefaultBranch`. */
export function openMember(
  folder: string,
  { settings, signal }: Pick<WorkspaceParts, 'settings' | 'signal'>,
  at: string | null = null,
): Promise<DefaultBranch> {
  const { borrowFrom } = settings.repositories
  return openDefaultBranch(folder, { limits: defaultConfig.limits, borrowFrom, signal, at })
}

/** `acme/web` by its host or its remote, else the name of its folder. */
function labelOf({ folder, hosted }: Member, originUrl: string | null): string {
  if (hosted) {
    const { owner, name } = placeNow(hosted)
    return [...owner, name].join('/')
  }
  const address = originUrl === null ? null : webAddress(originUrl)
  const parts = address === null ? [] : new URL(address).pathname.split('/').slice(-2)
  const isName = parts.length > 0 && parts.every((part) => namePart.test(part))
  return isName ? parts.join('/') : basename(folder).replace(/\.git$/, '')
}

/** Of `git@host:owner/name.git` and `https://host/owner/name.git`, in a browser; null for any other. */
export function webAddress(originUrl: string): string | null {
  const form =
    /^(?:https?:\/\/|ssh:\/\/)?(?:[^@/]{1,100}@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/]([\w.~/-]{1,300})$/
  const [, host, path] = form.exec(originUrl) ?? []
  return host && path ? `https://${host}/${trimTrailing(path, '/').replace(/\.git$/, '')}` : null
}
