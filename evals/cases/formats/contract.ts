/** A way to write cases down. */
import type { EvalCase } from '../eval-case.ts'

export interface CaseFormat {
  readonly name: string
  /** True for a record of this format; the first format that recognises a record reads it. */
  recognises(record: Readonly<Record<string, unknown>>): boolean
  /** Throws a `ZodError` or an `Error` in words when the record is not whole. */
  read(record: Readonly<Record<string, unknown>>): EvalCase
}
