/** What the language server works with: one session for one editor, and what is known of a repository that it has open. */
import { z } from 'zod'
import type { PreparedModels } from '../assembly/open-models.ts'
import type { Services } from '../assembly/services.ts'
import type { Config } from '../config/schema.ts'
import type { Review } from '../domain/review.ts'
import { Severity } from '../domain/severity.ts'
import type { UnsavedFile } from '../hosts/contract.ts'
import type { KeptWorkTree } from '../hosts/local/keep-work-tree.ts'
import type { Mover } from '../ledger/contract.ts'

export type EditorSession = {
  readonly services: Services
  /** Prepared for depth offline: none is asked. */
  readonly models: PreparedModels
  /** False: every workspace is a stranger's. An editor cannot say otherwise. */
  readonly isTrusted: boolean
  /** Who dismisses findings. */
  readonly by: Mover
}

/** What an editor says of a workspace, in `initializationOptions` and in the section `sightline` of its configuration. */
export const EditorSettings = z.object({
  enabled: z.boolean().catch(true),
  /** False for a workspace of strangers; nothing that is said later makes it true again. */
  trusted: z.boolean().catch(true),
  minSeverity: Severity.optional().catch(undefined),
  /** Languages, as the index names them, whose references and calls we answer for. Only what is said at the start counts. */
  navigation: z.array(z.string()).catch([]),
})
export type EditorSettings = z.infer<typeof EditorSettings>

/** The latest review of a repository's work tree, with the texts of the editor in it. */
export type ReviewedTree = {
  /** What was reviewed, and how: the same name, the same review. */
  readonly identity: string
  readonly review: Review
  readonly config: Config
  readonly unsaved: readonly UnsavedFile[]
  /** Of the documents that were open, by path from the root. */
  readonly versions: ReadonlyMap<string, number>
  /** With files that are not ignored, from the root; what is to be watched. */
  readonly folders: readonly string[]
}

/** What is asked about one repository of the workspace works with. */
export type ReviewPlace = {
  readonly session: EditorSession
  /** Of the repository, a real path. */
  readonly root: string
  readonly workTree: KeptWorkTree
  readonly settings: EditorSettings
  readonly reviewed: ReviewedTree
  readonly signal: AbortSignal
}

/** What a command says to the person at the editor, and asks of them. All words are made visible before they are shown. */
export type EditorWindow = {
  say(words: string): void
  /** Whether they chose `yes`; false where the editor shows no question, and when they close it. */
  agrees(question: string, yes: string): Promise<boolean>
  /** Opens a place, its line from 1; false where the editor cannot. */
  open(path: string, line: number): Promise<boolean>
}
