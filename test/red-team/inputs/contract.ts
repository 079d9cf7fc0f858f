/** What a hostile input is: a repository, a patch or a run that shall cost a review dearly, or blind it. */

export type HostileInput = {
  name: string
  base?: Record<string, string>
  head?: Record<string, string>
  message?: string
  author?: string
  /** On standard input, instead of the last commit. */
  patch?: string
  /** A ticket's text, as `--ticket FILE`. */
  ticket?: string
  /** Builds what two trees of files cannot say; returns the arguments of the command, or null for the last commit. */
  build?: (repository: Repository) => string[] | null
  /** The exit codes that are right; those of a review when not given. */
  codes?: readonly number[]
  /** What the report or the message says. */
  says?: RegExp
}

export type Repository = {
  path: string
  /** Runs git in it; returns its standard output, trimmed. */
  git(...args: string[]): string
}
