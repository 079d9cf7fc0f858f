/**
 * `rule-matches`: a rule matches on the line, and did not before. The engine itself ran already; this is a second
 * look by text: the line must be new in this change, not one that was only moved or re-indented.
 */
import { lineIndexOf } from '../../../domain/diff-lines.ts'
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'

export const checkRuleMatches: Refuter<'rule-matches'> = async ({ path, line }, { sources }) => {
  const actual = (await sources.lines('new', path))?.[line - 1]
  if (actual === undefined) return refuted(`\`${path}\` has no readable line ${line} after the change`)
  const file = sources.change.files.find((one) => one.path === path)
  const index = file && lineIndexOf(file)
  if (index?.at('new', line)?.line.kind !== 'added')
    return unverifiable(`\`${path}:${line}\` stood there before; what changed is beside it`)
  if (index.removed(actual.trim()))
    return unverifiable(`The text of \`${path}:${line}\` stood elsewhere in the file before`)
  return confirmed('the text: the line is new in this change')
}
