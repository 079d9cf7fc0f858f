/** `sightline review`: what shall be reviewed, how it is shown, and what the exit code says. */
import { UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { readAddress, readSelector } from '../input/change.ts'
import { refuseContradictions, reviewOptions } from '../input/review-options.ts'
import { runReview } from '../run-review.ts'
import { pathIn } from '../shell.ts'

export const review = defineCommand({
  name: 'review',
  summary: 'Review a change. Default: uncommitted work, else the current branch, else the last commit.',
  operand: 'BRANCH | RANGE | COMMIT | PATCH-FILE | URL | - | PATH...',
  options: reviewOptions,
  examples: [
    'sightline review  # whatever you are working on',
    'sightline review --staged  # before a commit',
    'sightline review --base main  # a branch',
    'sightline review feature  # another branch, compared with the default branch',
    'sightline review src/a.ts docs  # only these files and folders',
    'sightline review HEAD~3..HEAD  # a range',
    'git diff | sightline review -  # a patch',
    'sightline review https://github.com/owner/repo/pull/1  # a pull request, without posting',
    'sightline review https://github.com/owner/repo/pull/1 --post  # and with',
    'sightline review --depth quick --budget 0.40  # with a model, for at most $0.40',
    'sightline review --depth deep  # two readers who know nothing of each other',
    'sightline review --sarif eslint.sarif,semgrep.sarif  # with what linters found on changed lines',
    'sightline review --watch  # while you work',
    'sightline review --fix  # apply suggested fixes one by one',
    'sightline review --json --fail-on medium  # for scripts',
  ],
  async run({ values, operands, terminal, shell: callers, signal }) {
    refuseContradictions(values)
    const { settings } = values
    const named = settings === undefined ? {} : { SIGHTLINE_SETTINGS: pathIn(callers, settings) }
    const shell = { ...callers, environment: { ...callers.environment, ...named } }
    const address = readAddress(values, operands)
    if (address === null && (values.post || values.again || values.gate))
      throw new UserError('usage', '--post, --again and --gate need the address of a pull request.')
    if (address !== null) {
      if (values.watch)
        throw new UserError('usage', '--watch follows files, and a pull request has none here.')
      return await runReview({ what: { address }, flags: values, terminal, shell, signal })
    }
    const what = {
      folder: pathIn(shell, values.repo ?? ''),
      selector: await readSelector(values, operands, shell),
    }
    if (!values.watch) return await runReview({ what, flags: values, terminal, shell, signal })
    const { watchReview } = await import('../watch-review.ts')
    const flags = { ...values, depth: values.depth ?? ('offline' as const) }
    return await watchReview(what, { terminal, shell, signal }, values['no-cache'], (kept) =>
      runReview({ what, flags, terminal, shell: kept, signal }),
    )
  },
})
