/** What the contract plane names in a change on top of a base. */
import { ruleFor } from '../../../../src/pipeline/planes/contract/breakage.ts'
import { brokenUsesIn, contractPlane } from '../../../../src/pipeline/planes/contract/plane.ts'
import { type Changed, changeOver, type Texts } from '../../../helpers/in-memory/change.ts'
import { askPlane, inputOf } from '../review-commit.ts'

/** `path:line rule words`, sorted. Throws when validation drops a finding made of these places. */
export async function brokenUses(base: Texts, head: Changed): Promise<string[]> {
  const input = await inputOf(changeOver(base, head))
  const { found } = await brokenUsesIn(input)
  const { verdicts } = await askPlane(contractPlane, input)
  const dropped = verdicts.filter(({ finding }) => !finding)
  if (dropped.length > 0)
    throw new Error(
      dropped.map(({ candidate, step, reason }) => `${candidate.title}: ${step}: ${reason}`).join('\n'),
    )
  return found
    .map(
      ({ path, line, subject, failure, words }) =>
        `${path}:${line} ${ruleFor(subject, failure).slice(9)} ${words}`,
    )
    .sort()
}
