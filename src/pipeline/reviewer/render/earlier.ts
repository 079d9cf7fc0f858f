/** What a review of an earlier head of the same change found, as evidence for the questions of this one. */
import { type PromptFile, readPrompt } from '../../../base/package-root.ts'
import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import type { Finding } from '../../../domain/finding.ts'
import type { KnownBefore } from '../contract.ts'

const most = 60

export function earlierPrompt(): PromptFile {
  return readPrompt('earlier', 1)
}

/** For a question about `paths`; null when nothing was found then. */
export function renderEarlier(
  known: Pick<KnownBefore, 'files' | 'findings'> | null,
  paths: ReadonlySet<string>,
  fence: Fence,
): string | null {
  if (!known || known.findings.length === 0) return null
  const here = known.findings.filter(({ anchor }) => paths.has(anchor.path))
  // What was found in other files that are asked about is for their own question.
  const elsewhere = known.findings.filter(({ anchor }) => known.files.has(anchor.path))
  const lists = [
    list('In files that you review now', here, fence),
    list('In other files', elsewhere, fence),
  ].flatMap((text) => text ?? [])
  return lists.length === 0 ? null : [earlierPrompt().text, ...lists].join('\n\n')
}

function list(heading: string, findings: readonly Finding[], fence: Fence): string | null {
  if (findings.length === 0) return null
  const lines = findings
    .slice(0, most)
    .map(({ anchor, startLine, severity, title }) => `${anchor.path}:${startLine} (${severity}) ${title}`)
  const left = findings.length - lines.length
  if (left > 0) lines.push(`(and ${left} more)`)
  return `${heading}:\n${fence.render(new Untrusted('findings of an earlier review', lines.join('\n')))}`
}
