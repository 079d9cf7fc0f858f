/** CodeRabbit: https://docs.coderabbit.ai/reference/configuration */
import { z } from 'zod'
import type { Conversion, ReviewTool } from './contract.ts'
import { readAnyway } from './instruction-file.ts'
import { type Carrier, carried, convertSettings, different, missing, yamlValue } from './read-settings.ts'
import { reasons } from './reasons.ts'

const texts = z.array(z.string())
const PathInstructions = z.array(z.object({ path: z.string(), instructions: z.string().default('') }))
const AstGrep = z.object({ rule_dirs: texts.default([]) }).loose()
const Guidelines = z.object({ enabled: z.boolean().default(true), filePatterns: texts.default([]) }).loose()

const resolved =
  'Comment `@coderabbitai configuration` on a pull request, save the settings that it answers with as `.coderabbit.yaml`, and name that file.'

const rows = [
  ...missing(
    ['version'],
    `Of schema 3, a preview, only keys with the name and form of schema 2 are carried over. For the others: ${resolved}`,
  ),
  carried('reviews.path_filters', '`paths.exclude`', texts, carryPathFilters),
  carried('reviews.path_instructions', '`.sightline/instructions/`', PathInstructions, (list, carrier) => {
    for (const { path, instructions } of list) carrier.instruct(instructions, [path])
  }),
  carried('tone_instructions', '`.sightline/instructions/`', z.string(), (text, carrier) =>
    carrier.instruct(text),
  ),
  carried('reviews.tools.ast-grep', '`rules.paths`', AstGrep, (tool, carrier) => {
    carrier.append('rules.paths', tool.rule_dirs)
    if (Object.keys(tool).length > 1 || tool.rule_dirs.length === 0)
      carrier.note('missing', 'Of ast-grep, only folders of rules are used; there are no packages of rules.')
  }),
  carried('knowledge_base.code_guidelines', 'files that Sightline reads anyway', Guidelines, carryGuidelines),
  ...different(
    ['reviews.tools.gitleaks', 'reviews.tools.trufflehog'],
    'Sightline searches changed lines for secrets itself.',
  ),
  ...different(['reviews.tools.*'], reasons.otherTools),
  ...different(
    ['reviews.auto_review', 'reviews.abort_on_close', 'reviews.auto_pause_after_reviewed_commits'],
    reasons.whenToReview,
  ),
  ...different(['reviews.profile'], reasons.confidence),
  ...different(
    ['reviews.request_changes_workflow', 'reviews.fail_commit_status', 'reviews.commit_status'],
    'A check fails by severity: `review.failOn` with `--gate` (docs/pull-requests.md).',
  ),
  ...different(
    ['reviews.assess_linked_issues', 'reviews.related_issues', 'reviews.related_prs'],
    reasons.tickets,
  ),
  ...different(
    ['reviews.review_status', 'reviews.review_details', 'reviews.changed_files_summary'],
    'A review always lists what was reviewed and what was not.',
  ),
  ...different(['reviews.disable_cache'], '`--no-cache` or `--fresh` on the command line.'),
  ...different(
    ['reviews.enable_prompt_for_ai_agents'],
    '`sightline review --format agent` writes a task for a coding agent.',
  ),
  ...missing(
    [
      'reviews.high_level_summary',
      'reviews.high_level_summary_instructions',
      'reviews.high_level_summary_placeholder',
      'reviews.high_level_summary_in_walkthrough',
      'reviews.collapse_walkthrough',
      'reviews.sequence_diagrams',
      'reviews.estimate_code_review_effort',
      'reviews.in_progress_fortune',
      'reviews.poem',
      'reviews.slop_detection',
    ],
    reasons.layout,
  ),
  ...missing(
    [
      'reviews.auto_title_placeholder',
      'reviews.auto_title_instructions',
      'reviews.suggested_labels',
      'reviews.labeling_instructions',
      'reviews.auto_apply_labels',
      'reviews.suggested_reviewers',
      'reviews.suggested_reviewers_instructions',
      'reviews.auto_assign_reviewers',
      'reviews.finishing_touches',
      'code_generation',
      'issue_enrichment',
    ],
    reasons.writes,
  ),
  ...missing(
    ['reviews.pre_merge_checks'],
    'Titles, descriptions and docstring coverage are not checked; checks of code can be rules (docs/writing-a-rule.md).',
  ),
  ...different(['knowledge_base.learnings'], reasons.learning),
  ...different(
    ['knowledge_base.opt_out'],
    'Records and notes stay with whoever runs Sightline (docs/privacy.md).',
  ),
  ...different(
    ['knowledge_base.issues', 'knowledge_base.jira', 'knowledge_base.linear', 'knowledge_base.pull_requests'],
    reasons.tickets,
  ),
  ...missing(['knowledge_base.linked_repositories'], reasons.otherRepositories),
  ...missing(
    ['knowledge_base.web_search'],
    'A review reads the repository and its tickets, nothing from the web.',
  ),
  ...different(['knowledge_base.mcp'], reasons.tools),
  ...different(['chat'], reasons.chat),
  ...missing(['language'], reasons.language),
  ...missing(['early_access', 'enable_free_tier', 'inheritance'], reasons.itself),
]

