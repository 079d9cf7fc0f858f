/** `sightline doctor`: looks at everything a review needs, asks each model once, and says what to do about the rest. */
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand } from '../command.ts'
import type { Check } from '../doctor/examine.ts'
import { flag } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { wrapped } from '../output/wrapped.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check git, Node, settings, cache and models, and explain problems.',
  operand: null,
  options: {
    'no-calls': flag(
      'Call neither models nor hosts. Without this option, each configured model gets one tiny request.',
    ),
    json: flag('Print JSON.'),
  },
  examples: ['sightline doctor  # sends one tiny request to each configured model'],
  async run({ values, terminal, shell: { environment }, signal }) {
    const { examine } = await import('../doctor/examine.ts')
    const checks = await examine({ environment, callModels: !values['no-calls'], signal })
    const isBroken = checks.some(({ state }) => state === 'broken')
    await terminal.result(
      values.json ? `${asciiJson({ ok: !isBroken, checks }, 2)}\n` : listing(checks, terminal.room),
    )
    return isBroken ? exitCodes.couldNotReview : exitCodes.clean
  },
})

const marks = { good: 'ok', note: '--', broken: 'no' } as const

function listing(checks: readonly Check[], room: number): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const rows = checks.flatMap(({ name, state, detail, wayOut }) => {
    const [first = '', ...rest] = detail.split('\n').map(visibleLine)
    const indent = ' '.repeat(width + 6)
    return [
      ...wrapped(`${marks[state]}  ${name.padEnd(width)}  ${first}`, room, indent),
      ...rest.flatMap((line) => wrapped(`${indent}${line}`, room, indent)),
      ...(wayOut === null ? [] : wrapped(`${indent}→ ${wayOut}`, room, `${indent}  `)),
    ]
  })
  const broken = checks.filter(({ state }) => state === 'broken').length
  const end = broken === 0 ? 'Everything required works.' : `${broken} of ${checks.length} need attention.`
  return `${[...rows, '', end].join('\n')}\n`
}
