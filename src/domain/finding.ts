/** What a plane proposes (candidate), what validation makes of it (verdict), and what is published (finding). */
import { z } from 'zod'
import { DiffLine, Side } from './change-set.ts'
import { Claim } from './claim.ts'
import { EvidenceDraft } from './evidence.ts'
import { Category, Confidence, Severity } from './severity.ts'

/** A file and the tags of the diff lines the finding is about; the first tag is the line it is shown on. */
export const Anchor = z.object({ path: z.string(), tags: z.array(z.string()).min(1) })
export type Anchor = z.infer<typeof Anchor>

/** Whole lines of the head, from first to last, and what replaces them. */
export const Edit = z.object({
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  replacement: z.string(),
  /** The lines as they are; absent where the diff shows them. */
  replaced: z.string().optional(),
})
export type Edit = z.infer<typeof Edit>

export const Suggestion = Edit.extend({
  path: z.string(),
  /** Edits of the same file that belong to it: all are applied, or none. */
  further: z.array(Edit).optional(),
  /** It reaches lines that the diff does not show, so that no host can offer it for committing. */
  outsideDiff: z.boolean().optional(),
})
export type Suggestion = z.infer<typeof Suggestion>

/** All edits of a suggestion, from the top of the file. */
export function editsOf({ startLine, endLine, replacement, replaced, further = [] }: Suggestion): Edit[] {
  const first = { startLine, endLine, replacement, ...(replaced === undefined ? {} : { replaced }) }
  return [first, ...further].sort((a, b) => a.startLine - b.startLine)
}

/** A change of code as a model proposes it: words of the file, whole lines, and what they become. */
export const ProposedEdit = z.object({ old: z.string(), new: z.string() })
export type ProposedEdit = z.infer<typeof ProposedEdit>

/** One more place of the same defect as its author names it: by the tag of a diff line or the number of evidence. */
export const AlsoAt = z.object({ path: z.string(), cited: z.string(), quote: z.string() })
export type AlsoAt = z.infer<typeof AlsoAt>

/** One more place of the same defect, checked: these lines hold the quoted words. */
export const FurtherPlace = z.object({
  path: z.string(),
  side: Side,
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  quote: z.string(),
})
export type FurtherPlace = z.infer<typeof FurtherPlace>

/** How a named library or tool behaves according to its documentation. No check of ours can confirm it. */
export const Documented = z.object({ name: z.string().max(100), behaviour: z.string().max(500) })
export type Documented = z.infer<typeof Documented>

/** Two readers of one change, of whom neither sees what the other says. */
export const ReaderName = z.enum(['first', 'second'])
export type ReaderName = z.infer<typeof ReaderName>

export const Reader = z.enum([...ReaderName.options, 'both'])
export type Reader = z.infer<typeof Reader>

const words = {
  plane: z.string(),
  /** Stable id of the check inside its plane, e.g. `contract/removed-symbol` or a rule's id. */
  rule: z.string(),
  severity: Severity,
  /** Set where code could not confirm so high a severity: what its author called it, and the words of the cap. */
  lowered: z.object({ from: Severity, why: z.string() }).optional(),
  category: Category,
  confidence: Confidence,
  /** One sentence without a full stop; plain text, code in backticks. */
  title: z.string().min(1).max(300),
  /** Why it matters and how it fails; plain text, code in backticks, paragraphs split by a blank line. */
  explanation: z.string().max(4000),
  /** Suggested fix, in a sentence; null when there is no single way. */
  remedy: z.string().max(1000).nullable(),
  /** What a person could find in a minute that would show it to be wrong: the end of a sentence that begins "Wrong if". */
  wrongIf: z.string().max(300).optional(),
  anchor: Anchor,
  claims: z.array(Claim),
  suggestion: Suggestion.nullable(),
  /** Edits that validation makes the suggestion of, or refuses. */
  edits: z.array(ProposedEdit).optional(),
  /** Why suggested code was refused. */
  refusedSuggestion: z.string().max(1000).optional(),
  alsoAt: z.array(AlsoAt).optional(),
  /** What it rests on besides the repository. */
  documented: Documented.optional(),
  /** Id of the finding of code that it strengthens: its cause and its lines are the same. */
  enriches: z.string().optional(),
  /** Code that shows suggested fix and is not offered for committing; set where a suggestion could not be one. */
  example: z.string().max(4000).optional(),
  /** True when the problem stood there before this change. */
  preExisting: z.boolean(),
  /** A model said so: no weight is given to how sure it is, and a high severity needs a claim that code confirms. */
  byModel: z.boolean().optional(),
  /** Which of two readers said so; absent where there was one. */
  reader: Reader.optional(),
  /** Name of another tool that said so: like a model's, its word is quoted and not checked by code. */
  byTool: z.string().optional(),
  /** What its rule is about, whatever the case: for lists of rules. Set where the repository or a rule file says it. */
  about: z.object({ title: z.string().max(300), help: z.string().max(4000) }).optional(),
  /** The earlier head of this change at whose review a model reported it; what it rests on is unchanged since. */
  carriedFrom: z.string().optional(),
  /** Set when its author took it back, and why. */
  withdrawn: z.string().optional(),
}

