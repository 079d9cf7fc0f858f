/** `sightline ask`: a question about a review, answered from its frozen change, with quotes that code checked. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import type { Asked } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { modelOption, progressOptions, repositoryOption } from '../input/common-options.ts'
import { dollars, flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn, withServices } from '../shell.ts'
import { sendTelemetry } from '../telemetry.ts'
import { withModels } from '../with-models.ts'

export const ask = defineCommand({
  name: 'ask',
  summary: 'Ask a question about a recorded review. Answers quote the code; guesses are marked.',
  operand: 'RUN | QUESTION...',
  options: {
    new: flag('Start a new conversation instead of continuing the last one about this run.'),
    replay: text('RUN', 'Repeat a recorded question offline.'),
    repo: repositoryOption,
    model: modelOption,
    budget: dollars('Spending limit for this question.'),
    json: flag('Print JSON.'),
    ...progressOptions('Print only the answer.'),
  },
  examples: [
    'sightline ask "is C1 possible if the caller holds the lock?"  # about the last run',
    'sightline ask 3fa94c "who else calls parse()?"',
    'sightline ask --replay 5b20c1',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const { askAboutRun, replayQuestion } = await import('../../index.ts')
    const { replay } = values
    if (replay !== undefined) {
      const replayed = await withServices({ shell, signal }, (services) => replayQuestion(replay, services))
      await terminal.result(values.json ? json(replayed) : answerText(replayed))
      if (!replayed.isIdentical) terminal.note('sightline: this replay differs from the recorded answer\n')
      return exitCodes.clean
    }
    const [first, second] = operands
    if (first === undefined || operands.length > 2)
      throw new UserError(
        'usage',
        '`ask` needs a question in quotation marks, and the run before it, if not the last one.',
      )
    const [run, question] = second === undefined ? ['last', first] : [first, second]
    const flags = { ...values, depth: 'quick' as const, estimate: false, 'no-cache': false }
    const asked = await withModels({ flags, terminal, shell, signal }, ({ services, models }) =>
      askAboutRun(
        { run, question, isNew: values.new, from: { folder: pathIn(shell, values.repo ?? '') } },
        services,
        models,
      ),
    )
    await terminal.result(values.json ? json(asked) : answerText(asked))
    if (asked.run !== null) await sendTelemetry(asked.run, { shell, terminal, signal })
    for (const remark of values.quiet ? [] : asked.remarks)
      terminal.note(`sightline: ${visibleLine(remark)}\n`)
    return asked.turn.failed === null ? exitCodes.clean : exitCodes.couldNotReview
  },
})

function json({ titles: _t, evidence, ...asked }: Asked): string {
  const cited = asked.turn.statements.flatMap(({ citations }) => citations.map((one) => one.evidence))
  const shown = [...evidence].filter(([id]) => cited.includes(id))
  return `${asciiJson({ ...asked, evidence: Object.fromEntries(shown) }, 2)}\n`
}

/** What a model wrote is foreign. */
function answerText({ turn, evidence, titles, cost, run }: Asked): string {
  if (turn.failed !== null) return visibleLine(`No answer: ${turn.failed}`).concat('\n')
  const place = (id: string) => {
    const item = evidence.get(id)
    return item?.path ? `${item.path}:${item.startLine ?? 1}` : (item?.title ?? id)
  }
  const lines = turn.statements.flatMap(({ text: words, citations, isGuess }) => [
    `${isGuess ? 'Not shown by the code, a guess: ' : ''}${words}`,
    ...citations.map(({ evidence: id, quote }) => `    ${place(id)}: ${quote.replaceAll('\n', ' ')}`),
  ])
  const { disputed } = turn
  const outcome = { conceded: 'withdrawn', held: 'upheld', undecided: 'kept' } as const
  const verdict = disputed
    ? [
        `An independent check of ${titles.get(disputed.finding) ?? disputed.finding}: ${outcome[disputed.outcome]}. ${disputed.check.reason}`,
      ]
    : []
  const missing = turn.cannot === '' ? [] : [`The evidence does not show: ${turn.cannot}`]
  const price = cost.usd === null ? 'unknown cost' : `$${cost.usd.toFixed(2)}`
  const foot = run === null ? [] : [`(${price}; run ${run})`]
  return `${[...lines, ...missing, ...verdict, ...foot].map((line) => visibleText(line)).join('\n')}\n`
}
