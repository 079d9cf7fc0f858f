/** The lines outside the diff that a finding speaks of: what it quotes of unchanged code, and its claims about it. */
import type { ChangeSet } from '../../../domain/change-set.ts'
import { lineIndexOf } from '../../../domain/diff-lines.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { lastName } from '../claims/names.ts'
import type { Bench } from '../step.ts'
import { foldSpace } from './fold-lines.ts'

/** `line` after the change and `oldLine` before it; `only` when a claim says which name on it counts. */
export type OutsideLine = { path: string; line: number; oldLine: number; only: string | null }

/** Those of claims when there are any: a claim says what it is about, a quote may hold more than that. */
export function outsideLines(candidate: Candidate, { context, evidence }: Bench): OutsideLine[] {
  const claimed = candidate.claims.flatMap((claim) =>
    claim.kind === 'caller-not-updated'
      ? outside(claim.path, claim.line, context.change, lastName(claim.symbol))
      : [],
  )
  if (claimed.length > 0) return claimed
  return candidate.evidence.flatMap(({ evidence: id, quote }) => {
    const item = evidence.get(id)
    if (item?.trust !== 'foreign' || item.side === 'old') return []
    const { path, startLine, source } = item
    if (path === null || startLine === null || (source !== 'file' && source !== 'diff')) return []
    const quoted = new Set(
      quote
        .split('\n')
        .map(foldSpace)
        .filter((line) => line !== ''),
    )
    const holds = (text: string) => [...quoted].some((words) => text.includes(words))
    return item.text
      .split('\n')
      .flatMap((text, at) =>
        holds(foldSpace(text)) ? outside(path, startLine + at, context.change, null) : [],
      )
  })
}

/** Unchanged lines only; an unchanged line of a hunk counts as outside. */
function outside(path: string, line: number, change: ChangeSet, only: string | null): OutsideLine[] {
  const oldLine = lineBefore(path, line, change)
  return oldLine === null ? [] : [{ path, line, oldLine, only }]
}

/** The number that an unchanged line had before the change; null for a changed one. */
function lineBefore(path: string, line: number, change: ChangeSet): number | null {
  const file = change.files.find((one) => one.path === path)
  if (!file) return line
  const shown = lineIndexOf(file).at('new', line)
  if (shown) return shown.line.old
  let shift = 0
  for (const hunk of file.hunks) if (hunk.newStart <= line) shift += hunk.oldLines - hunk.newLines
  return line + shift > 0 ? line + shift : null
}
