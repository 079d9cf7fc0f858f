/** Who in other repositories uses what some lines provide: of the lines of a change by its record, of any line by the index. */

import type { SharedPlace } from '../../domain/shared-contract.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { ElsewhereAnswer, UsesElsewhere, WorkspaceView } from '../../domain/workspace.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import { findTouched, readableSide } from '../../workspace/find-breaks.ts'
import type { WorkspaceParts } from './contract.ts'
import { membersOf } from './members.ts'
import { openWorkspace } from './open-workspace.ts'
import { readOwnWords } from './own-words.ts'

/** What was frozen with the change: of lines that it neither breaks nor touches, nothing is known. */
export function elsewhereOnRecord({ repositories, breaks, touched }: WorkspaceView): UsesElsewhere {
  const known = [
    ...breaks.flatMap(({ name, before, after, uses, more }) =>
      [before, after].flatMap((place) => (place ? [{ name, place, uses, more }] : [])),
    ),
    ...touched,
  ]
  return async (asked) => {
    const near = known.filter(({ place }) => overlaps(place, asked))
    return {
      repositories,
      uses: near.flatMap(({ name, uses }) => uses.map((use) => ({ ...use, of: name }))),
      more: near.reduce((sum, { more }) => sum + more, 0),
    }
  }
}

/** Null where there is no workspace. */
export function elsewhereByIndex(
  head: RepoSnapshot,
  parts: WorkspaceParts,
  asked: Pick<CollectedChange, 'repositoryLabel' | 'request'>,
): UsesElsewhere | null {
  if (parts.settings.workspace.repositories.length === 0) return null
  return async (place): Promise<ElsewhereAnswer> => {
    const isAsked = (path: string, line: number, endLine: number) => overlaps(place, { path, line, endLine })
    const { kinds } = await readOwnWords(head)
    const side = { head: readableSide(head, parts.facts), after: [place.path] }
    const provided = await findTouched(side, isAsked, kinds)
    if (provided.length === 0) return { repositories: [], uses: [], more: 0 }
    const workspace = await openWorkspace(membersOf(parts), parts, asked)
    try {
      const uses = await workspace.usesOf(provided)
      const all = [...uses].flatMap(([{ name }, own]) => own.uses.map((use) => ({ ...use, of: name })))
      const shown = all.slice(0, mostShown)
      return { repositories: workspace.repositories, uses: shown, more: all.length - shown.length }
    } finally {
      workspace.close()
    }
  }
}

const mostShown = 200

function overlaps(one: SharedPlace, other: SharedPlace): boolean {
  return one.path === other.path && one.line <= other.endLine && other.line <= one.endLine
}
