/** Greptile: https://www.greptile.com/docs/code-review/greptile-json-reference */
import { dirname } from 'node:path/posix'
import { type ParseError, parse } from 'jsonc-parser'
import { z } from 'zod'
import type { Conversion, ReviewTool } from './contract.ts'
import { globsOfGitignore } from './globs.ts'
import { type Carrier, carried, convertSettings, different, missing } from './read-settings.ts'
import { reasons } from './reasons.ts'

/** One text or several. */
const Texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])
const Scope = Texts.default([]).transform((globs) => globs.filter((glob) => glob !== ''))
const RuleTexts = z.array(
  z
    .object({
      scope: Scope,
      rule: z.string().optional(),
      content: z.string().optional(),
      context: z.string().optional(),
      description: z.string().optional(),
      enabled: z.boolean().default(true),
    })
    .loose(),
)
const DirectoryRules = z.record(z.string(), z.object({ instructions: z.string().default('') }).loose())

const rows = [
  carried('ignorePatterns', '`paths.exclude`', Texts, (patterns, carrier) => {
    const { globs, left } = globsOfGitignore(patterns)
    carrier.append('paths.exclude', globs)
    if (left.length > 0) carrier.note('missing', `Files cannot be included again: ${left.join(', ')}.`)
  }),
  carried('strictness', '`review.minSeverity`', z.literal([1, 2, 3]), (strictness, carrier) => {
    if (strictness === 2) carrier.note('different', 'It is the default, and so is ours.')
    else carrier.set('review.minSeverity', strictness === 1 ? 'low' : 'high')
  }),
  carried('fileChangeLimit', '`limits.changedFiles`', z.int().min(1).max(100_000), (limit, carrier) => {
    carrier.set('limits.changedFiles', limit)
    carrier.note('different', 'A larger change is reviewed up to the limit, and the rest is listed.')
  }),
  carried('instructions', '`.sightline/instructions/`', z.string(), (text, carrier) =>
    carrier.instruct(text),
  ),
  carried('customContext.rules', '`.sightline/instructions/`', RuleTexts, carryRules),
  carried('customContext.other', '`.sightline/instructions/`', RuleTexts, carryRules),
  carried('rules', '`.sightline/instructions/`', RuleTexts, carryRules),
  carried('directoryRules', '`.sightline/instructions/`', DirectoryRules, (folders, carrier) => {
    for (const [glob, { instructions }] of Object.entries(folders)) carrier.instruct(instructions, [glob])
    if (Object.values(folders).some((folder) => Object.keys(folder).some((key) => key !== 'instructions')))
      carrier.note(
        'missing',
        'Of folders, only instructions are carried over; one severity applies everywhere.',
      )
  }),
  ...different(['customContext.files'], 'Copy what matters of these files to .sightline/instructions/.'),
  ...different(['commentTypes', 'disabledRules'], reasons.categories),
  ...different(
    [
      'labels',
      'disabledLabels',
      'includeAuthors',
      'excludeAuthors',
      'includeBranches',
      'excludeBranches',
      'includeKeywords',
      'ignoreKeywords',
      'triggerOnUpdates',
      'triggerOnDrafts',
      'autoReview',
      'skipReview',
      'updateExistingSummaryComment',
      'updateSummaryOnly',
    ],
    reasons.whenToReview,
  ),
  ...different(
    ['statusCheck', 'statusCommentsEnabled'],
    'A check fails by severity: `review.failOn` with `--gate` (docs/pull-requests.md).',
  ),
  ...different(['fixWithAI'], '`sightline review --format agent` writes a task for a coding agent.'),
  ...different(['model'], reasons.model),
  ...missing(
    [
      'comment',
      'hideFooter',
      'summarySection',
      'issuesTableSection',
      'confidenceScoreSection',
      'sequenceDiagramSection',
      'includeIssuesTable',
      'includeConfidenceScore',
      'includeSequenceDiagram',
    ],
    reasons.layout,
  ),
  ...missing(['shouldUpdateDescription'], reasons.writes),
  ...missing(['patternRepositories', 'context'], reasons.otherRepositories),
  ...different(['$schema', 'version'], reasons.formatVersion),
]

export const greptile: ReviewTool = {
  name: 'Greptile',
  id: 'greptile',
  files: ['greptile.json', '.greptile/config.json', '.greptile/rules.md'],
  rows: [
    ...rows,
    { setting: 'the text of `.greptile/rules.md`', outcome: 'carried', says: '`.sightline/instructions/`' },
  ],
  read(text, path) {
    if (path.endsWith('.md')) return readRules(text, path)
    const errors: ParseError[] = []
    const data: unknown = parse(text, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first)
      throw new Error(`Line ${text.slice(0, first.offset).split('\n').length}: This is not valid JSON.`)
    return convertSettings(data, rows)
  },
}

/** Plain language for the files of the folder that holds `.greptile`. */
function readRules(text: string, path: string): Conversion {
  const folder = dirname(dirname(path))
  // Any character stands for one that would mean something else in a glob.
  const paths = folder === '.' ? [] : [`${folder.replace(/[*?[\]{}()!\\]/g, '?')}/**`]
  return {
    config: {},
    instructions: [{ paths, text: text.trim() }],
    notes: [{ setting: 'the text', outcome: 'carried', text: '`.sightline/instructions/`' }],
  }
}

function carryRules(rules: z.infer<typeof RuleTexts>, carrier: Carrier): void {
  for (const { scope, rule, content, context, description, enabled } of rules)
    if (enabled) carrier.instruct(rule ?? content ?? context ?? description ?? '', scope)
}
