/** `ask`: a question about a recorded review, answered from its frozen change by the operator's model. */
import { z } from 'zod'
import { askAboutRun } from '../../assembly/ask-run.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import { defineAgentTool } from '../contract.ts'
import { readOwnRun, runArgument } from '../own-runs.ts'

export const ask = defineAgentTool({
  name: 'ask',
  title: 'Ask about a review',
  about:
    'Asks a model about a recorded review, for example whether a finding is possible in a certain state. The answer quotes code, and the quotes are checked; guesses are marked. Needs a configured model and costs money.',
  args: z.strictObject({
    question: z.string().min(1).max(4000),
    run: runArgument,
    new: z.boolean().default(false).describe('Start a new conversation instead of continuing the last one.'),
  }),
  asksOthers: true,
  async run({ question, run: asked, new: isNew }, session, { signal, onEvent }) {
    const { run } = await readOwnRun(asked, session)
    const services = { ...session.services, signal, onEvent }
    const { turn, evidence, cost, remarks, ...answered } = await askAboutRun(
      { run, question, isNew, from: { folder: session.folder } },
      services,
      session.models,
    )
    if (answered.run !== null) session.runEnded?.(answered.run)
    if (turn.failed !== null) return ['No answer.', new Untrusted('why', turn.failed)]
    const place = (id: string) => {
      const item = evidence.get(id)
      return item?.path ? `${item.path}:${item.startLine ?? 1}` : (item?.title ?? id)
    }
    const lines = turn.statements.flatMap(({ text, citations, isGuess }) => [
      `${isGuess ? '(a guess) ' : ''}${text}`,
      ...citations.map(({ evidence: id, quote }) => `  ${place(id)}: ${quote.replaceAll('\n', ' ')}`),
    ])
    const missing = turn.cannot === '' ? [] : [new Untrusted('what the evidence does not show', turn.cannot)]
    const price = cost.usd === null ? 'unknown' : `$${cost.usd.toFixed(2)}`
    return [
      new Untrusted('answer of a model', lines.join('\n')),
      ...missing,
      ...remarks.map((words) => new Untrusted('remark', words)),
      `Cost: ${price}.`,
    ]
  },
})
