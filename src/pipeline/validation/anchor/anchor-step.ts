/** Step 2 as a step: the cited lines; else, for a model, the file it meant or the change that causes what it saw. */
import type { ChangeSet } from '../../../domain/change-set.ts'
import { lineIndexOf } from '../../../domain/diff-lines.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { type Bench, drop, isDropped, type StepResult, type ValidationStep } from '../step.ts'
import { anchorCandidate } from './anchor-candidate.ts'
import { findHome, homesOf } from './find-home.ts'
import { reAnchor } from './re-anchor.ts'
import { readTag } from './read-tag.ts'

export const anchorSteps: readonly ValidationStep[] = [
  { name: 'anchor', step: 'anchor', run: ({ candidate }, bench) => anchorAnywhere(candidate, bench) },
]

async function anchorAnywhere(candidate: Candidate, bench: Bench): Promise<StepResult> {
  const { change } = bench.context
  const direct = anchorCandidate(candidate, change)
  if (!candidate.byModel) return direct
  // Mended in one file and exact in another: either the number is wrong or the file is.
  if (!isDropped(direct) && (!direct.wasMended || homesOf(candidate, change).length === 0)) return direct
  if (!isDropped(direct))
    return drop(
      'Its tag is not right in the file it names, and is exactly right in another file of the change',
    )
  const home = findHome(candidate, change)
  if (home !== null)
    return moveTo(
      candidate,
      home,
      candidate.anchor.tags,
      bench,
      `it named \`${candidate.anchor.path}\`, where no such line is`,
    )
  if (!speaksOfOutside(candidate, change)) return direct
  const cause = await reAnchor(candidate, bench)
  if (cause === null) return direct
  return isDropped(cause) ? cause : moveTo(candidate, cause.path, [cause.tag], bench, cause.note)
}

/** A tag that fails to name a line of the diff is a fault; one of an unchanged line, or of none at all, is not. */
function speaksOfOutside({ anchor }: Candidate, change: ChangeSet): boolean {
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
  { context }: Bench,
  note: string,
): StepResult {
  const moved = { ...candidate, anchor: { path, tags } }
  const anchored = anchorCandidate(moved, context.change)
  if (isDropped(anchored)) return anchored
  return { ...anchored, candidate: moved, verifiedBy: [`anchor mended: ${note}`, ...anchored.verifiedBy] }
}
