/** Reads a command's arguments with Node's own parser, and says of a mistake what was probably meant. */
import { parseArgs } from 'node:util'
import { UserError } from '../../base/errors.ts'
import { nearestWord } from '../../config/nearest-word.ts'
import { type Command, type Options, unsetValues } from '../command.ts'
import { InvalidValue } from './options.ts'

export type ReadArguments = {
  values: Readonly<Record<string, unknown>>
  operands: readonly string[]
}

/** Throws `UserError('usage')`. Help is not asked for here: `main` answers `--help` before. */
export function readArguments(command: Command, argv: readonly string[]): ReadArguments {
  // Not strict, so that mistakes are reported in our words; the tokens say everything that was typed.
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(command.options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map(Object.entries<unknown>(unsetValues(command.options)))
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const value = readOption(command.options, token)
    const earlier = values.get(token.name)
    values.set(token.name, Array.isArray(earlier) ? earlier.concat(value) : value)
  }
  refuseExcess(command, operands)
  return { values: Object.fromEntries(values), operands }
}

function parserOptions(options: Options) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { placeholder, short }]) => [
      name,
      {
        type: placeholder === null ? ('boolean' as const) : ('string' as const),
        ...(short === null ? {} : { short: short.replace('-', '') }),
      },
    ]),
  )
}

type OptionToken = { name: string; rawName: string; value?: string | undefined }

function readOption(options: Options, { name, rawName, value }: OptionToken): unknown {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (!option) throw unknownOption(rawName, options)
  if (option.placeholder === null && value !== undefined)
    throw new UserError('usage', `option '${rawName}' takes no value`)
  if (option.placeholder !== null && value === undefined)
    throw new UserError('usage', `option '--${name} <${option.placeholder}>' argument missing`)
  try {
    return option.read(value ?? '')
  } catch (error) {
    if (error instanceof InvalidValue) throw new UserError('usage', `--${name}: ${error.message}`)
    throw error
  }
}

function unknownOption(typed: string, options: Options): UserError {
  const near = nearestWord(
    typed,
    Object.keys(options).map((name) => `--${name}`),
  )
  return new UserError('usage', `unknown option '${typed}'${near === null ? '' : ` (Did you mean ${near}?)`}`)
}

function refuseExcess({ name, operand }: Command, operands: readonly string[]): void {
  if (operand?.endsWith('...') || operands.length <= mostOperands(operand)) return
  const expected = operand === null ? 'none' : mostOperands(operand) === 1 ? `one, ${operand}` : operand
  throw new UserError(
    'usage',
    `too many arguments for '${name}': it takes ${expected}, and got ${operands.length}`,
  )
}

/** Of `[trust SERVER]` two, of `[RANGE | COMMIT]` one. */
function mostOperands(operand: string | null): number {
  const choices = operand === null ? [] : operand.split(' | ')
  return Math.max(0, ...choices.map((choice) => choice.split(' ').length))
}
