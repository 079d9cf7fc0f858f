/**
 * Dismissals that lie in the repository: comments beside the code (`sightline-ignore RULE: reason`), read from the head and
 * counted, since the author of a change writes them; and a file of the team, read from the base, where it was reviewed.
 */
import { z } from 'zod'
import { readYaml } from '../config/read-yaml.ts'
import type { Finding } from '../domain/finding.ts'
import { commentSyntaxOf } from './comment-syntax.ts'

export const teamFile = '.sightline/dismissed.yaml'

/** Whoever could hide a secret by a comment could also publish it. */
const neverIgnored: ReadonlySet<string> = new Set(['secrets'])

const longestReason = 500
const longestLine = 2_000
/** Lines of a comment above a finding. */
const mostAbove = 20

export type IgnoreComment = { rule: string; reason: string; line: number }

/**
 * The comment that speaks of a finding, in the syntax of the file's language: behind one of its lines, or on the lines of
 * comments right above. Null where there is none, or where it has no reason.
 */
export function ignoreCommentFor(finding: Finding, text: string | null): IgnoreComment | null {
  const { rule, plane, side, anchor, startLine, endLine } = finding
  if (text === null || side !== 'new' || neverIgnored.has(plane)) return null
  const syntax = commentSyntaxOf(anchor.path)
  const lines = text.split('\n')
  const at = (line: number) => (lines[line - 1] ?? '').slice(0, longestLine).trimEnd()
  const candidates: number[] = []
  for (let line = startLine - 1; line >= 1 && startLine - line <= mostAbove; line--) {
    if (!syntax.isComment(at(line))) break
    candidates.push(line)
  }
  for (let line = startLine; line <= Math.min(endLine, startLine + 20); line++) candidates.push(line)
  for (const line of candidates) {
    const said = syntax.readIgnore(at(line), line < startLine)
    if (said?.rule === rule) return { rule, reason: said.reason.slice(0, longestReason), line }
  }
  return null
}

export const TeamDismissal = z
  .strictObject({
    rule: z.string().min(1).max(300).optional(),
    paths: z.array(z.string().min(1).max(1000)).min(1).max(100).optional(),
    finding: z
      .string()
      .regex(/^[0-9a-f]{8,16}(?:-\d{1,4})?$/)
      .optional(),
    because: z.string().min(1).max(2000),
    by: z.string().max(200).optional(),
  })
  .refine(({ rule, finding }) => (rule === undefined) !== (finding === undefined), {
    message: 'An entry names either a rule or a finding.',
  })
export type TeamDismissal = z.infer<typeof TeamDismissal>

const TeamFile = z.strictObject({ dismissed: z.array(TeamDismissal).max(10_000) })

/** `problem` says why the file is not used; a fault in it makes no entry count. */
export function readTeamFile(text: string | null): { entries: TeamDismissal[]; problem: string | null } {
  if (text === null) return { entries: [], problem: null }
  const yaml = readYaml(text)
  const [fault] = yaml.problems
  if (fault) return refused(fault.line, fault.message)
  const read = TeamFile.safeParse(yaml.value ?? { dismissed: [] })
  if (read.success) return { entries: read.data.dismissed, problem: null }
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String)
  return refused(yaml.positionOf(path, 'value').line, issue?.message ?? 'It is not valid.')
}

function refused(line: number, message: string) {
  return { entries: [], problem: `${teamFile}, line ${line}: ${message} No entry of it is used.` }
}
