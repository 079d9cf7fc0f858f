/** A use in another repository as evidence. */
import { count } from '../base/count.ts'
import { visibleLine } from '../base/visible-text.ts'
import type { EvidenceDraft } from './evidence.ts'
import type { OtherUse, WithheldUses } from './workspace.ts'

export function otherUseEvidence({ name, text, ...use }: OtherUse): EvidenceDraft {
  const { repository, commit, path, line, endLine, url } = use
  return {
    source: 'workspace',
    trust: 'foreign',
    title: `use of \`${name.slice(0, 80).replaceAll('`', "'")}\` in ${repository} at ${path}:${line}`,
    path: null,
    blob: null,
    side: null,
    startLine: null,
    endLine: null,
    text,
    elsewhere: { repository, commit, path, line, endLine, url },
  }
}

/** Of which no more may be said than how many there are. */
export function withheldEvidence({ repository, uses }: WithheldUses): EvidenceDraft {
  const name = visibleLine(repository)
  return {
    ...{ source: 'tool', trust: 'foreign', title: `uses in ${name}`, text: `${name}: ${count(uses, 'use')}` },
    ...{ path: null, blob: null, side: null, startLine: null, endLine: null },
  }
}
