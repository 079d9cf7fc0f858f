/** Greptile: https://www.greptile.com/docs/code-review/greptile-json-reference */
import { dirname } from 'node:path/posix'
import { type ParseError, parse } from 'jsonc-parser'
import { z } from 'zod'
import type { Conversion, ReviewTool, SettingNote } from './contract.ts'
import { globsOfGitignore } from './globs.ts'
import { readAnyway, readPlainRules } from './instruction-file.ts'
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
      id: z.string().optional(),
      severity: z.string().optional(),
      enabled: z.boolean().default(true),
    })
    .loose(),
)
const Document = z.object({ path: z.string() }).loose()
const Documents = z.union([
  z.array(Document),
  z.object({ files: z.array(Document) }).transform(({ files }) => files),
])
const copyDocuments = 'Copy what matters of these files to .sightline/instructions/.'
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
  ...different(['customContext.files'], copyDocuments),
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
  ...different(['effort'], 'How thorough a review is: `review.depth` (docs/depths.md).'),
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
  files: ['greptile.json', '.greptile/config.json', '.greptile/rules.md', '.greptile/files.json'],
  rows: [
    ...rows,
    { setting: 'the text of `.greptile/rules.md`', outcome: 'carried', says: '`.sightline/instructions/`' },
    { setting: 'the files of `.greptile/files.json`', outcome: 'different', says: copyDocuments },
  ],
  read(text, path) {
    if (path.endsWith('.md')) return readPlainRules(text, dirname(dirname(path)))
    const errors: ParseError[] = []
    const data: unknown = parse(text, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first)
      throw new Error(`Line ${text.slice(0, first.offset).split('\n').length}: This is not valid JSON.`)
    return path.endsWith('.greptile/files.json') ? readDocuments(data) : convertSettings(data, rows)
  },
}

/** Documents that models are given along with a change; each may be for some files. */
function readDocuments(data: unknown): Conversion {
  const listed = Documents.safeParse(data)
  if (!listed.success) throw new Error('It does not hold a list of files.')
  const paths = listed.data.map(({ path }) => path)
  const instructions = paths.filter((path) => readAnyway.test(path))
  const others = paths.filter((path) => !readAnyway.test(path))
  const notes: SettingNote[] = []
  if (instructions.length > 0)
    notes.push({
      setting: instructions.join(', '),
      outcome: 'carried',
      text: 'read as it is (docs/context.md)',
    })
  if (others.length > 0) notes.push({ setting: others.join(', '), outcome: 'different', text: copyDocuments })
  return { config: {}, instructions: [], notes }
}

function carryRules(rules: z.infer<typeof RuleTexts>, carrier: Carrier): void {
  for (const { scope, rule, content, context, description, enabled } of rules)
    if (enabled) carrier.instruct(rule ?? content ?? context ?? description ?? '', scope)
  const off = rules.filter(({ enabled }) => !enabled)
  if (off.length > 0)
    carrier.note(
      'different',
      `${off.length} of ${rules.length} rules are turned off there and were left out.`,
    )
  if (rules.some(({ severity }) => severity !== undefined))
    carrier.note('missing', 'An instruction has no severity; each finding gets its own.')
}
