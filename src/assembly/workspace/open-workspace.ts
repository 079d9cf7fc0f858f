/** The other repositories of a workspace, brought up to date in the index, and asked who uses something. */
import { UserError } from '../../base/errors.ts'
import { remembered } from '../../base/remembered.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import { surestOf } from '../../domain/severity.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { OtherRepository, OtherUse, WithheldUses } from '../../domain/workspace.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import type { RepositoryPlace } from '../../hosts/remote/contract.ts'
import { repositoryUrl } from '../../hosts/remote/facts.ts'
import { linksAt } from '../../pipeline/publish/links.ts'
import { shownOf } from '../../workspace/audience.ts'
import type { Break } from '../../workspace/contract.ts'
import type { KindBreaks } from '../../workspace/find-breaks.ts'
import { type BrokenUse, findBrokenUses } from '../../workspace/find-uses.ts'
import {
  openUsesIndex,
  type ReadRepository,
  type UsePath,
  type UsesIndex,
  type WantedUses,
} from '../../workspace/uses-index.ts'
import { placeOf } from '../open-host.ts'
import type { Companions } from './companions.ts'
import { type Member, placeNow, type Readable, type WorkspaceParts } from './contract.ts'
import { readersOf } from './hosted-members.ts'
import { isReviewed, openMember, refreshMember, webAddress } from './members.ts'
import { readOwnWords } from './own-words.ts'

export type OpenWorkspace = {
  readonly repositories: readonly OtherRepository[]
  /** Repositories of which nothing may be said. */
  readonly hidden: number
  /** Those that are at hand, and how much of each may be said. */
  readable: readonly Readable[]
  /** The reviewed one, as others call it: `acme/ci`; null where nothing says so. */
  provider: string | null
  /**
   * By break, in the order of the settings, then by path and line. Only repositories that the index names are opened. `companions`:
   * what settles uses.
   */
  usesOf(found: readonly KindBreaks[], companions?: Companions): Promise<ReadonlyMap<Break, FoundUses>>
  close(): void
}

export type Reviewed = {
  repositoryLabel: string
  request: Pick<ReviewRequest, 'repository'>
  originUrl?: CollectedChange['originUrl']
}

export type FoundUses = { uses: readonly OtherUse[]; withheld: readonly WithheldUses[] }

/** Files of all repositories that are read before one review; `sightline workspace --update` reads all. */
const mostFilesRefreshed = 20_000

export async function openWorkspace(
  members: readonly Member[],
  parts: WorkspaceParts,
  reviewed: Reviewed,
): Promise<OpenWorkspace> {
  const index = openUsesIndex(parts.folders.cache)
  try {
    const known = new Map((await index.repositories()).map((one) => [one.name, one]))
    const repositories: OtherRepository[] = []
    const readable: Readable[] = []
    const { repository: onHost = null } = reviewed.request
    const others = members.filter((one) => !isReviewed(one, known.get(one.name) ?? null, reviewed))
    const provider = nameOf(reviewed)
    // Of a change that is on no host everything is shown to whoever made it.
    const readers = onHost ? await Promise.all(others.map((one) => readersOf(one, index, parts))) : []
    let hidden = 0
    for (const [at, member] of others.entries()) {
      const { sharedReaders } = parts.settings.workspace
      const shown = shownOf(readers[at] ?? 'unknown', onHost, sharedReaders)
      if (shown === 'nothing') {
        hidden += 1
        continue
      }
      const last = known.get(member.name) ?? null
      const found = await refreshMember(member, last, index, parts, mostFilesRefreshed)
      repositories.push(shown === 'whole' ? found.repository : withoutDetails(found.repository))
      if (found.at) readable.push({ member, at: found.at, shown })
    }
    return {
      repositories,
      ...{ hidden, readable, provider },
      usesOf: (found, companions) =>
        usesIn({ readable, find: index.find, parts, provider, companions }, found),
      close: () => index.close(),
    }
  } catch (error) {
    index.close()
    throw error
  }
}

/** `acme/ci`, on its host or as its origin says; null where nothing does. */
function nameOf({ request: { repository }, originUrl }: Reviewed): string | null {
  if (repository) return [...repository.owner, repository.name].join('/')
  const address = originUrl ? webAddress(originUrl) : null
  return address && new URL(address).pathname.slice(1)
}

