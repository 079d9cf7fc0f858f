/** What the checks of new code say of a repository made of a base and a change on top of it. */
import { newCodePlane } from '../../../../src/pipeline/planes/new-code/plane.ts'
import { createRepo, type Files } from '../../../helpers/git-repo.ts'
import { outcomesOf, reviewCommit } from '../review-commit.ts'

/** `path:line rule`, without the name of the plane, by line, and with `titles` its title. Every call looks at a fresh repository of two commits. */
export async function misuses(base: Files, head: Files, titles = false): Promise<string[]> {
  const repo = createRepo()
  repo.commit({ 'README.md': 'A repository.\n', ...base })
  repo.commit(head)
  const review = await reviewCommit(newCodePlane, repo.path)
  const lineOf = (outcome: string): number => Number(/:(\d+) /.exec(outcome)?.[1] ?? 0)
  return outcomesOf(review)
    .map((outcome, at) => {
      const title = titles ? ` ${review.verdicts[at]?.candidate.title}` : ''
      return outcome.replace('new-code/', '') + title
    })
    .sort((a, b) => lineOf(a) - lineOf(b))
}
