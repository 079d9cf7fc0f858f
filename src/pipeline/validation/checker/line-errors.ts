/** A checker's errors on lines of the head, and whether a line without errors proves anything. */
import { type ChangeSet, pathOn } from '../../../domain/change-set.ts'
import { lineAcross } from '../../../domain/diff-lines.ts'
import type { Sources } from '../sources.ts'
import type { Checker, Problem, Problems } from './contract.ts'

export type CheckerContext = { checker: Checker; sources: Sources }

/** A line with more names is not decided. */
const mostNames = 16

/** Comments that suppress a checker's errors, for the lines around them or for the whole file. */
const suppressedOnLine = /@ts-(?:ignore|expect-error)|type:\s*ignore|pyright:\s*ignore/
const suppressedInFile = /@ts-nocheck|#\s*pyright:\s*(?!ignore)|^\s*#\s*type:\s*ignore/

/** Errors on these lines, except for what is only missing here. One that spans many lines is about none of them. */
export function errorsOn({ problems }: Problems, startLine: number, endLine = startLine): Problem[] {
  return problems.filter(
    (one) => !one.isAbsence && one.line <= endLine && one.endLine >= startLine && one.endLine - one.line < 10,
  )
}

/** Whether the checker reported the same error on the same line before the change. */
export async function existedBefore(
  { checker, sources }: CheckerContext,
  problem: Problem,
): Promise<boolean> {
  const before = baseLineOf(sources.change, problem.path, problem.line)
  const report = before && (await checker.problems('old', before.path))
  return (
    report?.problems.some(
      ({ line, code, messageId }) =>
        line === before?.line && code === problem.code && messageId === problem.messageId,
    ) ?? false
  )
}

/**
 * Where a line of the head was before the change. Null for a line, or a file, that the change added, and for a file whose
 * hunks are not all known.
 */
export function baseLineOf(
  { files }: ChangeSet,
  path: string,
  line: number,
): { path: string; line: number } | null {
  const file = files.find((one) => one.path === path)
  if (!file) return { path, line }
  const number = file.status === 'added' ? null : lineAcross(file, 'new', line)
  return number === null ? null : { path: pathOn('old', file), line: number }
}

/** Whether it would have reported an error: no comment suppresses it, and it knows the type of every name on the line. */
export async function wouldReport(
  { checker, sources }: CheckerContext,
  path: string,
  line: number,
): Promise<boolean> {
  const facts = await sources.facts('new', path)
  if (!facts || (await isSuppressed(sources, path, line))) return false
  const columns = new Set(facts.references.flatMap((ref) => (ref.line === line ? [ref.column] : [])))
  if (columns.size > mostNames) return false
  for (const column of columns) {
    const type = await checker.type({ path, line, column })
    if (!type?.isKnown) return false
  }
  return true
}

export async function isSuppressed(sources: Sources, path: string, line: number): Promise<boolean> {
  const lines = (await sources.lines('new', path)) ?? []
  return (
    lines.slice(Math.max(0, line - 2), line).some((text) => suppressedOnLine.test(text)) ||
    lines.some((text) => suppressedInFile.test(text))
  )
}
