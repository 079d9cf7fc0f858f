/** The command's door: finds the command, runs it, and turns whatever happens into an exit code. */
import { exitCodes, UserError } from '../base/errors.ts'
import type { Command } from './command.ts'
import { commandNames, loadCommand } from './commands/registry.ts'
import { describeFailure, tellFailure } from './failure.ts'
import { listenForInterrupt } from './interrupt.ts'
import { joinSupervision } from './supervision/supervised.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** `argv` without Node and script. Resolves to the exit code; never rejects. */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = openTerminal()
  const interrupt = listenForInterrupt({ supervision: joinSupervision() })
  // A command that waits only for a child it does not hold on to must not end before its answer.
  const awake = setInterval(() => {}, 60_000)
  const fail = (error: unknown) => reportFailure(error, argv, terminal, interrupt.signal.aborted)
  // A fault outside every awaited call, say in a stream's callback, must not end in a bare stack.
  process.once('uncaughtException', (error) => void fail(error).then((code) => process.exit(code)))
  try {
    const code = await dispatch(argv, terminal, interrupt.signal)
    return interrupt.signal.aborted ? exitCodes.interrupted : code
  } catch (error) {
    return await fail(error)
  } finally {
    clearInterval(awake)
    interrupt.stop()
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const [name = 'help', ...rest] = argv
  const command = await findCommand(spokenNames.get(name) ?? name)
  if (command.name !== 'help' && asksForHelp(rest)) {
    const { help } = await import('./commands/help.ts')
    return await help.run({ values: {}, operands: [command.name], terminal, signal })
  }
  const { readArguments } = await import('./input/read-arguments.ts')
  return await command.run({ ...readArguments(command, rest), terminal, signal })
}

const spokenNames = new Map([
  ['-h', 'help'],
  ['--help', 'help'],
  ['-v', 'version'],
  ['-V', 'version'],
  ['--version', 'version'],
])

/** A known command is loaded alone; only help and mistakes need the whole list. */
async function findCommand(typed: string): Promise<Command> {
  const name = commandNames.find((known) => known === typed)
  if (name !== undefined) return await loadCommand(name)
  if (typed.startsWith('-'))
    throw new UserError('usage', `options follow the command: \`sightline review ${typed}\`.`)
  const help = await import('./commands/help.ts')
  return await help.findCommand(typed)
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const options = end === -1 ? argv : argv.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

async function reportFailure(
  error: unknown,
  argv: readonly string[],
  terminal: Terminal,
  interrupted: boolean,
): Promise<number> {
  const failure = describeFailure(error, interrupted)
  await tellFailure(failure, argv, terminal)
  return failure.exitCode
}
