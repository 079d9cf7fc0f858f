/** `type-mismatch`: only somebody who knows types can say so; the checker that is here is asked, whoever was named. */
import { errorsOn, stoodBefore, wouldTell } from '../checker/look.ts'
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'

/** An error of the same statement may stand a few lines away. */
const near = 3

export const checkTypeMismatch: Refuter<'type-mismatch'> = async (
  { path, line, checker: named },
  { sources, checker },
) => {
  if ((await sources.lines('new', path))?.[line - 1] === undefined)
    return refuted(`\`${path}\` has no line ${line} after the change`)
  const told = checker ? await checker.problems('new', path) : null
  if (!checker || !told) return unverifiable(`It rests on \`${named}\` alone`)
  const desk = { checker, sources }
  const { by } = told
  const errors = errorsOn(told, line)
  for (const error of errors) if (!(await stoodBefore(desk, error))) return confirmed(by)
  if (errors.length > 0)
    return { ...confirmed(`${by}, which said the same before the change`), preExisting: true }
  if (errorsOn(told, line - near, line + near).length > 0)
    return unverifiable(`${by} finds no error in this line, but one close by`)
  if (told.checksTypes && (await wouldTell(desk, path, line)))
    return refuted(`${by} finds no error at \`${path}:${line}\``)
  return unverifiable(`${by} finds no error there, and does not know every type on that line`)
}
