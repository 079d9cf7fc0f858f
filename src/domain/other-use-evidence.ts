/** A use in another repository as evidence. */
import { count } from '../base/count.ts'
import { visibleLine } from '../base/visible-text.ts'
import type { EvidenceDraft } from './evidence.ts'
import { nowhere } from './evidence.ts'
import type { OtherRepository, OtherUse, WithheldUses } from './workspace.ts'

/** Which state of its repository it was read at: `653dfd2 of 2026-11-20`. */
export function readAt(
  { repository, commit }: Pick<OtherUse, 'repository' | 'commit'>,
  repositories: readonly OtherRepository[],
): string {
  const known = repositories.find((one) => one.name === repository && one.commit === commit)
  const day = known?.committedAt ? ` of ${known.committedAt.slice(0, 10)}` : ''
  return `${commit.slice(0, 7)}${day}`
}

export function otherUseEvidence(
  { name, text, ...use }: OtherUse,
  repositories: readonly OtherRepository[],
): EvidenceDraft {
  const { repository, commit, path, line, endLine, url } = use
  return {
    source: 'workspace',
    trust: 'foreign',
    title: `use of \`${name.slice(0, 80).replaceAll('`', "'")}\` in ${repository} at ${path}:${line}, ${readAt(use, repositories)}`,
    ...nowhere,
    text,
    elsewhere: { repository, commit, path, line, endLine, url },
  }
}

/** Of which no more may be said than how many there are. */
export function withheldEvidence({ repository, uses }: WithheldUses): EvidenceDraft {
  const name = visibleLine(repository)
  return {
    ...{ source: 'tool', trust: 'foreign', title: `uses in ${name}`, text: `${name}: ${count(uses, 'use')}` },
    ...nowhere,
  }
}
