/**
 * What a run read of its repository, so that it can be gone through again without it. Everything that follows from these
 * reads (facts, findings, prompts) is computed again.
 */

import { z } from 'zod'
import { compareText } from '../../base/compare-text.ts'
import { type ErrorCode, errorTable, UserError } from '../../base/errors.ts'
import { AddedSecret, Unlisted } from '../../domain/change-set.ts'
import { ReviewRequest } from '../../domain/review-request.ts'
import { HistoryCommit } from '../../domain/snapshot.ts'

const Entry = z.object({ path: z.string(), mode: z.string(), blob: z.string(), size: z.number().nullable() })
const TextRef = z.object({ blob: z.string(), lossy: z.boolean() })

/** By name, as pairs: a path or a word may be `__proto__`, which no plain object can have as a key. */
const byName = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.string(), value]))

/** Reads that failed with what a user can fix, by question: a replay fails in the same words. */
export const FailedReads = byName(z.object({ code: z.string(), detail: z.string() })).optional()
export type FailedReads = NonNullable<z.infer<typeof FailedReads>>

/** Of one tree. A path that was asked for and is not there has null; texts are kept once, by blob. */
export const TreeReads = z.object({
  tree: z.string(),
  list: z.array(Entry).nullable(),
  /** By folder; what was listed of it alone. */
  below: byName(z.array(Entry)).optional(),
  entries: byName(Entry.nullable()),
  texts: byName(TextRef.nullable()),
  /** Null for a word that was asked for and not answered. */
  words: byName(z.array(z.string()).nullable()),
  failed: FailedReads,
})
export type TreeReads = z.infer<typeof TreeReads>

const FileDiff = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  status: z.string(),
  similarity: z.number().nullable(),
  oldMode: z.string().nullable(),
  newMode: z.string().nullable(),
  oldBlob: z.string().nullable(),
  newBlob: z.string().nullable(),
  added: z.number().nullable(),
  removed: z.number().nullable(),
  /** A character for each byte (Latin-1), so that it comes back byte for byte. */
  patch: z.string().nullable(),
  omitted: z.string().nullable(),
  secrets: z.array(AddedSecret).optional(),
})

export const ChangeReads = z.object({
  request: ReviewRequest,
  repositoryLabel: z.string(),
  diff: z
    .object({ files: z.array(FileDiff), overflow: z.array(z.string()), unlisted: Unlisted.optional() })
    .nullable(),
  base: TreeReads,
  head: TreeReads,
  /** By limit. */
  history: byName(z.object({ commits: z.array(HistoryCommit), complete: z.boolean() })),
  /** Texts by blob. */
  blobs: byName(z.string()),
})
export type ChangeReads = z.infer<typeof ChangeReads>

/** Reads that failed: kept by their question, and failed again in the same words. */
type FailureRecorder = {
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
    reads: () => (failed.size === 0 ? {} : { failed: [...failed].sort(([a], [b]) => compareText(a, b)) }),
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
