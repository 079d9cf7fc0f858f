/**
 * The other repositories of the workspace, read while a change is collected: which of what it breaks they use. What was found
 * is frozen in the request. Only the operator's settings say which repositories those are.
 */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { discoverRepository } from '../base/git/discover.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import type { FactStore } from '../code-index/contract.ts'
import { defaultConfig } from '../config/schema.ts'
import { pathOn } from '../domain/change-set.ts'
import type { SharedBreak } from '../domain/shared-contract.ts'
import type { OtherRepository, WorkspaceView } from '../domain/workspace.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { type DefaultBranch, openDefaultBranch, peekDefaultBranch } from '../hosts/local/default-branch.ts'
import { linksAt } from '../pipeline/publish/links.ts'
import type { Break } from '../workspace/contract.ts'
import { type ChangedSides, findBreaks, type KindBreaks } from '../workspace/find-breaks.ts'
import { type BrokenUse, findBrokenUses } from '../workspace/find-uses.ts'
import { openUsesIndex, type ReadRepository, type UsePath, type UsesIndex } from '../workspace/uses-index.ts'
import type { Services } from './services.ts'

type Parts = Pick<Services, 'settings' | 'environment' | 'facts' | 'folders' | 'signal'>

/** Files of other repositories that one review reads to bring its index up to date; `sightline workspace` reads all. */
const mostFilesRefreshed = 20_000
/** Uses of one break that are told; the others are counted. */
const mostUses = 20

/** Without a workspace, and for a change that was collected before, the change as it is. */
export async function withWorkspace(change: CollectedChange, parts: Parts): Promise<CollectedChange> {
  const members = membersOf(parts)
  if (members.length === 0 || change.request.workspace) return change
  const workspace = redactStrings(await readWorkspace(change, members, parts))
  return { ...change, request: { ...change.request, workspace } }
}

/** One entry of the settings: its folder, or where its mirror is kept. */
export type Member = { name: string; folder: string }

export function membersOf({ settings, environment }: Pick<Parts, 'settings' | 'environment'>): Member[] {
  return settings.workspace.repositories.map((name) => ({
    name,
    folder: name.startsWith('~/') ? join(environment.HOME || homedir(), name.slice(2)) : name,
  }))
}

async function readWorkspace(
  change: CollectedChange,
  members: readonly Member[],
  parts: Parts,
): Promise<WorkspaceView> {
  const found = await findBreaks(await sidesOf(change), parts.facts)
  // Nothing that others could use is different: they need not be opened.
  if (found.length === 0) return { repositories: [], breaks: [] }
  const index = openUsesIndex(parts.folders.cache)
  try {
    const others = members.filter(({ folder }) => !isSameRepository(folder, change.repositoryLabel))
    const known = new Map((await index.repositories()).map((one) => [one.name, one]))
    const read: OtherRepository[] = []
    const members_ = new Map<string, { member: Member; at: ReadRepository }>()
    for (const member of others) {
      const { repository, at } = await refreshMember(member, known.get(member.name) ?? null, index, parts)
      read.push(repository)
      if (at) members_.set(member.name, { member, at })
    }
    const uses = await usesIn(members_, found, index, parts)
    return { repositories: read, breaks: toldOf(found, uses) }
  } finally {
    index.close()
  }
}

async function sidesOf(change: CollectedChange): Promise<ChangedSides> {
  const { files } = await change.diff()
  return {
    base: change.base,
    head: change.head,
    before: files.flatMap((file) => (file.status === 'A' ? [] : [pathOn('old', file)])),
    after: files.flatMap((file) => (file.status === 'D' ? [] : [file.path])),
  }
}

/** The repository that is reviewed is none of the others, however it is written. */
function isSameRepository(folder: string, label: string): boolean {
  return commonFolder(folder) === commonFolder(label)
}

function commonFolder(folder: string): string {
  try {
    return realpathSync(discoverRepository(folder).commonDir)
  } catch {
    return folder
  }
}

/** Brings one repository of the index up to date. `at` is null for one that says nothing. */
export async function refreshMember(
  { name, folder }: Member,
  known: ReadRepository | null,
  index: UsesIndex,
  { settings, facts, signal }: Pick<Parts, 'settings' | 'facts' | 'signal'>,
  most = mostFilesRefreshed,
): Promise<{ repository: OtherRepository; at: ReadRepository | null }> {
  const unread = (trouble: string) => ({
    repository: { name: known?.label ?? nameOf(null, folder), commit: null, committedAt: null, trouble },
    at: null,
  })
  try {
    if (known && peekDefaultBranch(folder) === known.commit)
      return { repository: readAt(known, null), at: known }
    const branch = await openBranch(folder, settings, signal)
    try {
      const { commit, committedAt, originUrl, snapshot } = branch
      const at = { name, commit, committedAt, tree: snapshot.tree, label: nameOf(originUrl, folder) }
      const read = await index.refresh(at, snapshot, facts, most)
      if (read !== null) return { repository: readAt(at, null), at }
      const how = 'it has too many new files for a review: run `sightline workspace`'
      return known ? { repository: readAt(known, how), at: known } : unread(how)
    } finally {
      await branch.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof UserError)) throw error
    return unread(error.message.slice(0, 500))
  }
}

