/**
 * Open changes of other repositories that have the other half of the reviewed one: on hosts the change requests that are kept
 * since the last fetch, in folders the branch of the same name. Those that its author means count as the other side.
 */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { CompanionChange, FoundBy, OtherUse } from '../../domain/workspace.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import type { DefaultBranch } from '../../hosts/local/default-branch.ts'
import { parseAddress } from '../../hosts/remote/addresses.ts'
import { changeKeys, isChangeOf, keysToAsk, selfKey } from '../../workspace/change-keys.ts'
import type { Break } from '../../workspace/contract.ts'
import { type Half, needOf } from '../../workspace/dependence.ts'
import { readableSide } from '../../workspace/find-breaks.ts'
import type { BrokenUse } from '../../workspace/find-uses.ts'
import { type KeptChange, openUsesIndex } from '../../workspace/uses-index.ts'
import { knownHosts } from '../open-host.ts'
import type { Member, Readable, WorkspaceParts } from './contract.ts'
import { openMember } from './members.ts'

export type Companions = {
  /** No open change is known that could be one, apart from what changes the uses themselves. */
  isEmpty: boolean
  /**
   * Which uses in a member are no longer broken, and where. `brokenIn`: those on another commit, wherever these paths have moved
   * them. What changes such uses without being known yet is one of them from now on.
   */
  settling(
    member: Member,
    branch: DefaultBranch,
    broken: readonly BrokenUse[],
    brokenIn: (snapshot: RepoSnapshot, also: readonly string[]) => Promise<readonly BrokenUse[]>,
  ): Promise<(use: BrokenUse) => Settled>
  /** Those of which something may be said, with when each is to be merged. */
  tell(own: Half, readable: readonly Readable[]): Promise<CompanionChange[]>
}

type Settled = Pick<OtherUse, 'settledOn' | 'settledBy'>

type Candidate = { change: KeptChange; foundBy: FoundBy }

/** Of one repository, and of all. */
const mostOfOne = 3
const mostTold = 10
/** Open changes whose commits are read to see whether they change a use. */
const mostLookedInto = 10
/** Paths that a companion may change; one that changes more is not compared. */
const mostCompared = 2_000

export async function findCompanions(change: CollectedChange, parts: WorkspaceParts): Promise<Companions> {
  const branchName = (await change.branch?.()) ?? null
  const index = openUsesIndex(parts.folders.cache)
  const byMember = await candidatesFor(change, branchName, index, parts).finally(() => index.close())
  return {
    isEmpty: byMember.size === 0,
    async settling(member, branch, broken, brokenIn) {
      if (broken.length === 0) return () => ({})
      const known = byMember.get(member.name) ?? []
      const sides = await takenSides(known, branch, branchName)
      const settled: { left: ReadonlySet<Break>; where: Settled }[] = []
      for (const { snapshot, where } of sides) {
        const left = await leftOn(snapshot, branch, brokenIn)
        if (left) settled.push({ left, where })
      }
      const more = await byContent(member, known, branch, broken, brokenIn, parts)
      if (more.length > 0) byMember.set(member.name, [...known, ...more])
      return (use) => settled.find(({ left }) => !left.has(use.broken))?.where ?? {}
    },
    async tell(own, readable) {
      const told: CompanionChange[] = []
      for (const one of readable) {
        const candidates = one.shown === 'whole' ? byMember.get(one.member.name) : undefined
        if (candidates) told.push(...(await tellOf(own, one, candidates.slice(0, mostOfOne), parts)))
      }
      return told.slice(0, mostTold)
    },
  }
}

/** By member, the surest first. */
async function candidatesFor(
  { request }: CollectedChange,
  branch: string | null,
  index: ReturnType<typeof openUsesIndex>,
  parts: WorkspaceParts,
): Promise<Map<string, Candidate[]>> {
  const { title, body, changeRequest } = request
  const hosts = knownHosts(parts)
  const at = changeRequest ? parseAddress(changeRequest.url, hosts) : null
  const asked = keysToAsk(at && selfKey(at), changeKeys({ title, body, branch }, at, hosts))
  const all = await index.changesWith(asked.map(([key]) => key))
  const found = at ? all.filter(({ change }) => !isChangeOf(change, at)) : all
  const rank = (keys: readonly string[]) => asked.findIndex(([key]) => keys.includes(key))
  const sorted = found.toSorted((a, b) => rank(a.change.keys) - rank(b.change.keys))
  const byMember = new Map<string, Candidate[]>()
  for (const { repository, change } of sorted) {
    const [, foundBy = 'ticket'] = asked[rank(change.keys)] ?? []
    byMember.set(repository, [...(byMember.get(repository) ?? []), { change, foundBy }])
  }
  return byMember
}

/** A stranger may call a branch of a fork as they like, and link to whatever they like. */
function isTaken({ change: { isFork }, foundBy }: Candidate): boolean {
  return foundBy === 'link' || (foundBy === 'branch' && !isFork)
}

type Side = { snapshot: RepoSnapshot; where: Settled }

