/** Which questions are worth asking of which file, and which were left out and why. */
import { z } from 'zod'
import { Category } from './severity.ts'

/** `rule`: told from path, role and syntactic diff; `scout`: a cheap model said so where no rule could tell. */
export const TriageSource = z.enum(['rule', 'scout'])

export const TriagedFile = z.object({
  path: z.string(),
  /** What is worth asking about; empty when nothing is. */
  categories: z.array(Category),
  by: TriageSource,
})
export type TriagedFile = z.infer<typeof TriagedFile>

/** A file and a category that nobody is asked about. */
export const SkippedPair = z.object({
  path: z.string(),
  category: Category,
  by: TriageSource,
  reason: z.string(),
})
export type SkippedPair = z.infer<typeof SkippedPair>

/** Both in path order; every file of the change that is looked at is in `files` once. */
export const Triage = z.object({ files: z.array(TriagedFile), skipped: z.array(SkippedPair) })
export type Triage = z.infer<typeof Triage>
