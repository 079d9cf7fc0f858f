/** The two streams a person or a program reads, and what each can show. */
import { writeFile } from 'node:fs/promises'
import { UserError } from '../base/errors.ts'
import { withoutRunnerCommands } from './output/runner-words.ts'

export interface Terminal {
  /** Columns of the terminal now; 80 where there is none. */
  readonly width: number
  /** Result, on standard output. Resolves when the stream took it; a reader that went away is no error. */
  result(text: string): Promise<void>
  /** Everything else, on standard error. */
  note(text: string): void
  /** ANSI colours on this stream? `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` are heeded. */
  colors(stream: 'result' | 'note'): boolean
  /** May a line of the notes be drawn again and again? */
  readonly animated: boolean
}

export function openTerminal(): Terminal {
  const { stdout, stderr, env } = process
  // Elsewhere nobody obeys printed lines, and code such as `::std::move` stays as it is.
  const isJob = [env.CI, env.GITHUB_ACTIONS, env.TF_BUILD].some(isSet)
  const harmless = (text: string) => (isJob ? withoutRunnerCommands(text) : text)
  let readerLeft = false
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `sightline review | head -1`: nobody reads on, which is no fault of the review.
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
      readerLeft ||= stream === stdout
    })
  return {
    get width() {
      return stdout.columns || stderr.columns || 80
    },
    result: (text) =>
      new Promise((resolve) => {
        if (readerLeft) resolve()
        else stdout.write(harmless(text), () => resolve())
      }),
    note: (text) => void stderr.write(harmless(text)),
    colors: (name) => {
      const stream = name === 'result' ? stdout : stderr
      if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
      if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
      return stream.isTTY === true && env.TERM !== 'dumb'
    },
    animated: stderr.isTTY === true && env.TERM !== 'dumb' && !isSet(env.CI),
  }
}

/** Writes a result into a file instead; what the system has against it becomes a message with a way out. */
export async function writeResultFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new UserError('usage', `--output: ${(error as Error).message}`, { cause: error })
  }
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== '0' && variable !== 'false'
}
