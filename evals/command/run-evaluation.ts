/** Measures reviews on changes whose faults are known. Without a command it runs the self-contained set. */
import {
  createFactStore,
  defaultCacheFolder,
  exitCodes,
  type IndexStore,
  visibleText,
} from '../../src/index.ts'
import { EvaluationError, isFixable } from '../base/errors.ts'
import type { Output } from './contract.ts'
import { optionGroups, readArguments } from './options.ts'
import { commands } from './registry.ts'
import { evaluateWorlds } from './worlds.ts'

export type EvaluationShell = Output & {
  readonly signal: AbortSignal
  /** Facts that outlive the call; it opens its own when not given. */
  readonly facts?: IndexStore
}

/** `argv` without Node and script. Resolves to the exit code. */
export async function runEvaluation(argv: readonly string[], shell: EvaluationShell): Promise<number> {
  const facts = shell.facts ?? createFactStore({ cacheFolder: defaultCacheFolder() })
  try {
    return await dispatch(argv, shell, facts)
  } catch (error) {
    if (shell.signal.aborted) return exitCodes.interrupted
    if (!isFixable(error)) throw error
    shell.note(visibleText(error.report))
    return error.exitCode
  } finally {
    if (!shell.facts) await facts.close()
  }
}

async function dispatch(argv: readonly string[], shell: EvaluationShell, facts: IndexStore): Promise<number> {
  const { values, operands: typed } = readArguments(argv)
  const { signal } = shell
  const output: Output = {
    result: shell.result,
    note: (line) => {
      if (!values.quiet) shell.note(line)
    },
  }
  if (values.help) {
    output.result(helpText())
    return exitCodes.clean
  }
  const [name, ...operands] = typed
  if (name === undefined) return await evaluateWorlds({ values, operands, output, facts, signal })
  const command = commands.get(name)
  if (!command)
    throw new EvaluationError(
      'usage',
      `unknown command \`${name}\`; expected ${[...commands.keys()].join(', ')}`,
    )
  const several = command.operands.at(-1)?.endsWith('...') ?? false
  const { length } = command.operands
  if (operands.length < length || (operands.length > length && !several))
    throw new EvaluationError('usage', `\`${name}\` takes ${command.operands.join(' and ')}`)
  return await command.run({ values, operands, output, facts, signal })
}

function helpText(): string {
  const calls = [...commands].map(
    ([name, { operands, summary }]): Row => [[name, ...operands].join(' '), summary],
  )
  const groups = optionGroups.flatMap(({ title, options }) => [
    `\n${title}:\n`,
    ...tableOf(
      Object.entries(options).map(
        ([name, { placeholder, short, about }]): Row => [
          `${short ? `-${short}, ` : ''}--${name}${placeholder === null ? '' : ` ${placeholder}`}`,
          about,
        ],
      ),
    ),
  ])
  return [
    'Usage: npm run evals -- [COMMAND] [OPTIONS]\n\n',
    'Measure reviews on changes whose faults are known. Without a command, run the\n',
    'self-contained set: no network, no key, no other repository.\n\nCommands:\n',
    ...tableOf(calls),
    ...groups,
  ].join('')
}

type Row = readonly [left: string, right: string]

/** A long left side has a line of its own. */
function tableOf(rows: readonly Row[]): string[] {
  const width = 24
  return rows.map(([left, right]) =>
    left.length < width ? `  ${left.padEnd(width)}${right}\n` : `  ${left}\n  ${' '.repeat(width)}${right}\n`,
  )
}
