/** What a command is: data from which arguments are read and help is written, and one function that runs it. */
import type { Shell } from './shell.ts'
import type { Terminal } from './terminal.ts'

/** One `--option`. `read` turns what was typed into the value, and throws `InvalidValue` with what is allowed. */
export type Option<Value = unknown> = {
  /** The word for its value in help (`REF`); null for a switch. */
  readonly placeholder: string | null
  readonly about: string
  /** A short form such as `-q`. */
  readonly short: string | null
  /** Collected when given more than once. */
  readonly repeatable: boolean
  readonly read: (typed: string) => Value
}

/** Options by name, in kebab case, in the order help shows them. */
export type Options = Readonly<Record<string, Option>>

/** The values a command gets: switches are booleans, repeatable ones lists, all others may be undefined. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer Value> ? Value : never
}

/** What a command gets of options that were not given. */
export function unsetValues<O extends Options>(options: O): ValuesOf<O> {
  const unset = ({ placeholder, repeatable }: Option) =>
    placeholder === null ? false : repeatable ? [] : undefined
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, unset(option)]),
  ) as ValuesOf<O>
}

export type Invocation<Values> = {
  readonly values: Values
  readonly operands: readonly string[]
  readonly terminal: Terminal
  readonly shell: Shell
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal
}

export type CommandText = {
  readonly name: string
  readonly summary: string
  /** The operand in help, such as `[RANGE | COMMIT | PATCH-FILE]`; several may be given when it ends in `...`; null when it takes none. */
  readonly operand: string | null
  readonly options: Options
  /** Lines of `command  # what it does` below the options in help. */
  readonly examples: readonly string[]
}

export interface Command extends CommandText {
  /** Resolves to the exit code. What the user can fix is thrown as `UserError`. */
  run(invocation: Invocation<Readonly<Record<string, unknown>>>): Promise<number>
}

/** Ties the values that `run` gets to the options declared beside it. */
export function defineCommand<O extends Options>(
  command: Omit<CommandText, 'options'> & {
    readonly options: O
    run(invocation: Invocation<ValuesOf<O>>): Promise<number>
  },
): Command {
  return {
    ...command,
    // The values were read with these very options, so they have this very shape.
    run: (invocation) => command.run({ ...invocation, values: invocation.values as ValuesOf<O> }),
  }
}
