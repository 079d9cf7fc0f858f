/** What a review can be told, and which of it contradicts itself. */
import { UserError } from '../../base/errors.ts'
import { depths, severities } from '../../domain/names.ts'
import type { ValuesOf } from '../command.ts'
import { outputOptions } from '../output/format.ts'
import { selectorOptions } from './change.ts'
import { modelOption, progressOptions, repositoryOption, ticketOption } from './common-options.ts'
import { choice, dollars, flag, list, text } from './options.ts'

export const reviewOptions = {
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
  model: modelOption,
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
  ...progressOptions('Print only findings and what could not be reviewed; nothing if there is neither.'),
}

export type ReviewFlags = ValuesOf<typeof reviewOptions>

/** Throws `usage`. */
export function refuseContradictions(values: ReviewFlags): void {
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
