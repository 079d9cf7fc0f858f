/**
 * What the other repositories of the workspace use of what a change breaks and touches, found while it is collected and frozen
 * in the request. Only the operator's settings say which repositories those are.
 */
import { redactStrings } from '../../base/secrets/redact.ts'
import type { FactStore } from '../../code-index/contract.ts'
import { type ChangeSet, pathOn } from '../../domain/change-set.ts'
import type { SharedBreak } from '../../domain/shared-contract.ts'
import type { OtherUse, WithheldUses, WorkspaceView } from '../../domain/workspace.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import { writesWithin } from '../../pipeline/planes/changed-lines.ts'
import type { Break } from '../../workspace/contract.ts'
import {
  type ChangedSides,
  findBreaks,
  findTouched,
  type KindBreaks,
  readableSide,
} from '../../workspace/find-breaks.ts'
import { findCompanions } from './companions.ts'
import type { WorkspaceParts } from './contract.ts'
import { membersOf } from './members.ts'
import { type FoundUses, openWorkspace } from './open-workspace.ts'
import { readOwnWords } from './own-words.ts'

/** Uses of one contract that are told; the others are counted. */
const mostUses = 20

/** `readDiff`: where what is touched shall be told too; null tells only what is broken. */
export async function withWorkspace(
  change: CollectedChange,
  parts: WorkspaceParts,
  readDiff: (() => Promise<ChangeSet>) | null,
): Promise<CollectedChange> {
  if (change.request.workspace || parts.settings.workspace.repositories.length === 0) return change
  const workspace = redactStrings(await readWorkspace(change, parts, readDiff))
  return { ...change, request: { ...change.request, workspace } }
}

async function readWorkspace(
  change: CollectedChange,
  parts: WorkspaceParts,
  readDiff: (() => Promise<ChangeSet>) | null,
): Promise<WorkspaceView> {
  const sides = await sidesOf(change, parts.facts)
  const { kinds } = await readOwnWords(change.base)
  const broken = await findBreaks(sides, kinds)
  const touched = readDiff === null ? [] : await findTouched(sides, isChangedIn(await readDiff()), kinds)
  const companions = await findCompanions(change, parts)
  const nothing = { repositories: [], hidden: 0, breaks: [], touched: [], companions: [] }
  // Nothing that others could use is different: they need not be opened.
  if (broken.length + touched.length === 0 && companions.isEmpty) return nothing
  const workspace = await openWorkspace(membersOf(parts), parts, change)
  try {
    const uses = await workspace.usesOf([...broken, ...touched], companions)
    const breaks = used(broken, uses).map(({ one, ...rest }) => ({ ...plainBreak(one), ...rest }))
    const told = new Set(breaks.map(({ kind, name }) => `${kind} ${name}`))
    const found = await companions.tell({ ...sides, name: workspace.provider }, workspace.readable)
    // What only seemed to belong to it is no reason to name repositories.
    if (broken.length + touched.length + found.length === 0) return nothing
    return {
      ...{ repositories: [...workspace.repositories], hidden: workspace.hidden },
      breaks,
      touched: used(touched, uses).flatMap(({ one: { kind, name, before }, ...rest }) =>
        before === null || told.has(`${kind} ${name}`)
          ? []
          : [{ kind, name: name.slice(0, 300), place: before, ...rest }],
      ),
      companions: found,
    }
  } finally {
    workspace.close()
  }
}

async function sidesOf(change: CollectedChange, facts: FactStore): Promise<ChangedSides> {
  const { files } = await change.diff()
  return {
    base: readableSide(change.base, facts),
    head: readableSide(change.head, facts),
    before: files.flatMap((file) => (file.status === 'A' ? [] : [pathOn('old', file)])),
    after: files.flatMap(({ status, path }) => (status === 'D' ? [] : [path])),
  }
}

function isChangedIn({ files }: ChangeSet): (path: string, line: number, endLine: number) => boolean {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return (path, line, endLine) => {
    const file = byPath.get(path)
    return file !== undefined && writesWithin(file, line, endLine)
  }
}

type Used = { one: Break; uses: OtherUse[]; withheld: WithheldUses[]; more: number }

/** A contract without users is left out. */
function used(breaks: readonly KindBreaks[], found: ReadonlyMap<Break, FoundUses>): Used[] {
  return breaks
    .flatMap((kind) => kind.breaks)
    .flatMap((one) => {
      const { uses, withheld } = found.get(one) ?? { uses: [], withheld: [] }
      const shown = uses.slice(0, mostUses)
      return uses.length + withheld.length === 0
        ? []
        : [{ one, uses: shown, withheld: [...withheld], more: uses.length - shown.length }]
    })
}

function plainBreak({ kind, name, how, renamedTo, what, before, after }: Break): SharedBreak {
  const plain = { kind, name: name.slice(0, 300), how, what: what.slice(0, 400), before, after }
  return renamedTo === undefined ? plain : { ...plain, renamedTo: renamedTo.slice(0, 300) }
}
