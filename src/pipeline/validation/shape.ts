/** Step 1: is this a candidate at all, about a file of the change, from a plane that ran, in words of sane length? */
import { z } from 'zod'
import { visibleText } from '../../base/visible-text.ts'
import { Candidate, editsOf } from '../../domain/finding.ts'
import { drop, type StepResult, type ValidationContext, type ValidationStep } from './contract.ts'

/** Far above what a real candidate holds: a file full of secrets makes one with a claim for each line. */
const limits = {
  tags: 5000,
  claims: 5000,
  citations: 5000,
  quote: 2_000_000,
  replacement: 20_000,
  identifier: 200,
}

/** Letters, digits and the few signs of rule ids: safe in any output without escaping. */
const identifier = /^[A-Za-z0-9][A-Za-z0-9_./:@-]*$/

/** Each is small, so that a test can show that each one matters. */
export const shapeSteps: readonly ValidationStep[] = [
  { name: 'schema', step: 'shape', run: ({ candidate }) => readCandidate(candidate) },
  guard('known plane', ({ plane }, { planes }) =>
    planes.includes(plane) ? null : `No plane of this run is called \`${plane.slice(0, 60)}\``,
  ),
  guard('known file', unknownFile),
  guard('size', tooMuch),
  guard('visible words', unseenWords),
]

/** The candidate without unknown keys, or why it is not one. */
function readCandidate(candidate: unknown): StepResult {
  const parsed = Candidate.safeParse(candidate)
  return parsed.success
    ? { candidate: parsed.data }
    : drop(`It is not a well-formed candidate: ${firstIssue(parsed.error)}`)
}

type Complaint = (candidate: Candidate, context: ValidationContext) => string | null | Promise<string | null>

function guard(name: string, complain: Complaint): ValidationStep {
  return {
    name,
    step: 'shape',
    async run({ candidate }, context) {
      const complaint = await complain(candidate, context)
      return complaint === null ? {} : drop(complaint)
    },
  }
}

function firstIssue(error: z.ZodError): string {
  return z.prettifyError(error).split('\n').slice(0, 2).join(' ').replace(/\s+/g, ' ').slice(0, 300)
}

/** A model's finding on an unchanged file may be caused by the change; the anchor step looks for the cause. */
async function unknownFile(
  { anchor, byModel }: Candidate,
  { bundle, sources }: ValidationContext,
): Promise<string | null> {
  if (bundle.change.files.some((file) => file.path === anchor.path)) return null
  return byModel && (await sources.headPaths()).has(anchor.path)
    ? null
    : 'The file it is about is not part of the change'
}

function tooMuch({
  rule,
  id,
  anchor,
  claims,
  evidence,
  suggestion,
  edits = [],
  alsoAt = [],
}: Candidate): string | null {
  for (const [name, value] of Object.entries({ rule, id }))
    if (value.length > limits.identifier || !identifier.test(value)) return `Its ${name} is not an identifier`
  if (anchor.tags.length > limits.tags) return `It cites more than ${limits.tags} lines`
  if (claims.length > limits.claims) return `It makes more than ${limits.claims} claims`
  if (evidence.length > limits.citations) return `It cites more than ${limits.citations} items of evidence`
  if (evidence.some(({ quote }) => quote.length > limits.quote))
    return `It quotes more than ${limits.quote} characters at once`
  if (alsoAt.length > limits.citations) return `It names more than ${limits.citations} further places`
  if (alsoAt.some(({ quote }) => quote.length > limits.quote))
    return `It quotes more than ${limits.quote} characters at once`
  const suggested = [
    ...(suggestion ? editsOf(suggestion).map(({ replacement }) => replacement) : []),
    ...edits.flatMap((edit) => [edit.old, edit.new]),
  ]
  if (suggested.some(({ length }) => length > limits.replacement))
    return `It suggests more than ${limits.replacement} characters`
  return null
}

/** Text that people read must not contain hidden characters; planes show them as `⟦U+202E⟧`. */
function unseenWords({ title, explanation, remedy, wrongIf = '', documented }: Candidate): string | null {
  const behaviour = documented ? `${documented.name} ${documented.behaviour}` : ''
  for (const [name, words] of Object.entries({
    title,
    explanation,
    remedy: remedy ?? '',
    'line of what would show it wrong': wrongIf,
    behaviour,
  }))
    if (visibleText(words) !== words) return `Its ${name} holds hidden or control characters`
  return /[\r\n\t]/.test(title) ? 'Its title holds a line break or a tab' : null
}
