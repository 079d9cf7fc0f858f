/** The frozen bundle: all that any plane sees. Its SHA-256 is its name. */
import { z } from 'zod'
import { ChangeSet } from './change-set.ts'
import { SymbolChange } from './code-symbol.ts'
import { Evidence } from './evidence.ts'
import { ReviewRequest } from './review-request.ts'
import { Ticket } from './ticket.ts'

const CommitNote = z.object({
  commit: z.string(),
  /** Foreign text. */
  subject: z.string(),
  /** `2026-11-21`, of the commit. */
  day: z.string(),
})

/** What the commits before a change say about it. Counted, not judged. */
export const HistoryNotes = z.object({
  commitsRead: z.number().int().nonnegative(),
  /** False when the clone is shallow or the limit cut it. */
  complete: z.boolean(),
  /** Who changed these files most. */
  experts: z.array(z.object({ name: z.string(), commits: z.number().int().positive() })),
  /** Commits of this change's author in these folders; null when the author is not known. */
  authorCommits: z.number().int().nonnegative().nullable(),
  earlierByAuthor: z.array(CommitNote),
  latest: z.array(CommitNote),
  /** Files that usually change with these and did not, with the share of the commits that touched these. */
  missingPartners: z.array(z.object({ path: z.string(), share: z.number() })),
})
export type HistoryNotes = z.infer<typeof HistoryNotes>

/** What the repository asks of reviewers and agents, as of the base commit, and which files it governs. */
export const Instruction = z.object({
  path: z.string(),
  /** What it governs, in words: `everything`, `files in src/api/`, `files like **\/*.ts`. */
  scope: z.string(),
  /** Changed paths that it governs, in path order. */
  governs: z.array(z.string()),
  /** Foreign text, at most 4,000 characters, without parts about set-up, commits and the like. */
  text: z.string(),
  /** What was cut, in words; null when all is here. */
  cut: z.string().nullable(),
})
export type Instruction = z.infer<typeof Instruction>

/** Files that are listed as naming one symbol. */
export const mostUsers = 100

/**
 * Test files at the head that name a changed symbol; where the name is a common word, those that also name its file or
 * type. A name is not a call: a hint, not a proof.
 */
export const SymbolTests = z.object({
  symbol: z.string(),
  /** Where the symbol is defined. */
  path: z.string(),
  /** In path order. */
  tests: z.array(z.object({ path: z.string(), changed: z.boolean() })),
  /** Other files that name it, outside the change; not given where the name is a common word. In path order, at most `mostUsers`. */
  users: z.array(z.string()).optional(),
})
export type SymbolTests = z.infer<typeof SymbolTests>

/** How much one section of the bundle takes, and how much of what was found it holds. */
export const SectionAccount = z.object({
  name: z.string(),
  state: z.enum(['gathered', 'cut', 'left-out', 'failed']),
  items: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** An estimate, rather too high: a token for three bytes. */
  tokens: z.number().int().nonnegative(),
  /** Found, and not held for want of room. */
  trimmed: z.number().int().nonnegative(),
})
export type SectionAccount = z.infer<typeof SectionAccount>

/** A note of the team, from the base, that applies to the change. */
export const RememberedNote = z.object({
  path: z.string(),
  /** What it is about, in words. */
  scope: z.string(),
  /** Foreign text. */
  text: z.string(),
})
export type RememberedNote = z.infer<typeof RememberedNote>

/** What the retrievals brought besides the diff; numbered evidence of the bundle is the code among it. */
export const Surroundings = z.object({
  tickets: z.array(Ticket),
  /** Null when history was left out or could not be read. */
  history: HistoryNotes.nullable(),
  instructions: z.array(Instruction),
  /** Absent when none applies. */
  memory: z.array(RememberedNote).optional(),
  /** What became of the author's earlier changes in these folders, in lines; absent when nothing is known. */
  developer: z.array(z.string()).optional(),
  sections: z.array(SectionAccount),
})
export type Surroundings = z.infer<typeof Surroundings>

export const ReviewContext = z.object({
  schemaVersion: z.literal(1),
  /** SHA-256 (hex) of the canonical JSON of everything below. */
  hash: z.string(),
  request: ReviewRequest,
  /** SHA-256 of the effective configuration, but for `review.incremental`. */
  configHash: z.string(),
  change: ChangeSet,
  symbols: z.array(SymbolChange),
  /** For changed symbols that are visible outside their file, the tests that name them. */
  tests: z.array(SymbolTests),
  evidence: z.array(Evidence),
  /** Null at depths that look at the diff and its own files only. */
  around: Surroundings.nullable(),
  /** What a budget cut, in words. Inside the hash: a cut bundle is another bundle. */
  cuts: z.array(z.string()),
})
export type ReviewContext = z.infer<typeof ReviewContext>
