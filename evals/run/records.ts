/** One record a case in a folder. Files appear whole under their names, so that a killed evaluation goes on. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { EvaluationError } from '../base/errors.ts'
import { sha256 } from '../base/text.ts'

export type Records<Kept> = {
  /** Null when there is none yet. Throws `evaluation-unreadable` for a damaged one. */
  find(id: string): Kept | null
  keep(record: Kept): void
}

export function recordsIn<Kept extends { case: string }>(
  folder: string,
  schema: z.ZodType<Kept>,
): Records<Kept> {
  const fileOf = (id: string) => join(folder, `${sha256(id).slice(0, 32)}.json`)
  return {
    find(id) {
      const file = fileOf(id)
      if (!existsSync(file)) return null
      try {
        return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
      } catch (error) {
        throw unreadable(file, error)
      }
    },
    keep: (record) => writeWhole(fileOf(record.case), `${JSON.stringify(record)}\n`),
  }
}

/** Writes a file that is either not there or whole, and its folder. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, text)
  renameSync(draft, file)
}

export function unreadable(place: string, error: unknown): EvaluationError {
  const why = error instanceof Error ? error.message : String(error)
  return new EvaluationError('evaluation-unreadable', `${place}: ${why.slice(0, 500)}`, { cause: error })
}
