/** `sightline rules`: which rules a review uses, built-in ones and those of the repository; `rules test` runs their snippets. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { isFolder, readData } from '../../base/git/read-data.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { RuleLine, RuleTest } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag } from '../input/options.ts'
import { wrapped } from '../output/wrapped.ts'
import { pathIn, type Shell } from '../shell.ts'
import { printAnswer } from '../terminal.ts'

export const rules = defineCommand({
  name: 'rules',
  summary: 'List the rules in use, or test your own: built-in ones and those of the repository.',
  operand: 'test FILE...',
  options: {
    json: flag('Print JSON.'),
    repo: repositoryOption,
  },
  examples: [
    'sightline rules test  # run the snippets of the rules in .sightline/rules',
    'sightline rules test my-rule.yaml',
  ],
  async run({ values, operands: [task, ...paths], terminal, shell, signal }) {
    if (task === 'test') {
      const { testRules } = await import('../../index.ts')
      const report = await testRules(ruleFiles(shell, values.repo ?? '', paths), signal)
      await printAnswer(terminal, values.json, report, verdict)
      const isClean =
        report.problems.length === 0 && report.tests.every(({ failures }) => failures.length === 0)
      return isClean ? exitCodes.clean : exitCodes.findings
    }
    if (task !== undefined)
      throw new UserError('usage', `\`${task}\` is not known; use \`sightline rules test\`.`)
    const { listRules } = await import('../../index.ts')
    const { rules: found, limits } = await listRules(pathIn(shell, values.repo ?? ''), shell.environment)
    const lines = found.map(({ id, languages, severity, message, builtIn, place }) => ({
      id,
      languages,
      severity,
      message,
      origin: builtIn ? 'built-in' : `${place.file}:${place.line}`,
    }))
    await printAnswer(terminal, values.json, { rules: lines, limits }, () =>
      listing(lines, limits, terminal.room),
    )
    return exitCodes.clean
  },
})

type Line = Pick<RuleLine, 'id' | 'languages' | 'severity' | 'message'> & { origin: string }

function listing(lines: readonly Line[], limits: readonly string[], room: number): string {
  const width = Math.max(0, ...lines.map(({ id }) => id.length))
  const rows = lines.flatMap(({ id, languages, severity, message, origin }) => [
    `${visibleLine(id).padEnd(width)}  ${severity.padEnd(8)}  ${languages.join(', ')}  (${visibleLine(origin)})`,
    ...wrapped(`${' '.repeat(width)}  ${visibleLine(message)}`, room, ' '.repeat(width + 2)),
  ])
  const unused =
    limits.length > 0
      ? ['', 'Not used:', ...limits.flatMap((limit) => wrapped(`  ${visibleLine(limit)}`, room, '    '))]
      : []
  const note = 'To turn a rule off, add it to rules.disable in .sightline.yaml.'
  return `${[...rows, ...unused, '', note].join('\n')}\n`
}

const largestFile = 256 * 1024
const defaultFolder = '.sightline/rules'

/** From the work tree, so that a rule can be tested before it is committed. Throws `usage` for what cannot be read. */
function ruleFiles(
  shell: Shell,
  repository: string,
  typed: readonly string[],
): { path: string; text: string }[] {
  const named = typed.length > 0 ? typed : [join(repository, defaultFolder)]
  return named
    .flatMap((path) => {
      const absolute = pathIn(shell, path)
      if (!isFolder(absolute)) return [path]
      return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.ya?ml$/.test(name))
        .sort()
        .map((name) => join(path, name))
    })
    .map((path) => {
      const text = readData(pathIn(shell, path), largestFile)?.toString('utf8')
      if (text === undefined)
        throw new UserError(
          'usage',
          `${path} cannot be read: name a file of rules of at most 256 KB, or a folder.`,
        )
      return { path, text }
    })
}

function verdict({ tests, problems }: { tests: readonly RuleTest[]; problems: readonly string[] }): string {
  const failed = tests.filter(({ failures }) => failures.length > 0)
  const lines = [
    ...problems,
    ...failed.flatMap(({ id, place, failures }) => [
      `${place.file}:${place.line} ${id}`,
      ...failures.map((words) => `  ${words}`),
    ]),
    ...tests
      .filter(({ snippets, failures }) => snippets === 0 && failures.length === 0)
      .map(({ id, place }) => `${place.file}:${place.line} ${id} has no tests.`),
  ].map((line) => visibleLine(line))
  const run = tests.reduce((sum, { snippets }) => sum + snippets, 0)
  const end = `${count(tests.length, 'rule')}, ${count(run, 'snippet')}: ${failed.length === 0 && problems.length === 0 ? 'all as expected' : `${count(failed.length + problems.length, 'problem')}`}.`
  return `${[...lines, end].join('\n')}\n`
}
