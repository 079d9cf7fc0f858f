/** `sightline show`: what a run did, in order; or one exchange of it in full. */
import { exitCodes, UserError } from '../../base/errors.ts'
import type { RunExchange, RunTrace } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { describeExchange, describeRun } from '../output/run-timeline.ts'
import { asciiJson } from '../output/safe-text.ts'
import { withServices } from '../shell.ts'
import { fitted, printAnswer } from '../terminal.ts'

export const show = defineCommand({
  name: 'show',
  summary: 'Show a recorded run: stages, requests, raw answers, repairs, costs.',
  operand: 'RUN[/ADDRESS]',
  options: {
    call: text('ADDRESS', 'Show one request and its answer in full, such as quick/group-1/review.'),
    html: flag('Print the review as one self-contained web page.'),
    json: flag('Print JSON.'),
  },
  examples: [
    'sightline show last',
    'sightline show last --call quick/group-1/review  # prompt and raw answer',
    'sightline show last --html > review.html  # for mail, or a CI artifact',
    'sightline show local/shop/1a2b3c4d5e6f/explore/iter-2  # the newest run of this repository and change',
  ],
  async run({ values, operands, terminal, shell }) {
    if (values.html) {
      if (values.json || values.call !== undefined)
        throw new UserError(
          'usage',
          '--html shows the whole review; it cannot be used with --json or --call.',
        )
      const { formats, reviewOfRun } = await import('../../index.ts')
      const review = await withServices({ shell, cacheFolder: null }, (services) =>
        reviewOfRun(operands[0] ?? 'last', services),
      )
      await terminal.result(
        formats.html(review, { color: false, width: 80, explain: true, maxInline: 100, minor: true }),
      )
      return exitCodes.clean
    }
    const { readRun, timelineOf } = await import('../../index.ts')
    const trace = await readRun(operands[0] ?? 'last', { environment: shell.environment })
    const call = values.call ?? trace.address
    if (call !== null) {
      const found = exchangesAt(trace, call)
      await printAnswer(terminal, values.json, found, () => found.map(describeExchange).join('\n'))
    } else if (values.json) {
      const { entries, summary } = trace
      const { spans, trace: ids } = timelineOf({ entries, header: summary.header })
      await terminal.result(`${asciiJson({ ...trace, trace: ids, spans }, 2)}\n`)
    } else await terminal.result(await fitted(describeRun(trace), terminal))
    return exitCodes.clean
  },
})

/** By the address or its end (`iter-2`), also behind the run's place. */
function exchangesAt({ summary, exchanges }: RunTrace, asked: string): RunExchange[] {
  const prefix = `${summary.header.place}/`
  const address = asked.startsWith(prefix) ? asked.slice(prefix.length) : asked
  const found = exchanges.filter(({ entry }) => `/${entry.address}`.endsWith(`/${address}`))
  if (found.length > 0) return found
  const there = [...new Set(exchanges.map(({ entry }) => entry.address))].join(', ')
  throw new UserError(
    'run-unknown',
    `run ${summary.header.run} has no call ${asked}; it has ${there || 'none'}`,
  )
}
