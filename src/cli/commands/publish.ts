/** `sightline publish`: the last of three steps: checks a review against the diff itself, and shows it. Asks no model. */
import { readFile, stat } from 'node:fs/promises'
import { UserError } from '../../base/errors.ts'
import type { ChangeSource, CollectedChange } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { chooseFormat, outputOptions, renderReview } from '../output/format.ts'
import { postedWords } from '../run-review.ts'
import { pathIn, servicesIn } from '../shell.ts'
import { requireWritable, writeResultFile } from '../terminal.ts'

/** More than any review of ours. */
const largestReview = 256 * 1024 * 1024

export const publish = defineCommand({
  name: 'publish',
  summary: 'Check a review against the diff and print it (step 3 of 3). No model is used.',
  operand: 'REVIEW-FILE',
  options: {
    request: text('FOLDER', 'Folder that `sightline collect` wrote. Required without --to.'),
    to: text(
      'URL',
      'Post the review to this pull request too. The change is read from the host; --request is not used.',
    ),
    gate: flag(
      'With --to: let the check fail under the condition of --fail-on. Without it, the check only informs.',
    ),
    ...outputOptions,
    'require-complete': flag('Exit with code 4 if part of the change was not reviewed.'),
    'allow-incomplete': flag('Exit with code 0 even if a model could not be reached.'),
    quiet: flag('Print only the result.', '-q'),
    'no-color': flag('Print without colors.'),
  },
  examples: [
    'sightline publish review.json --request change',
    'sightline publish review.json --request change --output review.sarif',
    'sightline publish review.json --to https://github.com/owner/repo/pull/1',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const [file] = operands
    const { request: folder, to } = values
    if (file === undefined || (folder === undefined && to === undefined))
      throw new UserError(
        'usage',
        'Name the review file, and with --request FOLDER or --to URL the change it belongs to.',
      )
    const format = chooseFormat(values)
    if (values.output !== undefined) await requireWritable(shell, values.output)
    const review = await readReview(pathIn(shell, file))
    const {
      collect,
      frozenSource,
      openChangeRequest,
      openServices,
      Gate,
      publish: publishReview,
    } = await import('../../index.ts')
    const services = await openServices({ ...servicesIn(shell), signal, cacheFolder: null })
    let change: CollectedChange | null = null
    let closeSource: ChangeSource['close']
    try {
      const request = to === undefined ? null : openChangeRequest(to, services)
      // What is posted is checked against the host's own commits: a folder may come from a job that a fork controls.
      const source = request?.source ?? frozenSource(pathIn(shell, folder ?? ''))
      closeSource = source.close
      change = await collect(source, services)
      const { 'max-inline': maxInline, 'fail-on': failOn } = values
      const collected = change
      const published = await publishReview(review, {
        change,
        deliver: async (checked, config) => {
          const gate = values.gate ? Gate.parse({ failOn: failOn ?? config.review.failOn }) : null
          const target = request?.target(collected, { maxInline, gate })
          const posted = target && request ? postedWords(request, await target.deliver(checked, config)) : []
          const most = maxInline ?? config.review.maxInline
          return { text: await renderReview(checked, format, values, most, terminal), posted }
        },
      })
      const { text: rendered, posted } = published.delivered
      if (values.output === undefined) await terminal.result(rendered)
      else await writeResultFile(shell, values.output, rendered)
      const { reportOutcome } = await import('../output/outcome.ts')
      return await reportOutcome(
        {
          review: published.review,
          refused: published.refused,
          remarks: posted,
          format,
          failOn: values['fail-on'] ?? published.config.review.failOn,
          requireComplete: values['require-complete'] || published.config.review.requireComplete,
          allowIncomplete: values['allow-incomplete'],
        },
        values,
        terminal,
      )
    } finally {
      await change?.close()
      await closeSource?.()
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
