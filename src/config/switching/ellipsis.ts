/** Ellipsis: https://docs.ellipsis.dev/config */
import { z } from 'zod'
import type { ReviewTool } from './contract.ts'
import { globsOfGitignore } from './globs.ts'
import { type Carrier, carried, convertSettings, different, missing, yamlValue } from './read-settings.ts'
import { reasons } from './reasons.ts'

/** An item without quotes may be read as a key with a value: `cmd/main.go : entry point`. */
const Item = z.union([
  z.string(),
  z.record(z.string(), z.union([z.string(), z.number()])).transform((entry) =>
    Object.entries(entry)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', '),
  ),
])
const Items = z.union([z.string().transform((text) => [text]), z.array(Item)])

const rows = [
  carried('ignore', '`paths.exclude`', z.array(z.string()), (patterns, carrier) => {
    const { globs, left } = globsOfGitignore(patterns)
    carrier.append('paths.exclude', globs)
    if (left.length > 0) carrier.note('missing', `Files cannot be included again: ${left.join(', ')}.`)
  }),
  carried('about', '`.sightline/instructions/`', Items, carryItems),
  carried('pr_review.rules', '`.sightline/instructions/`', Items, carryItems),
  ...different(['pr_review.confidence_threshold'], reasons.confidence),
  ...different(['pr_review.auto_review_enabled', 'pr_review.user_overrides'], reasons.whenToReview),
  ...missing(
    ['pr_review.auto_summarize_pr', 'pr_review.summary_rules', 'pr_review.quiet', 'pr_summary'],
    reasons.layout,
  ),
  ...missing(['pr_review.enable_approve_prs', 'pr_address_comments', 'repo'], reasons.writes),
  ...missing(['build', 'commands', 'dockerfile', 'workspace_type', 'run'], reasons.tests),
  ...different(['version'], reasons.formatVersion),
]

export const ellipsis: ReviewTool = {
  name: 'Ellipsis',
  id: 'ellipsis',
  files: ['ellipsis.yaml', 'ellipsis.yml'],
  rows,
  read: (text) => convertSettings(yamlValue(text), rows),
}

function carryItems(items: readonly string[], carrier: Carrier): void {
  carrier.instruct(items.map((item) => `- ${item}`).join('\n'))
}
