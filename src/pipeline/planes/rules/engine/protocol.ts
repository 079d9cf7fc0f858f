/** What the plane and its matching child say to each other. */
import type { Matcher } from '../rule.ts'

/** `captures`: the names of single captures whose text is wanted; `fix`: a template to fill, or null. */
export type Question = { id: string; matcher: Matcher; captures: readonly string[]; fix: string | null }

export type Batch = {
  language: string
  questions: readonly Question[]
  texts: readonly string[]
  /** Matches told per text; beyond it they are only counted. */
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
 * First `ready`, with the questions the engine refused and its words. Then one reply per text, in order; `full` says
 * that the child wants to be replaced.
 */
export type Reply =
  | { type: 'ready'; refused: { question: number; message: string }[] }
  | { type: 'answer'; index: number; matches: EngineMatch[]; omitted: number }
  | { type: 'done' }
  | { type: 'full' }
