/** Above a changed declaration: how many uses of it the change left as they were, as the checks of contracts found them. */
import type { CodeLens, Location, PositionEncodingKind } from 'vscode-languageserver'
import { count } from '../base/count.ts'
import type { Finding } from '../domain/finding.ts'
import { commands } from './command.ts'
import { linesOf } from './diagnostics.ts'
import type { OpenDocument } from './open-documents.ts'
import { Lines } from './positions.ts'

/** A line of the head, from 1. */
export type UsePlace = { path: string; line: number }

/** Claims of the plane about code that still uses what the change took away. */
const stale: ReadonlySet<string> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'call-mismatch',
])

/** In the order of the finding, each place once; empty for a finding about anything else. */
export function staleUses({ plane, claims }: Finding): UsePlace[] {
  if (plane !== 'contract') return []
  const places = claims.flatMap((claim) =>
    stale.has(claim.kind) && 'path' in claim && 'line' in claim
      ? [{ path: claim.path, line: claim.line }]
      : [],
  )
  return [...new Map(places.map((place) => [`${place.path}:${place.line}`, place])).values()]
}

/** Without their commands, which an editor asks for when it shows one. */
export function lensesOf(
  findings: readonly Finding[],
  { uri, text }: OpenDocument,
  encoding: PositionEncodingKind,
): CodeLens[] {
  const found = findings.filter((finding) => staleUses(finding).length > 0)
  if (found.length === 0) return []
  const lines = new Lines(text)
  return found.map((finding) => {
    const [start] = linesOf(finding)
    return { range: lines.rangeOf(start, start, encoding), data: { uri, finding: finding.fingerprint } }
  })
}

/** `locations`: of `staleUses`, for an editor that lists places itself. */
export function withCommand(lens: CodeLens, finding: Finding, locations: readonly Location[]): CodeLens {
  const { uri } = lens.data as { uri: string }
  const areCallers = finding.claims.every(({ kind }) => kind === 'caller-not-updated')
  const title = `${count(locations.length, areCallers ? 'caller' : 'use')} not updated`
  const named = { uri, finding: finding.fingerprint, line: lens.range.start.line, places: locations }
  return { ...lens, command: { title, command: commands.showUses, arguments: [named] } }
}