/** Its commit and dates are for those who may read it. */
function withoutDetails({ name, trouble }: OtherRepository): OtherRepository {
  const said = trouble === null ? null : 'it could not be read as it is now'
  return { name, commit: null, committedAt: null, fetchedAt: null, trouble: said }
}

type Asked = Pick<OpenWorkspace, 'readable' | 'provider'> & {
  find: UsesIndex['find']
  parts: WorkspaceParts
  companions: Companions | undefined
}

async function usesIn(
  { readable, find, parts, provider, companions }: Asked,
  found: readonly KindBreaks[],
): Promise<ReadonlyMap<Break, FoundUses>> {
  const names = readable.map(({ member }) => member.name)
  const paths: (UsePath & Pick<KindBreaks, 'kind'>)[] = []
  for (const { kind, breaks } of found)
    for (const use of await find(kind.kind, wantedOf(breaks), names)) paths.push({ ...use, kind })
  const byRepository = Map.groupBy(paths, ({ repository }) => repository)
  const all = new Map<Break, { uses: OtherUse[]; withheld: WithheldUses[] }>()
  for (const { member, at, shown } of readable) {
    const own = byRepository.get(member.name)
    if (!own) continue
    const pathsOf = (kind: KindBreaks['kind']) => own.flatMap((use) => (use.kind === kind ? [use.path] : []))
    const page = pageOf(member, at, parts)
    const branch = await openMember(member.folder, parts, at.commit)
    try {
      const brokenIn = (snapshot: RepoSnapshot, also: readonly string[]) => {
        const allOf = (kind: KindBreaks['kind']) => [
          ...pathsOf(kind),
          ...also.filter((path) => kind.mayUse(path)),
        ]
        return findBrokenUses(found, allOf, snapshot, parts.facts, provider)
      }
      if (!(await readOwnWords(branch.snapshot)).mayNeed(provider)) continue
      const broken = await brokenIn(branch.snapshot, [])
      const settled =
        shown === 'whole' && companions ? await companions.settling(member, branch, broken, brokenIn) : null
      const toShown = (use: BrokenUse): OtherUse => ({ ...toUse(use, at, page), ...settled?.(use) })
      for (const [one, uses] of Map.groupBy(broken, (use) => use.broken)) {
        const known = remembered(all, one, () => ({ uses: [], withheld: [] }))
        if (shown === 'whole') known.uses.push(...uses.map(toShown))
        else known.withheld.push(withheldOf(uses, at))
      }
    } finally {
      await branch.close()
    }
  }
  return all
}

function wantedOf(breaks: readonly Break[]): WantedUses {
  const exact = breaks.flatMap((one) => one.exact ?? [])
  const isExact = breaks.every((one) => one.exact !== undefined)
  return { keys: [...new Set(breaks.flatMap(({ keys }) => keys))], names: isExact ? exact : null }
}

function withheldOf(uses: readonly BrokenUse[], { label }: ReadRepository): WithheldUses {
  return { repository: label, uses: uses.length, confidence: surestOf(uses) }
}

/** Where a browser shows it. A folder says itself where it is from, so only a host that is known is believed. */
function pageOf(
  { hosted }: Member,
  { originUrl }: ReadRepository,
  parts: WorkspaceParts,
): RepositoryPlace | null {
  if (hosted) return placeNow(hosted)
  const address = originUrl === null ? null : webAddress(originUrl)
  try {
    return address === null ? null : placeOf(address, parts)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function toUse(
  { use, confidence, text, pin }: BrokenUse,
  { commit, tree, label }: ReadRepository,
  page: RepositoryPlace | null,
): OtherUse {
  const { path, line, endLine } = use
  const revision = { commit, tree }
  const sides = { base: revision, head: revision }
  const links = page && linksAt(repositoryUrl(page), sides, page.kind)
  return {
    ...{ path, line, endLine, repository: label, commit },
    url: links?.({ path, side: 'new', startLine: line, endLine }) ?? null,
    ...{ name: use.name.slice(0, 300), how: use.how.slice(0, 300), confidence, text, pin },
  }
}
