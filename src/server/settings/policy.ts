/** Who and what is reviewed, and what may be spent: the same keys for the server, a tenant and a repository. */
import { z } from 'zod'
import { Gate } from '../../domain/gate.ts'
import { formerTopic } from '../../domain/names.ts'

/** `review`: as configured, models included; `offline`: code checks only, which cost nothing; `skip`: nothing. */
export const Treatment = z.enum(['review', 'offline', 'skip'])
export type Treatment = z.infer<typeof Treatment>

const names = z.array(z.string().min(1).max(300)).max(200)

/** The condition under which the check blocks, and until when. */
export const GatePolicy = z.strictObject({
  failOn: Gate.shape.failOn.default('never').meta({
    description:
      'The check fails for findings of this severity or worse, and for a review that is missing or not whole. `never`: it only informs.',
  }),
  // A gate for a plane that reports nothing would stand open without a word.
  planes: Gate.shape.planes
    .superRefine((names, { addIssue }) => {
      for (const [at, name] of names.entries()) {
        const message = formerTopic(name)
        if (message !== null) addIssue({ code: 'custom', path: [at], message })
      }
    })
    .meta({ description: 'If set, only findings of these planes block.' }),
  paths: Gate.shape.paths.meta({
    description: 'Globs. If set, only findings in files that match one block.',
  }),
  confidence: Gate.shape.confidence.meta({
    description: 'Only findings that are at least so sure block.',
  }),
  until: z.iso.date().optional().meta({
    description: 'Last day of the gate (UTC). After it the check only informs.',
  }),
})
export type GatePolicy = z.infer<typeof GatePolicy>

export const Policy = z.strictObject({
  drafts: Treatment.default('skip').meta({ description: 'Drafts.' }),
  bots: Treatment.default('offline').meta({ description: 'Changes by bots.' }),
  forks: Treatment.default('review').meta({ description: 'Changes from forks.' }),
  newcomers: Treatment.default('offline').meta({
    description:
      'Changes by people without a merged change or a role here. A maintainer can start a review with models by a command.',
  }),
  skipLabels: names.default(['no-review']).meta({
    description: 'Labels that skip a change. Whoever can set labels can do this.',
  }),
  onlyLabels: names.default([]).meta({ description: 'If set, only changes with one of these labels.' }),
  skipPaths: names.default([]).meta({
    description: 'Globs. A change in which every file matches one is skipped.',
  }),
  onlyPaths: names.default([]).meta({
    description: 'Globs. If set, only changes in which a file matches one.',
  }),
  largestFiles: z.int().min(1).max(100_000).default(1000).meta({
    description: 'Changes with more files get code checks only.',
  }),
  largestLines: z.int().min(1).max(10_000_000).default(50_000).meta({
    description: 'Changes with more added and removed lines get code checks only.',
  }),
  baseBranches: names.default(['**']).meta({ description: 'Globs of target branches to review for.' }),
  depth: z.enum(['auto', 'offline', 'quick', 'standard', 'deep']).default('auto').meta({
    description: 'Depth of reviews with models. `auto`: as the repository configures.',
  }),
  workspace: z.union([z.boolean(), names]).default(false).meta({
    description:
      'Repositories of the same tenant in which reviews look for uses of what a change breaks. `true`: all whose policy says `true` as well. A list: globs of their names.',
  }),
  sharedReaders: z.boolean().default(false).meta({
    description:
      'True says that everybody who can read one of these repositories that are not public may read all of them. Without it, comments show names and counts where the host does not say so.',
  }),
  gate: GatePolicy.prefault({}),
})
export type Policy = z.infer<typeof Policy>

const { shape } = Policy

function override<Inner extends z.ZodType>(key: z.ZodDefault<Inner>, name: string) {
  return key
    .unwrap()
    .optional()
    .meta({ description: `Overrides \`policy.${name}\`.` })
}

/** What a tenant or a repository changes of the policy above it; a key that is missing changes nothing. */
export const PolicyOverrides = z.strictObject({
  drafts: override(shape.drafts, 'drafts'),
  bots: override(shape.bots, 'bots'),
  forks: override(shape.forks, 'forks'),
  newcomers: override(shape.newcomers, 'newcomers'),
  skipLabels: override(shape.skipLabels, 'skipLabels'),
  onlyLabels: override(shape.onlyLabels, 'onlyLabels'),
  skipPaths: override(shape.skipPaths, 'skipPaths'),
  onlyPaths: override(shape.onlyPaths, 'onlyPaths'),
  largestFiles: override(shape.largestFiles, 'largestFiles'),
  largestLines: override(shape.largestLines, 'largestLines'),
  baseBranches: override(shape.baseBranches, 'baseBranches'),
  depth: override(shape.depth, 'depth'),
  workspace: override(shape.workspace, 'workspace'),
  sharedReaders: override(shape.sharedReaders, 'sharedReaders'),
  gate: GatePolicy.optional().meta({ description: 'Takes the place of `policy.gate` as a whole.' }),
})
export type PolicyOverrides = z.infer<typeof PolicyOverrides>

const dollars = z.number().nonnegative().max(1_000_000)

/** In US dollars. When a budget is used up, reviews go on with code checks only until it starts again. */
export const Budget = z.strictObject({
  perReview: dollars.optional().meta({
    description: 'Spending limit per review. Default: `money.perRun` of the settings file for models.',
  }),
  daily: dollars.optional().meta({ description: 'Spending limit per day (UTC).' }),
  monthly: dollars.optional().meta({ description: 'Spending limit per month (UTC).' }),
})
export type Budget = z.infer<typeof Budget>
