/** Whether a file would still type-check with another text: it must have no error that it had not. */
import type { Checker, Problem, Problems } from './contract.ts'

export type TypeCheck =
  /** What the checker said of the text, as a reason. */
  | { fault: string }
  /** `type-checks (typescript 7.0.2)`; null when nobody could tell. */
  | { fault: null; verified: string | null }

export async function checkTypes(
  checker: Checker | null | undefined,
  path: string,
  text: string,
): Promise<TypeCheck> {
  const before = checker ? await checker.problems('new', path) : null
  const after = before && checker ? await checker.problemsWith(path, text) : null
  if (!before || !after) return { fault: null, verified: null }
  const [first] = newProblems(before, after)
  if (first)
    return {
      fault: `with it ${after.by} finds ${first.code === null ? 'an error' : `error ${first.code}`} in line ${first.line}`,
    }
  if (!after.checksTypes) return { fault: null, verified: null }
  const isPartial = after.problems.some(({ isAbsence }) => isAbsence)
  const without = isPartial ? ', without what is not in the repository' : ''
  return { fault: null, verified: `type-checks (${after.by}${without})` }
}

/** Lines shift, so errors are told apart by what they say, and counted. */
function newProblems({ problems: before }: Problems, { problems: after }: Problems): Problem[] {
  const known = new Map<string, number>()
  for (const one of before) known.set(nameOf(one), (known.get(nameOf(one)) ?? 0) + 1)
  return after.filter((one) => {
    if (one.isAbsence) return false
    const left = known.get(nameOf(one)) ?? 0
    known.set(nameOf(one), left - 1)
    return left <= 0
  })
}

function nameOf({ code, messageId }: Problem): string {
  return `${code}\n${messageId}`
}
