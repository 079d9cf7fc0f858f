/** What the index of the workspace has of each repository, and how it is brought up to date. */
import type { OtherRepository } from '../../domain/workspace.ts'
import { openUsesIndex } from '../../workspace/uses-index.ts'
import { isHosted, type WorkspaceParts } from './contract.ts'
import { keepProvided } from './graph.ts'
import { keepOnly, updateHosted } from './hosted-members.ts'
import { memberOf, membersOf, peekMember, refreshMember } from './members.ts'

/** `entry`: as the settings have it. `trouble` names what is wrong, or that it was not read yet. */
export type MemberStatus = OtherRepository & { entry: string; folder: string }

/** Without reading any repository. */
export async function workspaceStatus(parts: WorkspaceParts): Promise<MemberStatus[]> {
  if (parts.settings.workspace.repositories.length === 0) return []
  return await eachMember(parts)
}

/**
 * Fetches those that are on a host, reads what is new of all repositories, and forgets what the settings no longer have. `onRead`
 * hears of each that was read. `only`: the one entry that is read now. `isWhole`: who uses what they provide is worked out, too,
 * which takes seconds for each.
 */
export async function updateWorkspace(
  parts: WorkspaceParts,
  onRead: (status: MemberStatus) => void,
  { only = null, isWhole = false }: { only?: string | null; isWhole?: boolean } = {},
): Promise<MemberStatus[]> {
  const found = await eachMember(parts, onRead, only)
  for (const { entry, name, commit } of isWhole ? found : [])
    if (commit !== null) await keepProvided(memberOf(entry, parts), name, parts)
  return found
}

async function eachMember(
  parts: WorkspaceParts,
  onRead: ((status: MemberStatus) => void) | null = null,
  only: string | null = null,
): Promise<MemberStatus[]> {
  const members = membersOf(parts)
  const index = openUsesIndex(parts.folders.cache)
  try {
    if (onRead) await keepOnly(members, index, parts.folders.cache)
    const found: MemberStatus[] = []
    for (const one of members) {
      if (only !== null && one.name !== only) continue
      if (onRead && isHosted(one)) await updateHosted(one, index, parts)
      const member = onRead ? memberOf(one.name, parts) : one
      const known = await index.repository(one.name)
      const { repository } = onRead
        ? await refreshMember(member, known, index, parts, Number.POSITIVE_INFINITY)
        : await peekMember(member, known)
      const status = { ...repository, entry: member.name, folder: member.folder }
      onRead?.(status)
      found.push(status)
    }
    return found
  } finally {
    index.close()
  }
}