export const coderabbit: ReviewTool = {
  name: 'CodeRabbit',
  id: 'coderabbit',
  files: [
    '.coderabbit.yaml',
    '.coderabbit.yml',
    '.coderabbit.config.ts',
    '.coderabbit/instructions/*.md',
    '.coderabbit/pre-merge-checks/*.md',
  ],
  rows,
  read(text, path) {
    if (path.endsWith('.config.ts'))
      return notRead(path, `A program, which is not run; so nothing of it is read. ${resolved}`)
    if (path.endsWith('.md'))
      return notRead(
        path,
        'Documents of `.coderabbit/`, a preview, are not read. Copy what matters to .sightline/instructions/NAME.md, with `paths` at its top for some files only (docs/switching.md).',
      )
    const data = yamlValue(text)
    return convertSettings(isSecondSchema(data) ? { ...data, version: null } : data, rows)
  },
}

function notRead(path: string, text: string): Conversion {
  return { config: {}, instructions: [], notes: [{ setting: path, outcome: 'missing', text }] }
}

/** Naming the schema that everybody uses sets nothing. */
function isSecondSchema(data: unknown): data is object {
  return typeof data === 'object' && data !== null && 'version' in data && Number(data.version) <= 2
}

/** What CodeRabbit leaves out anyway: naming it as a path to review takes it back in and limits nothing. */
const excludedByDefault =
  /^(?:\*\*\/)?(?:dist|build|out|node_modules|vendor|gen|generated|@generated|__generated__|_generated|\.(?:yarn|cache|next|nuxt|temp|webpack|svelte-kit|docusaurus))\/\*\*$|lock|\.(?:min\.(?:js|css)|map|svg|png|jpe?g|gif|csv|tsv|pb\.go)$/i

/** `!` excludes; one path without it limits the review to such paths. Exclusions win. */
function carryPathFilters(filters: readonly string[], carrier: Carrier): void {
  const excluded = filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1))
  const included = filters.filter((filter) => !filter.startsWith('!') && filter.trim() !== '')
  const returned = included.filter((filter) => excludedByDefault.test(filter))
  const limiting = included.filter((filter) => !returned.includes(filter))
  const others = limiting.length === 1 ? `!${limiting[0]}` : `!{${limiting.join(',')}}`
  carrier.append('paths.exclude', [...excluded, ...(limiting.length > 0 ? [others] : [])])
  if (returned.length > 0)
    carrier.note(
      'different',
      `Lock files, generated files and the like are listed and not reviewed in depth (${returned.join(', ')}).`,
    )
}

function carryGuidelines({ enabled, filePatterns }: z.infer<typeof Guidelines>, carrier: Carrier): void {
  if (!enabled)
    carrier.note('missing', 'Files of instructions are always read; models get them as quotations.')
  const others = filePatterns.filter((pattern) => !readAnyway.test(pattern))
  if (filePatterns.length > others.length || (enabled && filePatterns.length === 0))
    carrier.note(
      'different',
      'AGENTS.md, CLAUDE.md and files of other agents are read as they are (docs/context.md).',
    )
  if (others.length > 0)
    carrier.note(
      'missing',
      `These files are not read as instructions; copy what matters to .sightline/instructions/: ${others.join(', ')}.`,
    )
}
