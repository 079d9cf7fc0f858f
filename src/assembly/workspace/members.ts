/** The repositories of the operator's workspace: where each is on this machine, what it is called, and what the index has of it. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { discoverRepository } from '../../base/git/discover.ts'
import { defaultConfig } from '../../config/schema.ts'
import type { OtherRepository } from '../../domain/workspace.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import { type DefaultBranch, openDefaultBranch, peekDefaultBranch } from '../../hosts/local/default-branch.ts'
import type { ReadRepository, UsesIndex } from '../../workspace/uses-index.ts'
import type { Services } from '../services.ts'

export type WorkspaceParts = Pick<Services, 'settings' | 'environment' | 'facts' | 'folders' | 'signal'>

/** One entry of the settings. `folder`: a git repository on this machine. */
export type Member = { name: string; folder: string }

export function membersOf({
  settings,
  environment,
}: Pick<WorkspaceParts, 'settings' | 'environment'>): Member[] {
  const home = environment.HOME || homedir()
  return settings.workspace.repositories.map((name) => ({
    name,
    folder: name.startsWith('~/') ? join(home, name.slice(2)) : name,
  }))
}

/** The repository that is reviewed is none of the others, by whatever name it is listed. */
export function isReviewed(
  { folder }: Member,
  known: ReadRepository | null,
  { repositoryLabel, request: { repository } }: Pick<CollectedChange, 'repositoryLabel' | 'request'>,
): boolean {
  if (isAbsolute(repositoryLabel)) return commonFolder(folder) === commonFolder(repositoryLabel)
  const address =
    repository && `https://${repository.host}/${[...repository.owner, repository.name].join('/')}`
  const own = known?.originUrl ? webAddress(known.originUrl) : null
  return own !== null && own.toLowerCase() === address?.toLowerCase()
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
  { name, folder }: Member,
  known: ReadRepository | null,
  index: UsesIndex,
  parts: WorkspaceParts,
  most: number,
): Promise<ReadMember> {
  try {
    if (known && peekDefaultBranch(folder) === known.commit) return readAt(known)
    const branch = await openMember(folder, parts)
    try {
      const { commit, committedAt, originUrl, snapshot } = branch
      const label = nameOf(originUrl, folder)
      const at = { name, commit, committedAt, tree: snapshot.tree, label, originUrl }
      const read = await index.refresh(at, snapshot, parts.facts, most)
      if (read !== null) return readAt(at)
      const old = known ? 'it has changed since' : 'it is new'
      const why = `${old}, with more files than one review reads; run \`sightline workspace --update\``
      return known ? readAt(known, why) : unread(label, why)
    } finally {
      await branch.close()
    }
  } catch (error) {
    parts.signal.throwIfAborted()
    if (!(error instanceof UserError)) throw error
    return unread(known?.label ?? nameOf(null, folder), error.message)
  }
}

/** What the index has of it, without reading it. */
export function peekMember({ folder }: Member, known: ReadRepository | null): ReadMember {
  try {
    const tip = peekDefaultBranch(folder)
    if (known)
      return readAt(known, tip === known.commit ? null : 'it has changed since; the next review reads it')
    return unread(nameOf(null, folder), 'the next review reads it')
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return unread(known?.label ?? nameOf(null, folder), error.message)
  }
}

function readAt(at: ReadRepository, trouble: string | null = null): ReadMember {
  const { label, commit, committedAt } = at
  return { repository: { name: label, commit, committedAt, trouble }, at }
}

function unread(name: string, trouble: string): ReadMember {
  return { repository: { name, commit: null, committedAt: null, trouble: trouble.slice(0, 500) }, at: null }
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

/** `acme/web` by its remote, else the name of its folder. */
function nameOf(originUrl: string | null, folder: string): string {
  const address = originUrl === null ? null : webAddress(originUrl)
  return address === null
    ? basename(folder).replace(/\.git$/, '')
    : new URL(address).pathname.split('/').slice(-2).join('/')
}

/** Of `git@host:owner/name.git` and `https://host/owner/name.git`, in a browser; null for any other. */
export function webAddress(originUrl: string): string | null {
  const form =
    /^(?:https?:\/\/|ssh:\/\/)?(?:[^@/]{1,100}@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/]([\w.~/-]{1,300})$/
  const [, host, path] = form.exec(originUrl) ?? []
  return host && path ? `https://${host}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}` : null
}
