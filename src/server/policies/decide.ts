/**
 * Whether and how a change is reviewed: pure, from what the host says of the change, the operator's policy and what is
 * left of the budgets. Every answer has a reason that people can read.
 */
import { matchGlobs } from '../../base/globs.ts'
import type { ActorTrust } from '../../domain/review-request.ts'
import type { Policy, Treatment } from '../settings/policy.ts'
import type { EffectivePolicy } from './effective.ts'

/** Everything in it was read from the host now. */
export type ChangeFacts = {
  isDraft: boolean
  isFork: boolean
  author: { login: string; isBot: boolean; trust: ActorTrust }
  labels: readonly string[]
  baseBranch: string
  /** Null when the host could not list them. */
  files: { paths: readonly string[]; lines: number; isWhole: boolean } | null
}

export type Decision =
  | {
      kind: 'review'
      depth: Policy['depth']
      budgetUsd: number | null
      notice: string | null
    }
  /** `isHeld`: somebody of the change itself did it, which opens no gate. */
  | { kind: 'skip'; why: string; by: string; isHeld?: boolean }

/** What may still be spent, over all budgets that apply. */
export type Allowance = {
  /** US dollars; null without any budget. */
  leftUsd: number | null
  /** The budget that is used up: `the daily budget of acme`, and when it starts again. */
  ended: { name: string; until: string } | null
}

export type Asked = {
  /** A person with the right to write asked for this review: what the policy holds back for others is done. */
  isOrdered: boolean
}

const trusted: ReadonlySet<ActorTrust> = new Set(['owner', 'member', 'contributor'])

/** `budgetUsd` is null when nothing limits it but the settings for models. */
export function decide(
  facts: ChangeFacts,
  { policy, sources, perReviewUsd }: EffectivePolicy,
  allowance: Allowance,
  { isOrdered }: Asked,
): Decision {
  const skip = (why: string, key: keyof Policy) => ({ kind: 'skip' as const, why, by: sources[key] })
  const branches = matchGlobs(policy.baseBranches)
  if (!branches(facts.baseBranch)) return skip(`changes for the branch ${facts.baseBranch}`, 'baseBranches')
  const labelled = facts.labels.find((label) => policy.skipLabels.includes(label))
  if (labelled !== undefined) return { ...skip(`label ${labelled}`, 'skipLabels'), isHeld: true }
  if (policy.onlyLabels.length > 0 && !facts.labels.some((label) => policy.onlyLabels.includes(label)))
    return { ...skip(`none of the labels ${policy.onlyLabels.join(', ')}`, 'onlyLabels'), isHeld: true }
  const unwanted = pathsToSkip(facts, policy)
  if (unwanted) return skip(unwanted.why, unwanted.key)
  const held = isOrdered ? [] : heldBack(facts, policy)
  const skipped = held.find(({ treatment }) => treatment === 'skip')
  if (skipped) return skip(skipped.why, skipped.key)
  const offline = held.find(({ treatment }) => treatment === 'offline')
  if (offline || policy.depth === 'offline') {
    const [why, key] = offline ? [offline.why, offline.key] : (['depth offline', 'depth'] as const)
    return codeChecksOnly(`${why}, by ${sources[key]}`)
  }
  if (allowance.ended)
    return codeChecksOnly(`${allowance.ended.name} is used up until ${allowance.ended.until}`)
  const limits = [perReviewUsd, allowance.leftUsd].filter((limit) => limit !== null)
  return {
    kind: 'review',
    depth: policy.depth,
    budgetUsd: limits.length > 0 ? Math.min(...limits) : null,
    notice: null,
  }
}

function codeChecksOnly(why: string): Decision {
  return { kind: 'review', depth: 'offline', budgetUsd: null, notice: `Code checks only: ${why}.` }
}

type Held = { treatment: Treatment; why: string; key: keyof Policy }

/** In the order in which people would expect to hear of them. */
function heldBack({ isDraft, isFork, author, files }: ChangeFacts, policy: Policy): Held[] {
  const { drafts, bots, forks, newcomers, largestFiles, largestLines } = policy
  const count = files?.paths.length ?? 0
  const lines = files?.lines ?? 0
  const all: (Held & { applies: boolean })[] = [
    { applies: isDraft, treatment: drafts, why: 'draft', key: 'drafts' },
    { applies: author.isBot, treatment: bots, why: 'by a bot', key: 'bots' },
    { applies: isFork, treatment: forks, why: 'from a fork', key: 'forks' },
    {
      applies: !author.isBot && !trusted.has(author.trust),
      treatment: newcomers,
      why: 'by a newcomer',
      key: 'newcomers',
    },
    {
      applies: count > largestFiles || files?.isWhole === false,
      treatment: 'offline',
      why: `more files than ${Math.min(count, largestFiles)}`,
      key: 'largestFiles',
    },
    {
      applies: lines > largestLines,
      treatment: 'offline',
      why: `more changed lines than ${largestLines}`,
      key: 'largestLines',
    },
  ]
  return all.filter(({ applies, treatment }) => applies && treatment !== 'review')
}

/** A list of files that is not whole proves nothing of the rest. */
function pathsToSkip(
  { files }: ChangeFacts,
  { skipPaths, onlyPaths }: Policy,
): { why: string; key: 'skipPaths' | 'onlyPaths' } | null {
  if (!files?.isWhole || files.paths.length === 0) return null
  const isSkipped = matchGlobs(skipPaths)
  if (skipPaths.length > 0 && files.paths.every(isSkipped))
    return { why: 'only files that are not reviewed', key: 'skipPaths' }
  const isWanted = matchGlobs(onlyPaths)
  if (onlyPaths.length > 0 && !files.paths.some(isWanted))
    return { why: 'no file that is reviewed', key: 'onlyPaths' }
  return null
}
