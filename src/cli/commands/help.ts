/** `sightline help [COMMAND]`: written from the same data from which arguments are read. */
import { styleText } from 'node:util'
import { exitCodes, UserError } from '../../base/errors.ts'
import { nearestWord } from '../../config/nearest-word.ts'
import { type Command, type CommandText, defineCommand, type Option } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { completions } from './completions.ts'
import { manual } from './manual.ts'
import { type CommandName, commandGroups, commandNames, loadCommand } from './registry.ts'

export const help = defineCommand({
  name: 'help',
  summary: 'List the commands, or show help for one command.',
  operand: 'COMMAND',
  options: {},
  examples: [],
  async run({ operands: [name], terminal }) {
    await terminal.result(name === undefined ? await overview(terminal) : await commandHelp(name, terminal))
    return exitCodes.clean
  },
})

/** They read the list of commands, and so are not on it. */
function readers(): Command[] {
  return [completions, manual, help]
}

/** Throws `UserError('usage')` with the nearest name for one that is not known. */
export async function findCommand(typed: string): Promise<Command> {
  const own = readers().find(({ name }) => name === typed)
  if (own) return own
  const name = commandNames.find((known) => known === typed)
  if (name !== undefined) return await loadCommand(name)
  const names = [...commandNames, ...readers().map((one) => one.name)]
  const near = nearestWord(typed, names)
  const hint = near === null ? `The commands are ${names.join(', ')}.` : `Did you mean \`${near}\`?`
  throw new UserError('usage', `unknown command \`${typed}\`. ${hint}`)
}

async function overview(terminal: Terminal): Promise<string> {
  const heading = painter(terminal)
  const load = async (names: readonly CommandName[]) => await Promise.all(names.map(loadCommand))
  const groups = await Promise.all(
    commandGroups.map(async ({ title, names }) => ({ title, commands: await load(names) })),
  )
  const all = [...groups, { title: 'Help', commands: readers() }]
  const widest = Math.max(...all.flatMap(({ commands }) => commands.map(({ name }) => name.length)))
  return lines(
    'Sightline reviews changes to a git repository and shows evidence for every finding.',
    '',
    heading('Usage'),
    '  sightline COMMAND [OPTIONS]',
    ...all.flatMap(({ title, commands }) =>
      section(heading(title), table(commands.map(({ name, summary }) => [name.padEnd(widest), summary]))),
    ),
    '',
    'Start with `sightline review`. For the options of a command, run `sightline help COMMAND`.',
  )
}

async function commandHelp(name: string, terminal: Terminal): Promise<string> {
  const command = await findCommand(name)
  const heading = painter(terminal)
  const operand = command.operand === null ? '' : ` [${command.operand}]`
  const options = Object.entries(command.options)
  return lines(
    command.summary,
    '',
    heading('Usage'),
    `  sightline ${command.name}${operand}${options.length > 0 ? ' [OPTIONS]' : ''}`,
    ...section(heading('Options'), table(options.map(([word, option]) => optionRow(word, option)))),
    ...section(heading('Examples'), exampleRows(command)),
  )
}

function optionRow(name: string, option: Option): [string, string] {
  const short = option.short === null ? '' : `${option.short}, `
  const value = option.placeholder === null ? '' : ` ${option.placeholder}`
  return [`${short}--${name}${value}`, option.about]
}

function exampleRows(command: CommandText): string[] {
  return table(
    command.examples.map((example) => {
      const [call = '', what = ''] = example.split('  # ')
      return [call, what]
    }),
  )
}

/** Two columns; a left side that is too long gets a line of its own. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const widest = Math.min(Math.max(0, ...rows.map(([left]) => left.length)), 34)
  return rows.flatMap(([left, right]) =>
    left.length > widest && right !== ''
      ? [`  ${left}`, `  ${' '.repeat(widest)}  ${right}`]
      : [`  ${left.padEnd(widest)}  ${right}`.trimEnd()],
  )
}

function section(heading: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : ['', heading, ...body]
}

function painter(terminal: Terminal): (text: string) => string {
  if (!terminal.colors('result')) return (text) => text
  return (text) => styleText('bold', text, { validateStream: false })
}

function lines(...all: string[]): string {
  return `${all.join('\n')}\n`
}