/** Whether it rests on somebody's word, a model's or another tool's, rather than on code of ours. */
export function isHearsay({
  byModel,
  byTool,
}: {
  byModel?: boolean | undefined
  byTool?: string | undefined
}): boolean {
  return byModel === true || byTool !== undefined
}

/** Evidence inline, not yet numbered; or the number of an item that is in the bundle already. */
export const DraftCitation = z.union([
  z.object({ item: EvidenceDraft, quote: z.string() }),
  z.object({ cited: z.string(), quote: z.string() }),
])
export type DraftCitation = z.infer<typeof DraftCitation>

/** As a plane emits it: each item of evidence with the words it quotes. */
export const CandidateDraft = z.object({ ...words, evidence: z.array(DraftCitation) })
export type CandidateDraft = z.infer<typeof CandidateDraft>

/** Evidence by number, with the words of it that count, verbatim. */
export const Citation = z.object({ evidence: z.string(), quote: z.string() })
export type Citation = z.infer<typeof Citation>

export const Candidate = z.object({ ...words, id: z.string(), evidence: z.array(Citation) })
export type Candidate = z.infer<typeof Candidate>

/** A candidate that passed validation: anchored to real lines, with how it was verified. */
export const Finding = Candidate.extend({
  /** Stable over pushes: from rule, path, the anchored text and its enclosing symbol, never from line numbers. */
  fingerprint: z.string(),
  side: z.enum(['old', 'new']),
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  /**
   * The diff lines from two before the first anchored line to two after the last, at most 12, so that every output
   * can show the code without the diff. Filled by validation from the hunk.
   */
  excerpt: z.array(DiffLine),
  /** The other places of the same defect; absent when there are none. */
  places: z.array(FurtherPlace).optional(),
  /** Why a reviewing model says that it is wrong, where nothing settled that. Foreign. */
  contested: z.string().optional(),
  /** How likely a team is to find it important, from 0 to 1; absent in reviews of earlier versions. */
  importance: z.number().min(0).max(1).optional(),
  /** Important enough to be shown in full, as far as there is room. */
  inFull: z.boolean().optional(),
  /** What was checked and held, in words: `2 claims confirmed by the index`. */
  verifiedBy: z.array(z.string()),
})
export type Finding = z.infer<typeof Finding>

export const VerdictStep = z.enum([
  'shape',
  'anchor',
  'evidence',
  'claims',
  'suggestion',
  'duplicates',
  'refutation',
  'limits',
  'ledger',
  'kept',
])
export type VerdictStep = z.infer<typeof VerdictStep>

/** How the reason of a verdict begins where a check could not be made, so that nothing is known of its candidate. */
export const checkFailed = 'The check itself failed'

/** The fate of one candidate: nothing is dropped without the step and the reason. */
export const Verdict = z.object({
  candidate: Candidate,
  outcome: z.enum(['kept', 'demoted', 'dropped']),
  /** The step that decided; `kept` when all passed. */
  step: VerdictStep,
  reason: z.string(),
  finding: Finding.nullable(),
})
export type Verdict = z.infer<typeof Verdict>

/** The verdict on a candidate that became a finding. */
export type FindingVerdict = Verdict & { finding: Finding }

export function hasFinding(verdict: Verdict): verdict is FindingVerdict {
  return verdict.finding !== null
}

/** Nothing of it is reported; what was said of it stays on record. */
export function dropVerdict(verdict: Verdict, step: VerdictStep, reason: string): Verdict {
  return { ...verdict, outcome: 'dropped', step, reason, finding: null }
}

/**
 * The outcome of an independent check that tries to refute one finding of a model. `refuted`: the cited words show that it
 * is wrong, and code found them where they were cited; `upheld`: the check confirmed it; `narrowed`: it confirmed the main
 * claim and cut a side claim; `overstated`: it is true, and its consequence is less severe; `latent`: it is true, and nothing in the
 * repository makes it happen today; `pre-existing`: it is true, and words from before the change show that it was true then;
 * `undecided`: the evidence does not suffice, or no citation of the judgement was right; `not-asked`: beyond a limit, or no
 * model was available.
 */
export const RefutationOutcome = z.enum([
  'refuted',
  'upheld',
  'narrowed',
  'overstated',
  'latent',
  'pre-existing',
  'undecided',
  'not-asked',
])
export type RefutationOutcome = z.infer<typeof RefutationOutcome>

export const Refutation = z.object({
  /** Id of the finding. */
  finding: z.string(),
  outcome: RefutationOutcome,
  /** In words. Foreign: a model wrote them. */
  reason: z.string(),
  /** What it rests on; only citations that hold. */
  citations: z.array(Citation),
  /** How severe the finding was when it was judged; absent in reviews of earlier versions. */
  was: Severity.optional(),
  /** What the consequence deserves according to the check; absent where it did not say. */
  severity: Severity.optional(),
  /** True when words for the finding are on lines that the finding does not quote itself. */
  beyond: z.boolean().optional(),
  /** The sentences that were cut, as they were. Foreign. */
  cut: z.array(z.string()).optional(),
  /** The call of the one look-up that it asked for on this finding. */
  lookUp: z.string().optional(),
  /** What a second check said, which knew nothing of the first; what stands above is what both leave. Its reason is foreign. */
  second: z
    .object({ outcome: RefutationOutcome, reason: z.string(), severity: Severity.optional() })
    .optional(),
})
export type Refutation = z.infer<typeof Refutation>
