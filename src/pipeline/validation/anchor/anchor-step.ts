/** Step 2: anchors a finding at its cited lines; a model's finding also in the file it meant, or at the change that causes it. */
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import { lineIndexOf, lineWithTag } from '../../../domain/diff-lines.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { parseTag } from '../../../domain/line-tag.ts'
import { drop, isDropped, type StepResult, type ValidationContext, type ValidationStep } from '../contract.ts'
import { anchorCandidate, quotedWords } from './anchor-candidate.ts'
import { readTag } from './locate-tag.ts'
import { type Quotes, readQuotes } from './quotes.ts'
import { reAnchor } from './re-anchor.ts'

export const anchorSteps: readonly ValidationStep[] = [
  { name: 'anchor', step: 'anchor', run: ({ candidate }, context) => anchorFinding(candidate, context) },
]

async function anchorFinding(candidate: Candidate, context: ValidationContext): Promise<StepResult> {
  const { change } = context.bundle
  const direct = anchorCandidate(candidate, change)
  if (!candidate.byModel) return direct
  // Corrected in one file and exact in another: either the number is wrong or the file is.
  if (!isDropped(direct) && (!direct.wasCorrected || filesWithTags(candidate, change).length === 0))
    return direct
  if (!isDropped(direct))
    return drop(
      'Its tag is not right in the file it names, and is exactly right in another file of the change',
    )
  const intended = findIntendedFile(candidate, change)
  if (intended !== null)
    return moveTo(
      candidate,
      intended,
      candidate.anchor.tags,
      context,
      `it named \`${candidate.anchor.path}\`, where no such line is`,
    )
  if (!isAboutUnchangedCode(candidate, change)) return direct
  const cause = await reAnchor(candidate, context)
  if (cause === null) return direct
  return isDropped(cause) ? cause : moveTo(candidate, cause.path, [cause.tag], context, cause.note)
}

/** The other files in which every tag names its line exactly. */
function filesWithTags({ anchor: { path, tags } }: Candidate, change: ChangeSet): FileChange[] {
  return change.files.filter(
    (file) => file.path !== path && tags.every((tag) => lineWithTag(file, tag) !== null),
  )
}

/** A model may name the wrong file: the one other file in which every tag names its line and the quotes fit, or null. */
function findIntendedFile(candidate: Candidate, change: ChangeSet): string | null {
  const [file, ...others] = filesWithTags(candidate, change)
  const named = change.files.find(({ path }) => path === candidate.anchor.path)
  if (!file || others.length > 0 || (named && candidate.anchor.tags.some((tag) => hasHash(tag, named))))
    return null
  const quotes = readQuotes(quotedWords(candidate), file)
  return candidate.anchor.tags.some((tag) => isQuotedThere(tag, file, quotes)) ? file.path : null
}

/** If so, the number may be wrong and not the file. */
function hasHash(tag: string, file: FileChange): boolean {
  const parsed = parseTag(tag)
  return parsed !== null && lineIndexOf(file).withHash(parsed.hash).length > 0
}

function isQuotedThere(tag: string, file: FileChange, quotes: Quotes): boolean {
  const spot = lineWithTag(file, tag)
  return spot !== null && quotes.hold(spot.line)
}

/** Every tag names an unchanged line, or nothing in the diff; a tag that is nearly right is a mistake instead. */
function isAboutUnchangedCode({ anchor }: Candidate, change: ChangeSet): boolean {
  const file = change.files.find(({ path }) => path === anchor.path)
  if (!file) return true
  const index = lineIndexOf(file)
  return anchor.tags.every((tag) => {
    const read = readTag(tag)
    if (read === null) return true
    const named = read.side === null ? null : index.at(read.side, read.line)
    return named
      ? named.line.kind === 'context' && named.line.hash === read.hash
      : index.withHash(read.hash).length === 0
  })
}

function moveTo(
  candidate: Candidate,
  path: string,
  tags: string[],
  { bundle }: ValidationContext,
  note: string,
): StepResult {
  const moved = { ...candidate, anchor: { path, tags } }
  const anchored = anchorCandidate(moved, bundle.change)
  if (isDropped(anchored)) return anchored
  return { ...anchored, candidate: moved, verifiedBy: [`anchor corrected: ${note}`, ...anchored.verifiedBy] }
}
