/** What a checker says of lines of the head, and what it is worth when it says nothing. */
import type { Sources } from '../sources.ts'
import { baseLineOf } from './base-line.ts'
import type { Checker, Problem, Problems } from './contract.ts'

export type Desk = { checker: Checker; sources: Sources }

/** Names on a line whose types are asked for; a line with more is not judged. */
const mostNames = 16
/** Comments that silence a checker, for the lines around them or for the whole file. */
const hushOnLine = /@ts-(?:ignore|expect-error)|type:\s*ignore|pyright:\s*ignore/
const hushInFile = /@ts-nocheck|#\s*pyright:\s*(?!ignore)|^\s*#\s*type:\s*ignore/

/** Errors that touch these lines, other than for what is missing here only. Those that span much are about no line. */
export function errorsOn({ problems }: Problems, startLine: number, endLine = startLine): Problem[] {
  return problems.filter(
    (one) => !one.isAbsence && one.line <= endLine && one.endLine >= startLine && one.endLine - one.line < 10,
  )
}

/** Whether the checker said the same of the same line before the change. */
export async function stoodBefore({ checker, sources }: Desk, problem: Problem): Promise<boolean> {
  const before = baseLineOf(sources.change, problem.path, problem.line)
  const told = before && (await checker.problems('old', before.path))
  return (
    told?.problems.some(
      ({ line, code, messageId }) =>
        line === before?.line && code === problem.code && messageId === problem.messageId,
    ) ?? false
  )
}

/** Whether it would have told: no comment silences it, and it knows the type of every name on the line. */
export async function wouldTell({ checker, sources }: Desk, path: string, line: number): Promise<boolean> {
  const facts = await sources.facts('new', path)
  if (!facts || (await isHushed(sources, path, line))) return false
  const columns = new Set(facts.references.flatMap((ref) => (ref.line === line ? [ref.column] : [])))
  if (columns.size > mostNames) return false
  for (const column of columns) {
    const told = await checker.type({ path, line, column })
    if (!told?.isKnown) return false
  }
  return true
}

export async function isHushed(sources: Sources, path: string, line: number): Promise<boolean> {
  const lines = (await sources.lines('new', path)) ?? []
  return (
    lines.slice(Math.max(0, line - 2), line).some((text) => hushOnLine.test(text)) ||
    lines.some((text) => hushInFile.test(text))
  )
}