async function takenSides(
  candidates: readonly Candidate[],
  branch: DefaultBranch,
  branchName: string | null,
): Promise<Side[]> {
  const sides: Side[] = []
  for (const { change } of candidates.filter(isTaken)) {
    const read = change.head === null ? null : await branch.readCommit(change.head)
    const where = { settledOn: change.branch.slice(0, 300), settledBy: change.name }
    if (read) sides.push({ snapshot: read.snapshot, where })
  }
  const same = branchName === null ? null : await branch.branch(branchName)
  if (same && branchName !== null && same.commit !== branch.commit)
    sides.push({ snapshot: same.snapshot, where: { settledOn: branchName } })
  return sides
}

/** What is still broken there; null where that was not looked up. */
async function leftOn(
  snapshot: RepoSnapshot,
  { snapshot: { tree } }: DefaultBranch,
  brokenIn: Parameters<Companions['settling']>[3],
): Promise<ReadonlySet<Break> | null> {
  const changes = await snapshot.changesSince?.(tree, mostCompared)
  if (!changes) return null
  const changed = changes.flatMap(({ after }) => (after ? [after.path] : []))
  return new Set((await brokenIn(snapshot, changed)).map(({ broken }) => broken))
}

/** Others that change a file with a broken use, and after which one of these is gone. */
async function byContent(
  { name }: Member,
  known: readonly Candidate[],
  branch: DefaultBranch,
  broken: readonly BrokenUse[],
  brokenIn: Parameters<Companions['settling']>[3],
  { folders }: WorkspaceParts,
): Promise<Candidate[]> {
  const index = openUsesIndex(folders.cache)
  const open = await index.changesOf(name).finally(() => index.close())
  const numbers = new Set(known.map(({ change: { number } }) => number))
  const places = new Set(broken.map(({ use: { path } }) => path))
  const near = open.filter(
    ({ number, paths }) => !numbers.has(number) && paths.some((path) => places.has(path)),
  )
  const found: Candidate[] = []
  for (const change of near.slice(0, mostLookedInto)) {
    const read = change.head === null ? null : await branch.readCommit(change.head)
    const left = read && (await leftOn(read.snapshot, branch, brokenIn))
    const isGone = ({ broken, use: { path } }: BrokenUse) => change.paths.includes(path) && !left?.has(broken)
    if (left && broken.some(isGone)) found.push({ change, foundBy: 'content' })
  }
  return found
}

async function tellOf(
  own: Half,
  { member, at }: Readable,
  candidates: readonly Candidate[],
  parts: WorkspaceParts,
): Promise<CompanionChange[]> {
  const branch = await openMember(member.folder, parts, at.commit)
  try {
    const told: CompanionChange[] = []
    for (const candidate of candidates) {
      const { change, foundBy } = candidate
      const other = await halfOf(change, branch, at.label, parts)
      const { merge, reasons } = other
        ? await orderOf(own, other, parts)
        : ({ merge: null, reasons: [] } as const)
      // What shares a ticket or a name only is named for a reason.
      if (reasons.length === 0 && foundBy !== 'link') continue
      const { name, url, head } = change
      told.push({
        ...{ repository: at.label, name, url, head, foundBy },
        ...{ isTaken: isTaken(candidate) && other !== null, merge, reasons: [...reasons] },
      })
    }
    return told
  } finally {
    await branch.close()
  }
}

/** Compared with the default branch as it is now, in the files that it changes itself. */
async function halfOf(
  { head, paths }: KeptChange,
  branch: DefaultBranch,
  label: string,
  { facts }: WorkspaceParts,
): Promise<Half | null> {
  const read = head === null ? null : await branch.readCommit(head)
  const changes = await read?.snapshot.changesSince?.(branch.snapshot.tree, mostCompared)
  if (!read || !changes) return null
  const own = new Set(paths)
  const changed = changes.map(({ path }) => path).filter((path) => own.has(path))
  return {
    base: readableSide(branch.snapshot, facts),
    head: readableSide(read.snapshot, facts),
    ...{ before: changed, after: changed, name: label },
  }
}

async function orderOf(
  own: Half,
  other: Half,
  { facts }: WorkspaceParts,
): Promise<Pick<CompanionChange, 'merge' | 'reasons'>> {
  const theirs = await needOf(other, own, facts)
  const ours = await needOf(own, other, facts)
  const isBefore = theirs.stops.length + ours.begins.length > 0
  const isAfter = theirs.begins.length + ours.stops.length > 0
  return {
    merge: isBefore && isAfter ? 'together' : isBefore ? 'before' : isAfter ? 'after' : null,
    reasons: [
      ...reason(theirs.stops, (names) => `it no longer uses ${names}, which this change takes away`),
      ...reason(ours.begins, (names) => `this change uses ${names}, which only it provides`),
      ...reason(theirs.begins, (names) => `it uses ${names}, which only this change provides`),
      ...reason(ours.stops, (names) => `this change no longer uses ${names}, which it takes away`),
    ],
  }
}

const mostNamed = 3

function reason(breaks: readonly Break[], say: (names: string) => string): string[] {
  const names = [...new Set(breaks.map(({ name }) => `\`${name.replaceAll('`', "'").slice(0, 80)}\``))]
  if (names.length === 0) return []
  const rest = names.length - mostNamed
  return [say([...names.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])].join(', '))]
}
