/** `sightline doctor`: looks at everything a review needs, asks each model once, and says what to do about the rest. */
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand } from '../command.ts'
import type { Check } from '../doctor/examine.ts'
import { flag, text } from '../input/options.ts'
import { wrapped } from '../output/wrapped.ts'
import { lines } from '../questions/describe.ts'
import { pathIn } from '../shell.ts'
import { printAnswer } from '../terminal.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check git, Node, settings, cache and models, and explain problems.',
  operand: null,
  options: {
    'no-calls': flag(
      'Call neither models nor hosts. Without this option, each configured model gets one tiny request.',
    ),
    servers: flag('Only list the language servers that were found and their locations.'),
    repo: text(
      'PATH',
      'With --servers: repository. Nothing in it is ever executed. Default: the current folder.',
    ),
    json: flag('Print JSON.'),
  },
  examples: [
    'sightline doctor  # sends one tiny request to each configured model',
    'sightline doctor --servers  # the servers that `refs --server` would use',
  ],
  async run({ values, terminal, shell, signal }) {
    const { environment } = shell
    if (values.servers) {
      const { listServers } = await import('../../index.ts')
      const found = await listServers(pathIn(shell, values.repo ?? ''), environment)
      await printAnswer(terminal, values.json, found, () => lines(found.flatMap(serverLines)))
      return exitCodes.clean
    }
    const { examine } = await import('../doctor/examine.ts')
    const checks = await examine({ environment, callModels: !values['no-calls'], signal })
    const isBroken = checks.some(({ state }) => state === 'broken')
    await printAnswer(terminal, values.json, { ok: !isBroken, checks }, () => listing(checks, terminal.room))
    return isBroken ? exitCodes.couldNotReview : exitCodes.clean
  },
})

type Found = Awaited<ReturnType<typeof import('../../index.ts').listServers>>[number]

/** Which were found, and why the others were not. */
function serverLines({ name, version, languages, from, command, absent }: Found): string[] {
  const what = `${version === null ? name : `${name} ${version}`}  (${languages.join(', ')})`
  return absent === null ? [what, `  ${from}: ${command.join(' ')}`] : [what, `  not found: ${absent}`]
}

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
