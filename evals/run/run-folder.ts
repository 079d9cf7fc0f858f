/**
 * The folder of an evaluation: `evaluation.json` (what it is), `cases.jsonl` (the set as it was), `reviews/` or
 * `retrieval/` with one file a case.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EvaluationError } from '../base/errors.ts'
import { canonicalJson, sha256 } from '../base/text.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { writeCase } from '../cases/formats/own.ts'
import { parseCases } from '../cases/read-cases.ts'
import { RecordedRetrieval } from '../retrieval/recorded-retrieval.ts'
import { RecordedReview } from './recorded-review.ts'
import { type Records, recordsIn, unreadable, writeWhole } from './records.ts'
import { EvalSettings } from './settings.ts'

const EvaluationHead = z.object({
  format: z.literal(1),
  /** The name of the set, for people. */
  set: z.string(),
  /** SHA-256 of `cases.jsonl`. */
  cases: z.string(),
  settings: EvalSettings,
})
export type EvaluationHead = z.infer<typeof EvaluationHead>

/** Itself the records of its reviews. */
export type RunFolder = Records<RecordedReview> & {
  readonly folder: string
  readonly head: EvaluationHead
  readonly cases: readonly EvalCase[]
  /** What was measured of the bundles, in an evaluation that measures those. */
  readonly retrieval: Records<RecordedRetrieval>
}

/** Begins an evaluation in a folder, or goes on with the one that is there when set and settings are the same. */
export function beginRunFolder(
  folder: string,
  set: string,
  cases: readonly EvalCase[],
  settings: EvalSettings,
): RunFolder {
  const text = `${cases.map(writeCase).join('\n')}\n`
  const head: EvaluationHead = { format: 1, set, cases: sha256(text), settings }
  if (existsSync(join(folder, 'evaluation.json'))) {
    const there = openRunFolder(folder)
    if (canonicalJson({ ...there.head, set }) !== canonicalJson(head))
      throw new EvaluationError(
        'evaluation-unreadable',
        `${folder} holds an evaluation of another set or depth`,
      )
    return there
  }
  writeWhole(join(folder, 'cases.jsonl'), text)
  writeWhole(join(folder, 'evaluation.json'), `${JSON.stringify(head, null, 2)}\n`)
  return withRecords(folder, head, cases)
}

/** Throws `evaluation-unreadable` when there is none, or when it was changed by hand. */
export function openRunFolder(folder: string): RunFolder {
  try {
    const head = EvaluationHead.parse(JSON.parse(readFileSync(join(folder, 'evaluation.json'), 'utf8')))
    const text = readFileSync(join(folder, 'cases.jsonl'), 'utf8')
    if (sha256(text) !== head.cases) throw new Error('its cases are not those it began with')
    return withRecords(folder, head, parseCases(text, join(folder, 'cases.jsonl')))
  } catch (error) {
    throw unreadable(folder, error)
  }
}

function withRecords(folder: string, head: EvaluationHead, cases: readonly EvalCase[]): RunFolder {
  const reviews = recordsIn(join(folder, 'reviews'), RecordedReview)
  const retrieval = recordsIn(join(folder, 'retrieval'), RecordedRetrieval)
  return { folder, head, cases, ...reviews, retrieval }
}
