/** `sightline review`: what shall be reviewed, how it is shown, and what the exit code says. */
import { UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { readSelector, selectorOptions } from '../input/change.ts'
import { depthNames, formatNames, severityNames } from '../input/choices.ts'
import { choice, dollars, flag, integer, list, text } from '../input/options.ts'
import { runReview } from '../run-review.ts'

export const review = defineCommand({
  name: 'review',
  summary: 'Review a change: uncommitted work, else this branch, else the last commit.',
  operand: 'BRANCH | RANGE | COMMIT | PATCH-FILE | - | PATH...',
  options: {
    ...selectorOptions,
    repo: text('PATH', 'The repository; the one around the current folder when not given.'),
    format: choice(formatNames, 'How the result is written.'),
    json: flag('The same as --format json; a failure is written as JSON too.'),
    output: text('FILE', 'Write the result to a file; its ending picks the format.'),
    explain: flag('Also show what was dropped, and why.'),
    link: text('URL', 'Where the repository is shown in a browser, for links in Markdown.'),
    'max-inline': integer(0, 100, 'Show at most this many findings in full.'),
    'fail-on': choice([...severityNames, 'never'], 'Exit with 1 from this severity on.'),
    'min-severity': choice(severityNames, 'Hide milder findings; they still count.'),
    'require-complete': flag('Exit with 4 when part of the change was not reviewed.'),
    'allow-incomplete': flag('Exit with 0 although a model could not be asked.'),
    planes: list('NAME,NAME', 'Exactly these planes, including those that are off by default.'),
    only: list('NAME', 'Show only what this plane finds, and ask no other model.'),
    skip: list('NAME', 'Hide what this plane finds, and do not ask its model.'),
    ticket: text(
      'FILE | - | OWNER/REPO',
      'What was asked for: a text, or the GitHub issues that the commit points to.',
    ),
    depth: choice(depthNames, 'How deep to look; only offline works without a model.'),
    model: list('ROLE=PROVIDER/MODEL', 'The model for a role, such as reviewer=anthropic/claude-sonnet-5-5.'),
    'no-agent': flag('The model gets no follow-up: one question for each group of files, and no more.'),
    budget: dollars('Spend no more than this; what was found by then is kept.'),
    estimate: flag('Only say what a review would take; send nothing.'),
    fresh: flag('Ignore recorded answers and ask the models again.'),
    'no-record': flag('Keep no record of this run: it can be neither replayed nor resumed.'),
    'no-cache': flag('Read nothing from the cache and write nothing to it.'),
    progress: flag('Write every event as a line of JSON on standard error.'),
    quiet: flag('Print only what was found and what is missing.', '-q'),
    verbose: flag('Print on standard error what each stage did.'),
    'no-color': flag('No colors, whatever the terminal supports.'),
  },
  examples: [
    'sightline review  # what a person would expect',
    'sightline review --staged  # before a commit',
    'sightline review --base main  # a branch',
    'sightline review feature  # another branch, since it left the default one',
    'sightline review src/a.ts docs  # only these files and folders',
    'sightline review HEAD~3..HEAD  # a range',
    'git diff | sightline review -  # a patch',
    'sightline review --depth quick --budget 0.40  # a model reads it, for so much at most',
    'sightline review --depth deep --skip performance  # planes look one way each',
    'sightline review --json --fail-on medium  # for a machine',
  ],
  async run({ values, operands, terminal, signal }) {
    refuseContradictions(values)
    const selector = await readSelector(values, operands)
    return await runReview({
      folder: values.repo ?? process.cwd(),
      selector,
      flags: values,
      terminal,
      signal,
    })
  },
})

function refuseContradictions(values: {
  readonly quiet: boolean
  readonly verbose: boolean
  readonly progress: boolean
  readonly 'require-complete': boolean
  readonly 'allow-incomplete': boolean
  readonly planes: readonly string[]
  readonly only: readonly string[]
  readonly skip: readonly string[]
}): void {
  const voices = (['quiet', 'verbose', 'progress'] as const).filter((name) => values[name])
  if (voices.length > 1)
    throw new UserError('usage', `--${voices.join(' and --')} contradict each other; keep one of them.`)
  if (values['require-complete'] && values['allow-incomplete'])
    throw new UserError(
      'usage',
      '--require-complete and --allow-incomplete contradict each other; keep one of them.',
    )
  const beside = (['only', 'skip'] as const).find((name) => values[name].length > 0)
  if (values.planes.length > 0 && beside !== undefined)
    throw new UserError('usage', `--planes and --${beside} contradict each other; keep one of them.`)
  const both = values.only.find((name) => values.skip.includes(name))
  if (both !== undefined)
    throw new UserError('usage', `the plane \`${both}\` is both asked for and left out; drop one of the two.`)
}
