/** Who provides what to whom: worked out when the workspace is read, and kept in its index. */
import type { OtherUse, ProvidedContract, WorkspaceGraph } from '../../domain/workspace.ts'
import { findTouched, readableSide } from '../../workspace/find-breaks.ts'
import { openUsesIndex } from '../../workspace/uses-index.ts'
import type { Member, WorkspaceParts } from './contract.ts'
import { membersOf, openMember, peekMember } from './members.ts'
import { openWorkspace } from './open-workspace.ts'
import { readOwnWords } from './own-words.ts'

/** Contracts of one repository that are kept, those with users first. */
const mostKept = 2_000

/** As it was worked out last; of repositories that the settings name, and of their users among these. */
export async function readWorkspaceGraph(
  parts: Pick<WorkspaceParts, 'settings' | 'environment' | 'folders'>,
): Promise<WorkspaceGraph> {
  const members = membersOf(parts)
  if (members.length === 0) return { repositories: [], contracts: [] }
  const index = openUsesIndex(parts.folders.cache)
  try {
    const known = new Map((await index.repositories()).map((one) => [one.name, one]))
    const read = await Promise.all(
      members.map((member) => peekMember(member, known.get(member.name) ?? null)),
    )
    const repositories = read.map(({ repository }) => repository)
    const names = new Set(repositories.map(({ name }) => name))
    const contracts = (await index.provided()).flatMap(({ users, ...one }) =>
      names.has(one.provider)
        ? [{ ...one, users: users.filter(({ repository }) => names.has(repository)) }]
        : [],
    )
    return { repositories, contracts }
  } finally {
    index.close()
  }
}

/** Of one repository that was read: everything it provides, as if all of it were removed. */
export async function keepProvided(member: Member, provider: string, parts: WorkspaceParts): Promise<void> {
  const branch = await openMember(member.folder, parts)
  try {
    const after = (await branch.snapshot.list()).map(({ path }) => path)
    const { kinds } = await readOwnWords(branch.snapshot)
    const side = { head: readableSide(branch.snapshot, parts.facts), after }
    const found = await findTouched(side, () => true, kinds)
    const others = membersOf(parts).filter(({ name }) => name !== member.name)
    const reviewed = { repositoryLabel: member.folder, request: {} }
    const workspace = await openWorkspace(others, parts, reviewed)
    try {
      const uses = await workspace.usesOf(found)
      const contracts = found.flatMap(({ breaks }) =>
        breaks.flatMap((one): ProvidedContract[] => {
          const { kind, name, before } = one
          if (before === null) return []
          const { path, line } = before
          return [
            {
              kind,
              name: name.slice(0, 300),
              provider,
              path,
              line,
              users: usersOf(uses.get(one)?.uses ?? []),
            },
          ]
        }),
      )
      // A package and its main entry point have one name.
      const byName = [...Map.groupBy(contracts, ({ kind, name }) => `${kind} ${name}`).values()]
      const ranked = byName
        .flatMap(([first]) => first ?? [])
        .toSorted((a, b) => b.users.length - a.users.length)
      const index = openUsesIndex(parts.folders.cache)
      await index.keepProvided(member.name, ranked.slice(0, mostKept)).finally(() => index.close())
    } finally {
      workspace.close()
    }
  } finally {
    await branch.close()
  }
}

function usersOf(uses: readonly OtherUse[]): ProvidedContract['users'] {
  return [...Map.groupBy(uses, ({ repository }) => repository)].map(([repository, own]) => ({
    repository,
    uses: own.length,
  }))
}
