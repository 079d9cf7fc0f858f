/**
 * What a run read of its repository, so that it can be gone through again without it. Everything that follows from these
 * reads (facts, findings, prompts) is computed anew.
 */
import { z } from 'zod'
import { ReviewRequest } from '../../domain/review-request.ts'

const Entry = z.object({ path: z.string(), mode: z.string(), blob: z.string(), size: z.number().nullable() })
const Text = z.object({ text: z.string(), blob: z.string(), lossy: z.boolean() })
const Commit = z.object({
  commit: z.string(),
  authorName: z.string(),
  authorEmail: z.string(),
  time: z.number(),
  subject: z.string(),
  paths: z.array(z.string()),
})

/** Of one tree. A path that was asked for and is not there has null; texts are kept once, by blob. */
export const TreeReads = z.object({
  tree: z.string(),
  list: z.array(Entry).nullable(),
  entries: z.record(z.string(), Entry.nullable()),
  texts: z.record(z.string(), Text.omit({ text: true }).nullable()),
  /** Null for a word that was asked for and not answered. */
  words: z.record(z.string(), z.array(z.string()).nullable()),
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
  /** Base64. */
  patch: z.string().nullable(),
  omitted: z.string().nullable(),
})

export const ChangeReads = z.object({
  request: ReviewRequest,
  repositoryLabel: z.string(),
  diff: z.object({ files: z.array(FileDiff), overflow: z.array(z.string()) }).nullable(),
  base: TreeReads,
  head: TreeReads,
  /** By limit. */
  history: z.record(z.string(), z.object({ commits: z.array(Commit), complete: z.boolean() })),
  /** Texts by blob. */
  blobs: z.record(z.string(), z.string()),
})
export type ChangeReads = z.infer<typeof ChangeReads>
