/** The messages between the plane and its matching child process. */
import type { Matcher, Rule } from '../rule.ts'

/** `captures`: the names of single captures whose text is wanted; `fix`: a template to fill, or null. */
export type Question = { id: string; matcher: Matcher; captures: readonly string[]; fix: string | null }

/** The question that a rule puts to the engine. */
export function questionFor({ id, matcher, message, note, remedy, fix }: Rule): Question {
  const words = [message, note, remedy ?? ''].join('\n')
  const captures = [...words.matchAll(/\$([A-Z_][A-Z0-9_]*)/g)].map(([, name = '']) => name)
  return { id, matcher, captures: [...new Set(captures)], fix }
}

/**
 * `places`: only matches that cover one of them are wanted, in order; null for all. The line `n` is at `2 * n`, and what is
 * between it and the next one at `2 * n + 1`.
 */
export type AskedText = { text: string; places: readonly number[] | null }

export function wholeText(text: string): AskedText {
  return { text, places: null }
}

export type Batch = {
  language: string
  questions: readonly Question[]
  texts: readonly AskedText[]
  /** Matches returned for each text; further ones are only counted. */
  mostMatches: number
}

export type EngineMatch = {
  /** Position in `questions`. */
  question: number
  /** 1-based, inclusive. */
  startLine: number
  endLine: number
  text: string
  /** Its text without the bodies of functions inside it, and the names of the definitions around it. */
  frame: string
  scope: string
  captures: Record<string, string>
  /** What the lines from `startLine` to `endLine` become, or null. */
  replacement: string | null
}

/**
 * First `ready`, with the questions that the engine refused and its messages. Then one reply per text, in order; `full`
 * means that the child wants to be replaced.
 */
export type Reply =
  | { type: 'ready'; refused: { question: number; message: string }[] }
  | { type: 'answer'; index: number; matches: EngineMatch[]; omitted: number; skipped: number[] }
  | { type: 'done' }
  | { type: 'full' }
