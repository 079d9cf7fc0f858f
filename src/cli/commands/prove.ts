/** `sightline prove`: a test that fails because of a finding, written by a model and run by us. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import type { Proved } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { dollars, flag, list, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn, servicesIn } from '../shell.ts'
import { withModels } from '../with-models.ts'

export const prove = defineCommand({
  name: 'prove',
  summary: 'Show a finding by a test that fails on the head and passes on the base, run in a sandbox.',
  operand: 'RUN | FINDING...',
  options: {
    replay: text('RUN', 'Repeat a recorded run of this command offline. Nothing is executed.'),
    repo: repositoryOption,
    model: list(
      'ROLE=PROVIDER/MODEL',
      'Model to use for a role, such as reviewer=anthropic/claude-sonnet-5-5.',
    ),
    budget: dollars('Spending limit for this finding.'),
    json: flag('Print JSON.'),
    progress: flag('Write events to standard error, one JSON object per line.'),
    quiet: flag('Print only the outcome and the test.', '-q'),
    verbose: flag('Describe each stage on standard error.'),
    'no-color': flag('Print without colors.'),
  },
  examples: [
    'sightline prove C1  # of the last run',
    'sightline prove 3fa94c C2',
    'sightline prove --replay 5b20c1',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const { openServices, proveOfRun, replayProof, suggestionWords } = await import('../../index.ts')
    const print = async (proved: Proved) =>
      await terminal.result(
        values.json ? `${asciiJson(proved, 2)}\n` : proofText(proved, values.quiet, suggestionWords),
      )
    if (values.replay !== undefined) {
      const services = await openServices({ ...servicesIn(shell), signal })
      try {
        const replayed = await replayProof(values.replay, services)
        await print(replayed)
        if (!replayed.isIdentical) terminal.note('sightline: this replay differs from what was recorded\n')
        return exitCodes.clean
      } finally {
        await services.close()
      }
    }
    const [first, second] = operands
    if (first === undefined || operands.length > 2)
      throw new UserError('usage', '`prove` needs a finding, and the run before it, if not the last one.')
    const [run, finding] = second === undefined ? ['last', first] : [first, second]
    const flags = { ...values, depth: 'quick' as const, estimate: false, 'no-cache': false }
    const proved = await withModels({ flags, terminal, shell, signal }, ({ services, models }) =>
      proveOfRun({ run, finding, folder: pathIn(shell, values.repo ?? '') }, services, models),
    )
    await print(proved)
    return exitCodes.clean
  },
})

type Api = typeof import('../../index.ts')

const outcomes = {
  reproduced: 'Reproduced',
  'not-reproduced': 'Not reproduced',
  'not-tried': 'Not tried',
} as const

/** Everything but our own words is foreign: a model wrote the test, and the test wrote its output. */
function proofText(
  { finding, reproduction, cost, run }: Proved,
  isQuiet: boolean,
  suggestionWords: Api['suggestionWords'],
): string {
  const { outcome, why, test, because, command, head, base, suggestion } = reproduction
  const failure = head?.failures[0]
  const shown =
    outcome === 'reproduced' && !isQuiet
      ? [
          '',
          `On the head it fails: ${failure?.name ?? ''}`,
          ...indented(failure?.message || failure?.details.split('\n')[0] || ''),
          base ? 'On the base it passes.' : 'The code is new, so nothing was run on the base.',
          ...(suggestion ? [suggestionWords(suggestion)] : []),
        ]
      : []
  const lines = [
    `${outcomes[outcome]}: ${finding.title} (${finding.path}:${finding.startLine})`,
    `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}.`,
    ...(because === '' ? [] : ['', because]),
    ...(test === null ? [] : ['', `${test.path}:`, ...indented(test.text.trimEnd())]),
    ...shown,
    ...(outcome === 'reproduced' ? ['', `Run it: ${command.join(' ')}`] : []),
  ]
  const price = cost.usd === null ? 'unknown cost' : `$${cost.usd.toFixed(2)}`
  const foot = run === null || isQuiet ? [] : [visibleLine(`(${price}; run ${run})`)]
  return `${[...lines.map((line) => visibleText(line)), ...foot].join('\n')}\n`
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`)
}
