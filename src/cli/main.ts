/** The entry point of the command: finds the command, runs it, and turns whatever happens into an exit code. */
import { exitCodes, UserError } from '../base/errors.ts'
import type { Command, Invocation } from './command.ts'
import { commandNames, earlierCalls, loadCommand } from './commands/registry.ts'
import { describeFailure, printFailure } from './failure.ts'
import { isLasting, lastingPatienceMs, listenForInterrupt } from './interrupt.ts'
import { processShell, type Shell } from './shell.ts'
import { joinSupervision } from './supervision/supervised.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** A process that does nothing else. `argv` without Node and script. Resolves to the exit code; never rejects. */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = openTerminal(processShell)
  const { signal, stop } = listenForInterrupt({
    supervision: joinSupervision(),
    ...(isLasting(argv) ? { patienceMs: lastingPatienceMs } : {}),
  })
  // A command that waits only for a child it does not hold on to must not end before its answer.
  const awake = setInterval(() => {}, 60_000)
  // A fault outside every awaited call, say in a stream's callback, must not end in a bare stack.
  process.once('uncaughtException', (error) => {
    void reportFailure(error, argv, terminal, signal).then((code) => process.exit(code))
  })
  const code = await runCommand(argv, processShell, signal, terminal)
  clearInterval(awake)
  stop()
  return code
}

/** One command in a process that goes on after it. Resolves to the exit code; never rejects. */
export async function runCommand(
  argv: readonly string[],
  shell: Shell,
  signal: AbortSignal,
  terminal: Terminal = openTerminal(shell),
): Promise<number> {
  try {
    const code = await dispatch(argv, { terminal, shell, signal })
    return signal.aborted && !isLasting(argv) ? exitCodes.interrupted : code
  } catch (error) {
    return await reportFailure(error, argv, terminal, signal)
  }
}

async function dispatch(
  argv: readonly string[],
  called: Pick<Invocation<unknown>, 'terminal' | 'shell' | 'signal'>,
): Promise<number> {
  const [typed = 'help', ...others] = argv
  const [name = typed, ...before] = earlierCalls.get(typed) ?? []
  const rest = [...before, ...others]
  const command = await findCommand(spokenNames.get(name) ?? name)
  if (command.name !== 'help' && asksForHelp(rest)) {
    const { help } = await import('./commands/help.ts')
    return await help.run({ values: {}, operands: [command.name], ...called })
  }
  const { readArguments } = await import('./input/read-arguments.ts')
  return await command.run({ ...readArguments(command, rest), ...called })
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
  signal: AbortSignal,
): Promise<number> {
  const failure = describeFailure(error, signal.aborted)
  await printFailure(failure, argv, terminal)
  if (failure.record.code === 'internal') await (await import('./telemetry.ts')).sendException(error, argv[0])
  return failure.exitCode
}
