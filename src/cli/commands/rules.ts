/** `sightline rules`: which rules a review uses, built-in ones and those of the repository. */
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { RuleLine } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn } from '../shell.ts'

export const rules = defineCommand({
  name: 'rules',
  summary: 'List the rules in use: built-in ones and those of the repository.',
  operand: null,
  options: {
    json: flag('Print JSON.'),
    repo: text('PATH', 'Repository. Default: the one that contains the current folder.'),
  },
  examples: [],
  async run({ values, terminal, shell }) {
    const { listRules } = await import('../../index.ts')
    const { rules: found, limits } = await listRules(pathIn(shell, values.repo ?? ''), shell.environment)
    const lines = found.map(({ id, languages, severity, message, builtIn, place }) => ({
      id,
      languages,
      severity,
      message,
      origin: builtIn ? 'built-in' : `${place.file}:${place.line}`,
    }))
    await terminal.result(
      values.json ? `${asciiJson({ rules: lines, limits }, 2)}\n` : listing(lines, limits),
    )
    return exitCodes.clean
  },
})

type Line = Pick<RuleLine, 'id' | 'languages' | 'severity' | 'message'> & { origin: string }

function listing(lines: readonly Line[], limits: readonly string[]): string {
  const width = Math.max(0, ...lines.map(({ id }) => id.length))
  const rows = lines.flatMap(({ id, languages, severity, message, origin }) => [
    `${visibleLine(id).padEnd(width)}  ${severity.padEnd(8)}  ${languages.join(', ')}  (${visibleLine(origin)})`,
    `${' '.repeat(width)}  ${visibleLine(message)}`,
  ])
  const unused =
    limits.length > 0 ? ['', 'Not used:', ...limits.map((limit) => `  ${visibleLine(limit)}`)] : []
  const note = 'To turn a rule off, add it to rules.disable in .sightline.yaml.'
  return `${[...rows, ...unused, '', note].join('\n')}\n`
}
