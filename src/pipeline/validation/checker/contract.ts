/** What a checker is: a compiler or a language server, which knows the types on both sides of the change. */
import type { Side } from '../../../domain/change-set.ts'

/** 1-based line, 0-based column in UTF-16 units. */
export type CheckedPlace = { path: string; line: number; column: number }

/** An error; warnings and hints do not count. */
export type Problem = CheckedPlace & {
  endLine: number
  /** Exclusive. */
  endColumn: number
  /**
   * Words of the file that are also in the checker's message, each once, in order. The message itself is left out: it may
   * quote files that are not reviewed.
   */
  names: readonly string[]
  /** The same for the same message. */
  messageId: string
  /** The checker's code for it; null when it has none. */
  code: string | null
  /** It is about something that is never available here, such as an installed package. */
  isAbsence: boolean
}

/** `by`: the checker and its version, as in `typescript 7.0.2`. */
export type Attributed<Answer> = Answer & { by: string }

export type Problems = Attributed<{
  /** In order of place. */
  problems: readonly Problem[]
  /** It knows the types, so that no problem means that they fit. */
  checksTypes: boolean
  /** False when an unknown name may be a global of a package that is not available here. */
  knowsGlobals: boolean
}>

/**
 * Null means that there is no answer: no checker for the language, an incomplete read, a failure, or no time left. No
 * method throws, and each ends in time. All except `problems` are about the head.
 */
export interface Checker {
  problems(side: Side, path: string): Promise<Problems | null>
  /** Of the file if its content were `text` and all other files were unchanged. */
  problemsWith(path: string, text: string): Promise<Problems | null>
  /** `outside`: places beyond the repository. */
  definition(
    at: CheckedPlace,
  ): Promise<Attributed<{ places: readonly CheckedPlace[]; outside: number }> | null>
  /** Uses of what is defined at the place, without the place itself. */
  references(at: CheckedPlace): Promise<Attributed<{ places: readonly CheckedPlace[] }> | null>
  /** Whether it knows the type of the name at the place; `any` does not count. */
  type(at: CheckedPlace): Promise<Attributed<{ isKnown: boolean }> | null>
}
