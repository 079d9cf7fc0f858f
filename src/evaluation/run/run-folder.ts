/**
 * The folder of an evaluation: `evaluation.json` (what it is), `cases.jsonl` (the set as it was), `reviews/` with one file
 * a case. Files appear whole under their names, so that a killed evaluation goes on where it stopped.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import { UserError } from '../../base/errors.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { writeCase } from '../cases/formats/own.ts'
import { parseCases } from '../cases/read-cases.ts'
import { RecordedReview } from './recorded-review.ts'
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

export type RunFolder = {
  readonly folder: string
  readonly head: EvaluationHead
  readonly cases: readonly EvalCase[]
  /** Null when the case was not reviewed yet. Throws `evaluation-unreadable` for a damaged record. */
  find(id: string): RecordedReview | null
  keep(record: RecordedReview): void
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
      throw new UserError('evaluation-unreadable', `${folder} holds an evaluation of another set or depth`)
    return there
  }
  mkdirSync(join(folder, 'reviews'), { recursive: true })
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
  const fileOf = (id: string) => join(folder, 'reviews', `${sha256(id).slice(0, 32)}.json`)
  return {
    folder,
    head,
    cases,
    find(id) {
      const file = fileOf(id)
      if (!existsSync(file)) return null
      try {
        return RecordedReview.parse(JSON.parse(readFileSync(file, 'utf8')))
      } catch (error) {
        throw unreadable(file, error)
      }
    },
    keep: (record) => writeWhole(fileOf(record.case), `${JSON.stringify(record)}\n`),
  }
}

/** Writes a file that is either not there or whole. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, text)
  renameSync(draft, file)
}

function unreadable(place: string, error: unknown): UserError {
  const why = error instanceof Error ? error.message : String(error)
  return new UserError('evaluation-unreadable', `${place}: ${why.slice(0, 500)}`, { cause: error })
}
