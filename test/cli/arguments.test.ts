/** How arguments are written: values, switches, lists and operands, in every form that people type. */
import { expect, test } from 'vitest'
import { defineCommand } from '../../src/cli/command.ts'
import { flag, integer, list, text } from '../../src/cli/input/options.ts'
import { readArguments } from '../../src/cli/input/read-arguments.ts'

const options = {
  quiet: flag('says less', '-q'),
  'no-agent': flag('asks once'),
  base: text('REF', 'compares with it'),
  only: list('NAME', 'runs these'),
  'max-inline': integer(0, 100, 'comments'),
}
const commandOf = (operand: string | null) =>
  defineCommand({ name: 'try', summary: '', operand, options, examples: [], run: async () => 0 })
const read = (argv: readonly string[], operand: string | null = 'PATH...') =>
  readArguments(commandOf(operand), argv)
const nothing = { quiet: false, 'no-agent': false, base: undefined, only: [], 'max-inline': undefined }

test('options before, between and after operands, with a space or an equals sign, and none by default', () => {
  expect(read([])).toEqual({ values: nothing, operands: [] })
  expect(read(['a', '--base', 'main', 'b', '-q'])).toEqual({
    values: { ...nothing, base: 'main', quiet: true },
    operands: ['a', 'b'],
  })
  expect(read(['--base=a=b', '--no-agent', '--max-inline=7']).values).toEqual({
    ...nothing,
    base: 'a=b',
    'no-agent': true,
    'max-inline': 7,
  })
  expect(read(['--only', 'a,b', '--only=c']).values.only).toEqual(['a', 'b', 'c'])
  expect(read(['--base', 'one', '--base', 'two']).values.base).toBe('two')
})

test('a value may look like an option; after -- everything is an operand; - is one', () => {
  expect(read(['--base', '-q']).values).toEqual({ ...nothing, base: '-q' })
  expect(read(['-', '--', '--base', '-q'])).toEqual({ values: nothing, operands: ['-', '--base', '-q'] })
})

test.each([
  [['--bse', 'x'], "unknown option '--bse' (Did you mean --base?)"],
  [['--frobnicate=1'], "unknown option '--frobnicate'"],
  [['--no-quiet'], "unknown option '--no-quiet'"],
  [['-x'], "unknown option '-x'"],
  [['-qx'], "unknown option '-x'"],
  [['--__proto__=1'], "unknown option '--__proto__'"],
  [['--constructor'], "unknown option '--constructor'"],
  [['--quiet=no'], "option '--quiet' takes no value"],
  [['--base'], "option '--base <REF>' argument missing"],
  [['--base='], '--base: its value is empty.'],
  [['--max-inline', '101'], '--max-inline: `101` is not a whole number from 0 to 100.'],
])('%j is refused: %s', (argv, message) => {
  expect(() => read(argv)).toThrow(expect.objectContaining({ code: 'usage', message }))
})

test('more operands than a command takes are refused', () => {
  expect(() => read(['a'], null)).toThrow("too many arguments for 'try': it takes none, and got 1")
  expect(() => read(['a', 'b'], 'RUN')).toThrow("too many arguments for 'try': it takes one, RUN, and got 2")
})
