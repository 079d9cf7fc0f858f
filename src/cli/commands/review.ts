/** `sightline review`: what shall be reviewed, how it is shown, and what the exit code says. */
import { UserError } from '../../base/errors.ts'
import { depths, severities } from '../../domain/names.ts'
import { defineCommand } from '../command.ts'
import { readAddress, readSelector, selectorOptions } from '../input/change.ts'
import { repositoryOption, ticketOption } from '../input/common-options.ts'
import { choice, dollars, flag, list, text } from '../input/options.ts'
import { outputOptions } from '../output/format.ts'
import { runReview } from '../run-review.ts'
import { pathIn } from '../shell.ts'

export const review = defineCommand({
  name: 'review',
  summary: 'Review a change. Default: uncommitted work, else the current branch, else the last commit.',
  operand: 'BRANCH | RANGE | COMMIT | PATCH-FILE | URL | - | PATH...',
  options: {
    ...selectorOptions,
    repo: repositoryOption,
    ...outputOptions,
    'min-severity': choice(severities, 'Hide findings below this severity. They still affect the exit code.'),
    'require-complete': flag('Exit with code 4 if part of the change was not reviewed.'),
    'allow-incomplete': flag('Exit with code 0 even if a model could not be reached.'),
    planes: list('PLANE,PLANE', 'Run exactly these planes.'),
    only: list('PLANE', 'Show only findings of this plane. Models are asked only for `reviewer`.'),
    skip: list('PLANE', 'Hide findings of this plane. For `reviewer`, no model is asked.'),
    ticket: ticketOption,
    sarif: list('FILE', 'Results of linters to review with the change: SARIF, rdjson or Checkstyle.'),
    post: flag('Post the review to the pull request. Without it, the review is only shown.'),
    again: flag('With --post: review a commit again that was reviewed before.'),
    gate: flag(
      'With --post: let the check fail under the condition of --fail-on. Without it, the check only informs.',
    ),
    depth: choice(depths, 'Review depth. Default: quick if a model may be used, else offline.'),
    model: list(
      'ROLE=PROVIDER/MODEL',
      'Model to use for a role, such as reviewer=anthropic/claude-sonnet-5-5.',
    ),
    'no-agent': flag('Ask the model once per group of files, without a follow-up.'),
    settings: text(
      'FILE',
      'Your settings file. Default: $SIGHTLINE_SETTINGS, else ~/.config/sightline/settings.yaml.',
    ),
    budget: dollars('Spending limit. At the limit, the review ends with the findings so far.'),
    estimate: flag('Show the estimated cost and exit. Nothing is sent.'),
    full: flag('Review everything again, not only what is new since the last review of this change.'),
    fix: flag('Show each suggested fix as a patch, and apply those that you accept.'),
    yes: flag('With --fix: apply them all without asking.'),
    watch: flag('Review again whenever a file changes, until Ctrl-C. Default depth: offline.'),
    fresh: flag('Ignore recorded answers and ask the models again, about everything.'),
    'no-record': flag('Do not record this run. It cannot be replayed or resumed.'),
    'no-cache': flag('Do not use the cache.'),
    progress: flag('Write events to standard error, one JSON object per line.'),
    quiet: flag('Print only findings and what could not be reviewed; nothing if there is neither.', '-q'),
    verbose: flag('Describe each stage on standard error.'),
    'no-color': flag('Print without colors.'),
  },
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

function refuseContradictions(values: {
  readonly quiet: boolean
  readonly verbose: boolean
  readonly progress: boolean
  readonly 'require-complete': boolean
  readonly 'allow-incomplete': boolean
  readonly fix: boolean
  readonly yes: boolean
  readonly watch: boolean
  readonly estimate: boolean
  readonly planes: readonly string[]
  readonly only: readonly string[]
  readonly skip: readonly string[]
}): void {
  const voices = (['quiet', 'verbose', 'progress'] as const).filter((name) => values[name])
  if (voices.length > 1) throw new UserError('usage', `--${voices.join(' and --')} cannot be used together.`)
  if (values['require-complete'] && values['allow-incomplete'])
    throw new UserError('usage', '--require-complete and --allow-incomplete cannot be used together.')
  if (values.yes && !values.fix) throw new UserError('usage', '--yes needs --fix.')
  const once = (['watch', 'fix', 'estimate'] as const).filter((name) => values[name])
  if (once.length > 1) throw new UserError('usage', `--${once.join(' and --')} cannot be used together.`)
  const beside = (['only', 'skip'] as const).find((name) => values[name].length > 0)
  if (values.planes.length > 0 && beside !== undefined)
    throw new UserError('usage', `--planes and --${beside} cannot be used together.`)
  const both = values.only.find((name) => values.skip.includes(name))
  if (both !== undefined) throw new UserError('usage', `the plane \`${both}\` is in both --only and --skip.`)
}
