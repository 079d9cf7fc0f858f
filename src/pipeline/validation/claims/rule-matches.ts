/**
 * `rule-matches`: a rule matches on the line, and did not before. The engine itself ran already; this is a second
 * look by text: the line must be new in this change, not one that was only moved or re-indented.
 */
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'

export const checkRuleMatches: Refuter<'rule-matches'> = async ({ path, line }, { sources }) => {
  const actual = (await sources.lines('new', path))?.[line - 1]
  if (actual === undefined) return refuted(`\`${path}\` has no readable line ${line} after the change`)
  const file = sources.change.files.find((one) => one.path === path)
  const lines = file?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const inDiff = lines.find((one) => one.new === line)
  if (inDiff?.kind !== 'added')
    return unverifiable(`\`${path}:${line}\` stood there before; what changed is beside it`)
  const wasRemoved = lines.some((one) => one.kind === 'removed' && one.text.trim() === actual.trim())
  if (wasRemoved) return unverifiable(`The text of \`${path}:${line}\` stood elsewhere in the file before`)
  return confirmed('the text: the line is new in this change')
}
