/** A use in another repository as evidence. */
import type { EvidenceDraft } from './evidence.ts'
import type { OtherUse } from './workspace.ts'

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
