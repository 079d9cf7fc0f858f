/** `sightline publish`: the last of three steps: checks a review against the diff itself, and shows it. Asks no model. */
import { readFile, stat } from 'node:fs/promises'
import { UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { CollectedChange } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { formatNames, severityNames } from '../input/choices.ts'
import { choice, flag, integer, text } from '../input/options.ts'
import { chooseFormat, renderReview } from '../output/format.ts'
import { requireWritable, writeResultFile } from '../terminal.ts'

/** More than any review of ours. */
const largestReview = 256 * 1024 * 1024

export const publish = defineCommand({
  name: 'publish',
  summary: 'Check a review against the diff again and show it. Asks no model.',
  operand: 'REVIEW-FILE',
  options: {
    request: text('FOLDER', 'The folder that `sightline collect` wrote. Required.'),
    format: choice(formatNames, 'How the result is written.'),
    json: flag('The same as --format json; a failure is written as JSON too.'),
    output: text('FILE', 'Write the result to a file; its ending picks the format.'),
    explain: flag('Also show what was dropped, and why.'),
    link: text('URL', 'Where the repository is shown in a browser, for links in Markdown.'),
    'max-inline': integer(0, 100, 'Show at most this many findings in full.'),
    'fail-on': choice([...severityNames, 'never'], 'Exit with 1 from this severity on.'),
    'require-complete': flag('Exit with 4 when part of the change could not be reviewed.'),
    'allow-incomplete': flag('Exit with 0 also when a model that was asked for could not be reached.'),
    quiet: flag('Print nothing but the result.', '-q'),
    'no-color': flag('No colors, whatever the terminal supports.'),
  },
  examples: [
    'sightline publish review.json --request change',
    'sightline publish review.json --request change --output review.sarif',
  ],
  async run({ values, operands, terminal, signal }) {
    const [file] = operands
    if (file === undefined || values.request === undefined)
      throw new UserError('usage', 'Name the review, and the change it belongs to with --request FOLDER.')
    const format = chooseFormat(values)
    if (values.output !== undefined) await requireWritable(values.output)
    const review = await readReview(file)
    const { collect, frozenSource, openServices, publish: publishReview } = await import('../../index.ts')
    const services = await openServices({ signal, cacheFolder: null })
    let change: CollectedChange | null = null
    try {
      change = await collect(frozenSource(values.request), services)
      const published = await publishReview(review, {
        change,
        deliver: async (checked, config) =>
          renderReview(checked, format, values, values['max-inline'] ?? config.review.maxInline, terminal),
      })
      if (values.output === undefined) await terminal.result(published.delivered)
      else await writeResultFile(values.output, published.delivered)
      for (const { title, reason } of published.refused)
        terminal.note(`sightline: not published: ${visibleLine(title)}: ${reason}\n`)
      const { exitCodeOf, exitCodes } = await import('../output/exit-code.ts')
      const code = exitCodeOf(published.review, {
        failOn: values['fail-on'] ?? published.config.review.failOn,
        requireComplete: values['require-complete'] || published.config.review.requireComplete,
        allowIncomplete: values['allow-incomplete'],
      })
      // A review that does not fit its change is never a clean one.
      return code === exitCodes.clean && published.refused.length > 0 ? exitCodes.incomplete : code
    } finally {
      await change?.close()
      await services.close()
    }
  },
})

async function readReview(path: string): Promise<unknown> {
  try {
    if ((await stat(path)).size > largestReview) throw new Error(`it is larger than ${largestReview} bytes`)
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new UserError('review-unusable', `${path}: ${(error as Error).message}`, { cause: error })
  }
}
