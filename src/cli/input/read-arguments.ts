/** Reads a command's arguments with commander, and says of what is wrong what was probably meant. */

import { CommanderError, Command as Parser, Option as ParserOption } from 'commander'
import { UserError } from '../../base/errors.ts'
import { joinLines } from '../../base/trim-text.ts'
import type { Command, Option } from '../command.ts'
import { InvalidValue } from './options.ts'

export type ReadArguments = {
  values: Readonly<Record<string, unknown>>
  operands: readonly string[]
}

/** Throws `UserError('usage')`. Help is not asked for here: `main` answers `--help` before. */
export function readArguments(command: Command, argv: readonly string[]): ReadArguments {
  const parser = createParser(command)
  try {
    parser.parse([...argv], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) throw new UserError('usage', ownWords(error.message))
    throw error
  }
  const names = Object.keys(command.options)
  return {
    values: Object.fromEntries(names.map((name) => [name, parser.getOptionValue(name)])),
    operands: parser.args,
  }
}

function createParser(command: Command): Parser {
  const parser = new Parser(command.name)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false)
    .allowExcessArguments(false)
  if (command.operand !== null) parser.argument(`[${command.operand}]`)
  for (const [name, option] of Object.entries(command.options)) parser.addOption(toParser(name, option))
  return parser
}

function toParser(name: string, option: Option): ParserOption {
  const short = option.short === null ? '' : `${option.short}, `
  const value = option.placeholder === null ? '' : ` <${option.placeholder}>`
  const made = new ParserOption(`${short}--${name}${value}`)
  // Values are kept under the name as it is typed, not under a camel-cased or negated one.
  made.attributeName = () => name
  made.negate = false
  if (option.placeholder === null) return made.default(false)
  if (option.repeatable) made.default([])
  return made.argParser((typed: string, previous: unknown) => {
    try {
      const value = option.read(typed)
      if (option.repeatable) return [previous, value].flat()
      return value
    } catch (error) {
      if (error instanceof InvalidValue) throw new UserError('usage', `--${name}: ${error.message}`)
      throw error
    }
  })
}

/** `error: unknown option '--x'\n(Did you mean --y?)` → `unknown option '--x' (Did you mean --y?)`. */
function ownWords(message: string): string {
  return joinLines(message.replace(/^error: /, ''))
}
