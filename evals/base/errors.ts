/** Errors that whoever runs an evaluation can fix: what, where, and the way out, with an exit code. */
import { exitCodes, UserError } from '../../src/index.ts'

/** One row per error code, as in the product's own table. */
const errorTable = {
  'cases-invalid': {
    title: 'A set of cases cannot be read',
    help: 'docs/contributing/evals.md describes the format of a case.',
    exit: exitCodes.usage,
  },
  'repository-unavailable': {
    title: 'The repository of a case cannot be fetched',
    help: 'Name a folder that holds OWNER+NAME/repo with --mirrors, or give the case a `url`.',
    exit: exitCodes.couldNotReview,
  },
  'evaluation-unreadable': {
    title: 'This folder does not hold this evaluation',
    help: 'Name the folder that `npm run evals -- run --out FOLDER` wrote; a changed set or depth needs another folder.',
    exit: exitCodes.usage,
  },
  usage: {
    title: 'Invalid usage',
    help: '`npm run evals -- --help` lists the commands and their options.',
    exit: exitCodes.usage,
  },
} as const

export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
  readonly code: keyof typeof errorTable

  /** `detail` says what exactly and where. */
  constructor(code: keyof typeof errorTable, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }

  get exitCode(): number {
    return errorTable[this.code].exit
  }

  /** Title with detail, then the way out. */
  get report(): string {
    const { title, help } = errorTable[this.code]
    return `${title}: ${this.message}\n${help}`
  }
}

/** An error that somebody can fix, ours or the product's; anything else is a bug. */
export function isFixable(error: unknown): error is EvaluationError | UserError {
  return error instanceof EvaluationError || error instanceof UserError
}

/** As a report shows it, or the bare message of a bug. */
export function messageOf(error: unknown): string {
  if (isFixable(error)) return error.report
  return error instanceof Error ? error.message : String(error)
}
