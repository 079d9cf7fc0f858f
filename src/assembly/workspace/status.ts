/** What the index of the workspace has of each repository, and how it is brought up to date. */
import type { OtherRepository } from '../../domain/workspace.ts'
import { openUsesIndex } from '../../workspace/uses-index.ts'
import { type Member, membersOf, peekMember, refreshMember, type WorkspaceParts } from './members.ts'

/** `entry`: as the settings have it. `trouble` names what is wrong, or that it was not read yet. */
export type MemberStatus = OtherRepository & { entry: string; folder: string }

/** Without reading any repository. */
export function workspaceStatus(parts: WorkspaceParts): Promise<MemberStatus[]> {
  return eachMember(parts, 0)
}

/** Reads what is new of all repositories. `onRead` hears of each when it is done. */
export function updateWorkspace(
  parts: WorkspaceParts,
  onRead: (status: MemberStatus) => void,
): Promise<MemberStatus[]> {
  return eachMember(parts, Number.POSITIVE_INFINITY, onRead)
}

async function eachMember(
  parts: WorkspaceParts,
  most: number,
  onRead: (status: MemberStatus) => void = () => {},
): Promise<MemberStatus[]> {
  const members: Member[] = membersOf(parts)
  if (members.length === 0) return []
  const index = openUsesIndex(parts.folders.cache)
  try {
    const known = new Map((await index.repositories()).map((one) => [one.name, one]))
    const found: MemberStatus[] = []
    for (const member of members) {
      const last = known.get(member.name) ?? null
      const { repository } =
        most === 0 ? peekMember(member, last) : await refreshMember(member, last, index, parts, most)
      const status = { ...repository, entry: member.name, folder: member.folder }
      onRead(status)
      found.push(status)
    }
    return found
  } finally {
    index.close()
  }
}
