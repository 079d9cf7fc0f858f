/** The two streams a person or a program reads, and what each can show. */
import { constants } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathNamed, writeNamed } from '../base/below.ts'
import { UserError } from '../base/errors.ts'
import { asciiJson, withoutRunnerCommands } from './output/safe-text.ts'
import { type Output, pathIn, type Shell } from './shell.ts'

export interface Terminal {
  /** Columns of the terminal now; 80 where there is none. */
  readonly width: number
  /** Columns that a line of the result may take: a program that reads it gets all of each line. */
  readonly room: number
  /**
   * Result, on standard output. Resolves when the stream took it; a reader that went away is no error. Rejects with
   * `output-unwritable` when it cannot be written.
   */
  result(text: string): Promise<void>
  /** Everything else, on standard error. Never throws: there is no place left to complain. */
  note(text: string): void
  /** ANSI colours on this stream? `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` are heeded. */
  colors(stream: 'result' | 'note'): boolean
  /** May a line of the notes be drawn again and again? */
  readonly animated: boolean
  /** In a job of a CI service no person watches, even where there is a terminal. */
  readonly isJob: boolean
}

export function openTerminal({ stdout, stderr, environment: env }: Omit<Shell, 'folder'>): Terminal {
  // Elsewhere printed lines are not obeyed, and code such as `::std::move` stays as it is.
  const isJob = [env.CI, env.GITHUB_ACTIONS, env.TF_BUILD].some(isSet)
  const harmless = (text: string) => (isJob ? withoutRunnerCommands(text) : text)
  let readerLeft = false
  stdout.on('error', (error) => {
    readerLeft ||= saysReaderLeft(error)
  })
  stderr.on('error', () => {})
  return {
    get width() {
      return stdout.columns || stderr.columns || 80
    },
    get room() {
      return stdout.isTTY ? this.width : Number.POSITIVE_INFINITY
    },
    result: (text) =>
      new Promise((done, fail) => {
        const end = (error?: Error | null): void => {
          if (!error || saysReaderLeft(error)) done()
          else fail(unwritable('standard output', error))
        }
        if (readerLeft) done()
        else write(stdout, harmless(text), end)
      }),
    note: (text) => write(stderr, harmless(text), () => {}),
    colors: (name) => {
      const stream = name === 'result' ? stdout : stderr
      if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
      if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
      return stream.isTTY === true && env.TERM !== 'dumb'
    },
    isJob,
    animated: stderr.isTTY === true && env.TERM !== 'dumb' && !isSet(env.CI),
  }
}

/** As JSON for programs, else in words. */
export async function printAnswer<Answer>(
  terminal: Terminal,
  asJson: boolean,
  answer: Answer,
  describe: (answer: Answer) => string,
): Promise<void> {
  await terminal.result(asJson ? `${asciiJson(answer, 2)}\n` : describe(answer))
}

/** Each line cut to the terminal; whole where a program reads it. */
export async function fitted(text: string, { room }: Terminal): Promise<string> {
  if (room === Number.POSITIVE_INFINITY) return text
  const { clip } = await import('../pipeline/publish/terminal/text.ts')
  return text
    .split('\n')
    .map((line) => clip(line, room))
    .join('\n')
}

/** Asked before any work is done: throws `usage` when `typed` is a folder, or no file can be written there. */
export async function requireWritable(shell: Shell, typed: string): Promise<void> {
  try {
    const path = pathIn(shell, typed)
    // What is below the current folder is replaced, and not written to through a link.
    const look = pathNamed(shell.folder, typed) === null ? stat : lstat
    const there = await look(path).catch(() => null)
    if (there?.isDirectory()) throw new Error('it is a folder')
    await access(there && !there.isSymbolicLink() ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw new UserError('usage', `--output: ${typed} cannot be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Writes a result into a file instead. Throws `output-unwritable`. */
export async function writeResultFile(shell: Shell, typed: string, text: string): Promise<void> {
  try {
    writeNamed(shell.folder, typed, text)
  } catch (error) {
    throw unwritable(typed, error as Error)
  }
}

/** What is written to a file is written at once, and then a full disk is thrown instead of handed to `end`. */
function write(stream: Output, text: string, end: (error?: Error | null) => void): void {
  try {
    stream.write(text, end)
  } catch (error) {
    end(error as Error)
  }
}

/** `sightline review | head -1`: the reader has left, which is not an error of the review. */
function saysReaderLeft({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

function unwritable(where: string, error: Error): UserError {
  return new UserError('output-unwritable', `${where}: ${error.message}`, { cause: error })
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== '0' && variable !== 'false'
}
