/** What a shell needs to know of the commands to complete them, and how a script for one is written. */
import type { CommandText, Option } from '../command.ts'

/** How a value is completed: one of a fixed set, a name of git, a file or folder; null for what only the user knows. */
export type ValueKind = readonly string[] | 'ref' | 'file' | null

export type CompletedOption = {
  /** `--quiet`, and `-q` where there is one. */
  names: readonly string[]
  about: string
  /** False for a switch. */
  takesValue: boolean
  value: ValueKind
}

export type CompletedCommand = {
  name: string
  summary: string
  options: readonly CompletedOption[]
  operand: ValueKind
}

/** A script that the shell reads once; it starts nothing but git. */
export type WriteScript = (commands: readonly CompletedCommand[]) => string

/** What to offer where the text of a command does not say it. */
export type KnownWords = {
  /** By command: what its first operand may be. */
  operands: Readonly<Record<string, readonly string[]>>
  planes: readonly string[]
}

export function completedCommand(
  { name, summary, operand, options }: CommandText,
  known: KnownWords,
): CompletedCommand {
  return {
    name,
    summary,
    options: Object.entries(options).map(([word, option]) => completedOption(word, option, known)),
    operand: known.operands[name] ?? (operand === null ? [] : kindOf(operand)),
  }
}

function completedOption(
  word: string,
  { placeholder, about, short }: Option,
  { planes }: KnownWords,
): CompletedOption {
  return {
    names: [`--${word}`, ...(short === null ? [] : [short])],
    about,
    takesValue: placeholder !== null,
    value: placeholder === null ? null : placeholder.startsWith('PLANE') ? planes : kindOf(placeholder),
  }
}

/** By the placeholder that help shows: `json|sarif`, `REF`, `FILE`. */
function kindOf(placeholder: string): ValueKind {
  if (/^[a-z][a-z0-9-]*(?:\|[a-z][a-z0-9-]*)+$/.test(placeholder)) return placeholder.split('|')
  const words = placeholder.split(/[^A-Z-]+/)
  if (words.some((word) => ['REF', 'BRANCH', 'COMMIT', 'RANGE'].includes(word))) return 'ref'
  return words.some((word) => /^(?:[A-Z]+-)?(?:FILE|FOLDER|PATH|DIR)$/.test(word)) ? 'file' : null
}
