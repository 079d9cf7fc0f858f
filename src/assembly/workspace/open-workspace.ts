/** The other repositories of a workspace, brought up to date in the index, and asked who uses something. */
import type { FactStore } from '../../code-index/contract.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { OtherRepository, OtherUse } from '../../domain/workspace.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import { linksAt } from '../../pipeline/publish/links.ts'
import type { Break } from '../../workspace/contract.ts'
import type { KindBreaks } from '../../workspace/find-breaks.ts'
import { type BrokenUse, findBrokenUses } from '../../workspace/find-uses.ts'
import { openUsesIndex, type ReadRepository, type UsePath } from '../../workspace/uses-index.ts'
import {
  isReviewed,
  type Member,
  openMember,
  refreshMember,
  type WorkspaceParts,
  webAddress,
} from './members.ts'

export type OpenWorkspace = {
  readonly repositories: readonly OtherRepository[]
  /** By break, in the order of the settings, then by path and line. Only repositories that the index names are opened. */
  usesOf(found: readonly KindBreaks[]): Promise<ReadonlyMap<Break, readonly OtherUse[]>>
  close(): void
}

/** `branch`: the one that the change is on; its companions in other repositories are called the same. */
export type Reviewed = Pick<CollectedChange, 'repositoryLabel' | 'request' | 'branch'>

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
    let provider = nameOnHost(reviewed)
    for (const member of members) {
      const last = known.get(member.name) ?? null
      if (isReviewed(member, last, reviewed)) {
        provider ??= last?.originUrl ? last.label : null
        continue
      }
      const { repository, at } = await refreshMember(member, last, index, parts, mostFilesRefreshed)
      repositories.push(repository)
      if (at) readable.push({ member, at })
    }
    return {
      repositories,
      usesOf: async (found) =>
        await usesIn(readable, found, index.find, parts, provider, (await reviewed.branch?.()) ?? null),
      close: () => index.close(),
    }
  } catch (error) {
    index.close()
    throw error
  }
}

function nameOnHost({ request: { repository } }: Pick<CollectedChange, 'request'>): string | null {
  return repository ? [...repository.owner, repository.name].join('/') : null
}

type Readable = { member: Member; at: ReadRepository }
type Find = ReturnType<typeof openUsesIndex>['find']

async function usesIn(
  readable: readonly Readable[],
  found: readonly KindBreaks[],
  find: Find,
  parts: WorkspaceParts,
  provider: string | null,
  branchName: string | null,
): Promise<ReadonlyMap<Break, readonly OtherUse[]>> {
  const names = readable.map(({ member }) => member.name)
  const paths: (UsePath & Pick<KindBreaks, 'kind'>)[] = []
  for (const { kind, breaks } of found)
    for (const use of await find(kind.kind, [...new Set(breaks.flatMap(({ keys }) => keys))], names))
      paths.push({ ...use, kind })
  const byRepository = Map.groupBy(paths, ({ repository }) => repository)
  const uses = new Map<Break, OtherUse[]>()
  for (const { member, at } of readable) {
    const own = byRepository.get(member.name)
    if (!own) continue
    const pathsOf = (kind: KindBreaks['kind']) => own.flatMap((use) => (use.kind === kind ? [use.path] : []))
    const branch = await openMember(member.folder, parts, at.commit)
    try {
      const broken = await findBrokenUses(found, pathsOf, branch.snapshot, parts.facts, provider)
      const companion = branchName !== null && broken.length > 0 ? await branch.branch(branchName) : null
      const isSettled =
        companion && companion.commit !== at.commit
          ? await settledOn(companion.snapshot, at.tree, found, pathsOf, parts.facts, provider)
          : () => false
      for (const use of broken)
        uses.set(use.broken, [
          ...(uses.get(use.broken) ?? []),
          { ...toUse(use, at), ...(branchName !== null && isSettled(use) ? { settledOn: branchName } : {}) },
        ])
    } finally {
      await branch.close()
    }
  }
  return uses
}

/** Paths that a companion may change; one that changes more is not compared. */
const mostCompared = 2_000

/** Which of the broken uses are gone on the other branch, wherever it moved them. */
async function settledOn(
  snapshot: RepoSnapshot,
  tree: string,
  found: readonly KindBreaks[],
  pathsOf: (kind: KindBreaks['kind']) => readonly string[],
  facts: FactStore,
  provider: string | null,
): Promise<(use: BrokenUse) => boolean> {
  const changes = await snapshot.changesSince?.(tree, mostCompared)
  if (!changes) return () => false
  const changed = changes.flatMap(({ after }) => (after ? [after.path] : []))
  const allOf = (kind: KindBreaks['kind']) => [
    ...pathsOf(kind),
    ...changed.filter((path) => kind.mayUse(path)),
  ]
  const left = await findBrokenUses(found, allOf, snapshot, facts, provider)
  const broken = new Set(left.map(({ broken }) => broken))
  return (use) => !broken.has(use.broken)
}

function toUse(
  { use, confidence, text, pin }: BrokenUse,
  { commit, tree, label, originUrl }: ReadRepository,
): OtherUse {
  const { path, line, endLine } = use
  const [revision, address] = [{ commit, tree }, originUrl === null ? null : webAddress(originUrl)]
  const links = address === null ? null : linksAt(address, { base: revision, head: revision })
  return {
    ...{ path, line, endLine, repository: label, commit },
    url: links?.({ path, side: 'new', startLine: line, endLine }) ?? null,
    ...{ name: use.name.slice(0, 300), how: use.how.slice(0, 300), confidence, text, pin },
  }
}
