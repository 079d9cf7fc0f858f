/** `sightline completions SHELL`: a script that completes commands, options and their values. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { type Command, type CommandText, defineCommand } from '../command.ts'
import { completedCommand } from '../completions/contract.ts'
import { shells } from '../completions/registry.ts'
import { commandNames, loadCommand } from './registry.ts'

const names = Object.keys(shells)

/** Of the commands that read the list of commands, apart from them, since they know this one. */
export const helpText = {
  name: 'help',
  summary: 'List the commands, or show help for one command.',
  operand: 'COMMAND',
  options: {},
  examples: [],
} satisfies CommandText

export const manualText = {
  ...helpText,
  name: 'manual',
  summary: 'Print the man page.',
  operand: null,
} satisfies CommandText

export const completions: Command = defineCommand({
  name: 'completions',
  summary: 'Print a script that completes commands and options in your shell.',
  operand: 'bash|zsh|fish|powershell',
  options: {},
  examples: [
    'source <(sightline completions bash)  # in ~/.bashrc',
    'source <(sightline completions zsh)  # in ~/.zshrc, below compinit',
    'sightline completions fish > ~/.config/fish/completions/sightline.fish  # once',
    'sightline completions powershell | Out-String | Invoke-Expression  # in $PROFILE',
  ],
  async run({ operands: [shell], terminal }) {
    const known = Object.entries(shells).find(([name]) => name === shell)
    if (!known) throw new UserError('usage', `name the shell: ${names.join(', ')}.`)
    const [, write] = known
    const commands = await Promise.all(commandNames.map((name) => loadCommand(name)))
    const all: CommandText[] = [...commands, completions, manualText, helpText]
    const [{ operations }, { actions }, { listPlaneNames }] = await Promise.all([
      import('./admin.ts'),
      import('./memory.ts'),
      import('../../index.ts'),
    ])
    const first = { admin: operations, help: commandNames, mcp: ['trust'], memory: actions, rules: ['test'] }
    const words = { operands: first, planes: listPlaneNames() }
    await terminal.result(write(all.map((one) => completedCommand(one, words))))
    return exitCodes.clean
  },
})
