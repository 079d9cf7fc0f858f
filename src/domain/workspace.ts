/**
 * What the repositories of a workspace say of a change: which of what it breaks they use, and where. Frozen in the request,
 * so that a replay and a process without those repositories see the same. All words of other repositories are foreign.
 */
import { z } from 'zod'
import { Confidence } from './severity.ts'
import { SharedBreak, SharedPlace } from './shared-contract.ts'

export const OtherRepository = z.object({
  /** `acme/web` by its remote, else the name of its folder. */
  name: z.string().max(300),
  /** The commit that was read, and its date (ISO 8601, UTC); null where none could be. */
  commit: z.string().nullable(),
  committedAt: z.string().nullable(),
  /** When it was fetched from its host (ISO 8601, UTC); null for a folder. */
  fetchedAt: z.string().nullable(),
  /** Why it was not read, or not as it is now; null for a repository whose default branch was read. */
  trouble: z.string().max(500).nullable(),
})
export type OtherRepository = z.infer<typeof OtherRepository>

/** Lines of another repository. */
export const ElsewherePlace = SharedPlace.extend({
  repository: z.string().max(300),
  commit: z.string(),
  /** Where a browser shows them; null where the host is not known. */
  url: z.url({ protocol: /^https?$/ }).nullable(),
})
export type ElsewherePlace = z.infer<typeof ElsewherePlace>

export const OtherUse = ElsewherePlace.extend({
  /** As its author calls what it uses, and how that was recognised. */
  name: z.string().max(300),
  how: z.string().max(300),
  /** Of a broken one: how sure it is that it no longer works. Of another: that it uses this. */
  confidence: Confidence,
  /** These lines, verbatim but for secrets. */
  text: z.string(),
  /** Which version of the changed repository it uses, and where it says so; null where it does not. */
  pin: z.object({ version: z.string().max(100), path: z.string(), line: z.number() }).nullable(),
  /** The branch of its repository on which it is no longer broken, and the change request with it; absent where there is none. */
  settledOn: z.string().max(300).optional(),
  settledBy: z.string().max(300).optional(),
})
export type OtherUse = z.infer<typeof OtherUse>

/**
 * Uses in a repository of which it is not known that everybody who can read this one may read it: how many, and the surest of
 * them.
 */
export const WithheldUses = z.object({
  repository: z.string().max(300),
  uses: z.number().int().positive(),
  confidence: Confidence,
})
export type WithheldUses = z.infer<typeof WithheldUses>

/** Only what somebody uses is told: one of both is not empty. `more`: uses beyond those listed. */
const used = { uses: z.array(OtherUse), withheld: z.array(WithheldUses), more: z.number().int() }

export const UsedBreak = SharedBreak.extend(used)
export type UsedBreak = z.infer<typeof UsedBreak>

/** What the change touches without breaking it. `place`: at the head. */
export const TouchedContract = SharedBreak.pick({ kind: true, name: true }).extend({
  place: SharedPlace,
  ...used,
})
export type TouchedContract = z.infer<typeof TouchedContract>

/**
 * How an open change request of another repository was found: the author of this one links to it, it is on a branch of the same
 * name, its author links to this one, both name one ticket, or it changes what this one breaks.
 */
export const FoundBy = z.enum(['link', 'branch', 'link-back', 'ticket', 'content'])
export type FoundBy = z.infer<typeof FoundBy>

/** An open change request of another repository with the other half of what this change does. */
export const CompanionChange = z.object({
  repository: z.string().max(300),
  /** `#12`, and its page. */
  name: z.string().max(30),
  url: z.url({ protocol: /^https?$/ }),
  /** The commit that was read; null where it could not be fetched. */
  head: z.string().nullable(),
  foundBy: FoundBy,
  /** Whether it counts as the other side: what it settles is settled. */
  isTaken: z.boolean(),
  /** When it is to be merged, seen from this change; null where nothing says so. */
  merge: z.enum(['before', 'after', 'together']).nullable(),
  /** Why, in half a sentence each with the code in backticks. */
  reasons: z.array(z.string().max(400)),
})
export type CompanionChange = z.infer<typeof CompanionChange>

export const WorkspaceView = z.object({
  repositories: z.array(OtherRepository),
  /** Repositories that were not looked into, since not everybody who can read this one may read them. */
  hidden: z.number().int(),
  breaks: z.array(UsedBreak),
  /** Empty at depths that gather no context. */
  touched: z.array(TouchedContract),
  companions: z.array(CompanionChange).default([]),
})
export type WorkspaceView = z.infer<typeof WorkspaceView>

/** Who in other repositories uses what these lines of the reviewed one provide. */
export type UsesElsewhere = (place: SharedPlace) => Promise<ElsewhereAnswer>

/** `of`: what is used, as its users call it. */
export type ElsewhereAnswer = {
  repositories: readonly OtherRepository[]
  uses: readonly (OtherUse & { of: string })[]
  /** Uses beyond those listed. */
  more: number
}

/** What a repository provides, and how many uses others have of it; an empty list for a contract that no other repository uses. */
export const ProvidedContract = SharedBreak.pick({ kind: true, name: true }).extend({
  provider: z.string().max(300),
  path: z.string(),
  line: z.number().int().positive(),
  users: z.array(z.object({ repository: z.string().max(300), uses: z.number().int().positive() })),
})
export type ProvidedContract = z.infer<typeof ProvidedContract>

/** Who provides what to whom, as it was when the workspace was read last. */
export const WorkspaceGraph = z.object({
  repositories: z.array(OtherRepository),
  contracts: z.array(ProvidedContract),
})
export type WorkspaceGraph = z.infer<typeof WorkspaceGraph>
