/** `sightline help [COMMAND]`: written from the same data from which arguments are read. */
import { styleText } from 'node:util'
import { exitCodes, UserError } from '../../base/errors.ts'
import { nearestWord } from '../../config/nearest-word.ts'
import { type Command, type CommandText, defineCommand, type Option } from '../command.ts'
import { wrapped } from '../output/wrapped.ts'
import type { Terminal } from '../terminal.ts'
import { completions } from './completions.ts'
import { manual } from './manual.ts'
import { type CommandName, commandGroups, commandNames, earlierCalls, loadCommand } from './registry.ts'

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
  const name = commandNames.find((known) => known === typed) ?? earlierCalls.get(typed)?.[0]
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
    ...wrapped(
      'Sightline reviews changes to a git repository and shows evidence for every finding.',
      terminal.width,
    ),
    '',
    heading('Usage'),
    '  sightline COMMAND [OPTIONS]',
    ...all.flatMap(({ title, commands }) =>
      section(
        heading(title),
        table(
          commands.map(({ name, summary }) => [name.padEnd(widest), summary]),
          terminal.width,
        ),
      ),
    ),
    '',
    ...wrapped(
      'Start with `sightline review`. For the options of a command, run `sightline help COMMAND`.',
      terminal.width,
    ),
  )
}

async function commandHelp(name: string, terminal: Terminal): Promise<string> {
  const command = await findCommand(name)
  const heading = painter(terminal)
  const operand = command.operand === null ? '' : ` [${command.operand}]`
  const options = Object.entries(command.options)
  return lines(
    ...wrapped(command.summary, terminal.width),
    '',
    heading('Usage'),
    `  sightline ${command.name}${operand}${options.length > 0 ? ' [OPTIONS]' : ''}`,
    ...section(
      heading('Options'),
      table(
        options.map(([word, option]) => optionRow(word, option)),
        terminal.width,
      ),
    ),
    ...section(heading('Examples'), table(exampleRows(command), terminal.width)),
  )
}

function optionRow(name: string, option: Option): [string, string] {
  const short = option.short === null ? '' : `${option.short}, `
  const value = option.placeholder === null ? '' : ` ${option.placeholder}`
  return [`${short}--${name}${value}`, option.about]
}

function exampleRows(command: CommandText): [string, string][] {
  return command.examples.map((example) => {
    const [call = '', what = ''] = example.split('  # ')
    return [call, what]
  })
}

/** Two columns, the right one wrapped; a left side that is too long gets a line of its own. */
function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const widest = Math.min(Math.max(0, ...rows.map(([left]) => left.length)), 30)
  const indent = ' '.repeat(widest + 4)
  return rows.flatMap(([left, right]) => {
    const [first = '', ...more] = wrapped(right, Math.max(width - indent.length, 30))
    const beside =
      left.length > widest && right !== ''
        ? [`  ${left}`, `${indent}${first}`]
        : [`  ${left.padEnd(widest)}  ${first}`.trimEnd()]
    return [...beside, ...more.map((line) => `${indent}${line}`)]
  })
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
