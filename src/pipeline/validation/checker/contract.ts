/** What a checker is: somebody who knows types, a compiler or a language server, and can be asked about both sides. */
import type { Side } from '../../../domain/change-set.ts'

/** 1-based line, 0-based column in UTF-16 units. */
export type CheckedPlace = { path: string; line: number; column: number }

/** An error; warnings and hints do not count. */
export type Problem = CheckedPlace & {
  endLine: number
  /** Exclusive. */
  endColumn: number
  /**
   * Words of the file that the checker's message holds too, each once, in order. The message itself is not told: it may
   * quote files that are not reviewed.
   */
  names: readonly string[]
  /** The same for the same message. */
  messageId: string
  /** What the checker calls it; null when it has no name. */
  code: string | null
  /** It misses what no checker gets to see here, such as an installed package. */
  isAbsence: boolean
}

/** `by` who gave it and in which version: `typescript 7.0.2`. */
export type Told<Answer> = Answer & { by: string }

export type Problems = Told<{
  /** In order of place. */
  problems: readonly Problem[]
  /** Where it names none and knows the types, they fit. */
  checksTypes: boolean
  /** False where a name that it does not know may be a global of a package that it was not given. */
  knowsGlobals: boolean
}>

/**
 * Null is no answer: there is no checker for the language, it did not read everything, it failed, or the time for it is
 * used up. No question throws, and each ends in time. Except for `problems`, all are about the head.
 */
export interface Checker {
  problems(side: Side, path: string): Promise<Problems | null>
  /** Of the file, if `text` stood in it and all others were as they are. */
  problemsWith(path: string, text: string): Promise<Problems | null>
  /** `outside`: places beyond the repository. */
  definition(at: CheckedPlace): Promise<Told<{ places: readonly CheckedPlace[]; outside: number }> | null>
  /** Uses of what is defined at the place, without the place itself. */
  references(at: CheckedPlace): Promise<Told<{ places: readonly CheckedPlace[] }> | null>
  /** Whether it knows the type of the name at the place; a type that everything fits is not known. */
  type(at: CheckedPlace): Promise<Told<{ isKnown: boolean }> | null>
}
