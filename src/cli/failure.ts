/** What is said, and which exit code is given, when a command fails. */
import { errorTable, exitCodes, UserError } from '../base/errors.ts'
import { redactText } from '../base/secrets/redact.ts'
import { visibleText } from '../base/visible-text.ts'
import { asciiJson } from './output/safe-text.ts'
import type { Terminal } from './terminal.ts'

export type Failure = {
  exitCode: number
  /** For people, on standard error. */
  message: string
  /** For machines: `{"error": …}` on standard output with --json, an NDJSON line with --progress. */
  record: { code: string; title: string; detail: string; help: string; exitCode: number }
}

export function describeFailure(error: unknown, interrupted: boolean): Failure {
  if (interrupted) return describe('interrupted', 'Interrupted', '', '', exitCodes.interrupted)
  if (error instanceof UserError) {
    const { title, help, exit } = errorTable[error.code]
    return describe(error.code, title, error.message, help, exit)
  }
  const ofSystem = ofTheSystem(error)
  if (ofSystem !== null) {
    const { title, help, exit } = errorTable[ofSystem]
    return describe(ofSystem, title, (error as Error).message, help, exit)
  }
  return describe(
    'internal',
    'Internal error in Sightline',
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    'Please report this bug with the lines above.',
    exitCodes.couldNotReview,
  )
}

/** On standard error for people or as an event; with --json on standard output too. */
export async function printFailure(
  failure: Failure,
  argv: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const asEvents = argv.includes('--progress')
  terminal.note(asEvents ? `${asciiJson({ type: 'error', ...failure.record })}\n` : failure.message)
  if (argv.includes('--json'))
    // Standard output may be what failed.
    await terminal.result(`${asciiJson({ error: failure.record }, 2)}\n`).catch(() => {})
}

/** What the system says of a disk that is full, over its quota or read-only. */
const noRoom = /^(?:ENOSPC|EDQUOT|EROFS)$/
/** And where a right, memory, files or processes are lacking, or a disk is broken. What we ask wrongly is a bug of ours. */
const refused = /^(?:EACCES|EAGAIN|EBUSY|EIO|EMFILE|ENFILE|ENOMEM|EPERM|ESTALE|ETXTBSY)$/

function ofTheSystem(error: unknown): 'disk-unusable' | 'system-refused' | null {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) return null
  return noRoom.test(code) ? 'disk-unusable' : refused.test(code) ? 'system-refused' : null
}

function describe(code: string, title: string, words: string, help: string, exitCode: number): Failure {
  // Details quote refs, paths, addresses and git's own words: foreign text on its way to a terminal.
  const detail = redactText(words)
  // Several lines of them begin on a line of their own.
  const first = detail === '' ? title : `${title}:${detail.includes('\n') ? '\n' : ' '}${detail}`
  const lines = [first, help].filter((line) => line !== '')
  return {
    exitCode,
    message: `sightline: ${visibleText(lines.join('\n'))}\n`,
    record: { code, title, detail, help, exitCode },
  }
}
