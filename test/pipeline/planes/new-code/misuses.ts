/** What the checks of new code say of a change on top of a base. */
import { newCodePlane } from '../../../../src/pipeline/planes/new-code/plane.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange } from '../review-commit.ts'

/** `path:line rule`, without the name of the plane, by line, and with `titles` its title. */
export async function misuses(base: Texts, head: Changed, titles = false): Promise<string[]> {
  const review = await reviewChange(newCodePlane, base, head)
  const lineOf = (outcome: string): number => Number(/:(\d+) /.exec(outcome)?.[1] ?? 0)
  return outcomesOf(review)
    .map((outcome, at) => {
      const title = titles ? ` ${review.verdicts[at]?.candidate.title}` : ''
      return outcome.replace('new-code/', '') + title
    })
    .sort((a, b) => lineOf(a) - lineOf(b))
}