function readAt({ label, commit, committedAt }: ReadRepository, trouble: string | null): OtherRepository {
  return { name: label, commit, committedAt, trouble }
}

function openBranch(
  folder: string,
  settings: Parts['settings'],
  signal: AbortSignal,
  at: string | null = null,
): Promise<DefaultBranch> {
  const { borrowFrom } = settings.repositories
  return openDefaultBranch(folder, { limits: defaultConfig.limits, borrowFrom, signal, at })
}

/** `acme/web` of a remote's address, else the name of the folder. */
function nameOf(originUrl: string | null, folder: string): string {
  const path = originUrl
    ?.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*|[^/:]*:)\/*/i, '')
    .replace(/(?:\.git)?\/*$/, '')
  const isName = path !== undefined && /^[^\p{Cc}]{1,200}$/u.test(path) && path !== ''
  return isName && originUrl !== null && !originUrl.startsWith('/')
    ? path.split('/').slice(-2).join('/')
    : basename(folder).replace(/\.git$/, '')
}

type Found = BrokenUse & { at: ReadRepository; originUrl: string | null }

/** Only repositories that the index names are opened. */
async function usesIn(
  members: ReadonlyMap<string, { member: Member; at: ReadRepository }>,
  found: readonly KindBreaks[],
  index: UsesIndex,
  { settings, facts, signal }: { settings: Parts['settings']; facts: FactStore; signal: AbortSignal },
): Promise<Found[]> {
  const names = [...members.keys()]
  const pathsOf = new Map<string, Map<KindBreaks['kind'], UsePath[]>>()
  for (const { kind, breaks } of found) {
    const keys = [...new Set(breaks.flatMap(({ keys }) => keys))]
    for (const use of await index.find(kind.kind, keys, names)) {
      const own = pathsOf.get(use.repository) ?? new Map<KindBreaks['kind'], UsePath[]>()
      own.set(kind, [...(own.get(kind) ?? []), use])
      pathsOf.set(use.repository, own)
    }
  }
  const uses: Found[] = []
  for (const [name, { member, at }] of members) {
    const own = pathsOf.get(name)
    if (!own) continue
    const branch = await openBranch(member.folder, settings, signal, at.commit)
    try {
      const inFiles = await findBrokenUses(
        found,
        (kind) => (own.get(kind) ?? []).map(({ path }) => path),
        branch.snapshot,
        facts,
      )
      uses.push(...inFiles.map((use) => ({ ...use, at, originUrl: branch.originUrl })))
    } finally {
      await branch.close()
    }
  }
  return uses
}

/** What nobody uses is no news. */
function toldOf(found: readonly KindBreaks[], uses: readonly Found[]): WorkspaceView['breaks'] {
  const byBreak = Map.groupBy(uses, ({ broken }) => broken)
  return found
    .flatMap(({ breaks }) => breaks)
    .flatMap((broken) => {
      const own = byBreak.get(broken) ?? []
      if (own.length === 0) return []
      const shown = own.slice(0, mostUses)
      return [{ ...plainBreak(broken), uses: shown.map(toUse), more: own.length - shown.length }]
    })
}

function plainBreak({ kind, name, how, renamedTo, what, before, after }: Break): SharedBreak {
  const plain = { kind, name: name.slice(0, 300), how, what: what.slice(0, 400), before, after }
  return renamedTo === undefined ? plain : { ...plain, renamedTo: renamedTo.slice(0, 300) }
}

function toUse({
  use,
  confidence,
  text,
  pin,
  at,
  originUrl,
}: Found): WorkspaceView['breaks'][number]['uses'][number] {
  const { path, line, endLine } = use
  const revision = { commit: at.commit, tree: at.tree }
  const webUrl = originUrl === null ? null : webAddress(originUrl)
  const links = webUrl === null ? null : linksAt(webUrl, { base: revision, head: revision })
  return {
    ...{ repository: at.label, commit: at.commit, path, line, endLine },
    url: links?.({ path, side: 'new', startLine: line, endLine }) ?? null,
    ...{ name: use.name.slice(0, 300), how: use.how.slice(0, 300), confidence, text, pin },
  }
}

/** Of `git@host:owner/name.git` and `https://host/owner/name.git`; null for any other. */
function webAddress(originUrl: string): string | null {
  const [, host, path] =
    /^(?:https?:\/\/|ssh:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/](.+?)(?:\.git)?\/*$/.exec(originUrl) ?? []
  return host?.includes('.') && path ? `https://${host}/${path}` : null
}
