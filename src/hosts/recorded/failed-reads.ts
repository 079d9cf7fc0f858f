/** Reads that failed: kept by their question, and failed again in the same words. */
import { type ErrorCode, errorTable, UserError } from '../../base/errors.ts'
import type { FailedReads } from './reads.ts'

export type FailureRecorder = {
  /** Hands on what `reading` gives, and keeps a `UserError` of it for each of the questions. */
  noting<Answer>(questions: readonly string[], reading: Promise<Answer>): Promise<Answer>
  reads(): { failed?: FailedReads }
}

export function recordFailures(): FailureRecorder {
  const failed = new Map<string, FailedReads[number][1]>()
  return {
    async noting(questions, reading) {
      try {
        return await reading
      } catch (error) {
        if (error instanceof UserError)
          for (const question of questions) failed.set(question, { code: error.code, detail: error.message })
        throw error
      }
    },
    reads: () => (failed.size === 0 ? {} : { failed: [...failed].sort(([a], [b]) => (a < b ? -1 : 1)) }),
  }
}

/** Throws as the recorded read did; does nothing for a question that did not fail. */
export function failAgain(failed: FailedReads | undefined, question: string): void {
  const known = failed?.find(([name]) => name === question)?.[1]
  if (known && isCode(known.code)) throw new UserError(known.code, known.detail)
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
