/** PR-Agent and Qodo Merge: https://qodo-merge-docs.qodo.ai/usage-guide/configuration_options/ */
import { dirname } from 'node:path/posix'
import { parse } from 'smol-toml'
import { z } from 'zod'
import type { ReviewTool } from './contract.ts'
import { globOfFnmatch } from './globs.ts'
import { readPlainRules } from './instruction-file.ts'
import { type Carrier, carried, convertSettings, different, missing, yamlValue } from './read-settings.ts'
import { reasons } from './reasons.ts'

const Texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])
const Requirements = z.array(
  z
    .object({
      title: z.string().default(''),
      objective: z.string().default(''),
      success_criteria: z.string().default(''),
      failure_criteria: z.string().default(''),
      compliance_label: z.boolean().default(false),
    })
    .loose(),
)
const instructions = '`.sightline/instructions/`'
const checklistRows = [carried('pr_compliances', instructions, Requirements, carryChecklist)]

const rows = [
  carried('ignore.glob', '`paths.exclude`', Texts, (patterns, carrier) =>
    carrier.append('paths.exclude', patterns.filter(Boolean).map(globOfFnmatch)),
  ),
  carried('pr_reviewer.extra_instructions', instructions, z.string(), (text, carrier) =>
    carrier.instruct(text),
  ),
  carried('pr_code_suggestions.extra_instructions', instructions, z.string(), (text, carrier) =>
    carrier.instruct(text),
  ),
  carried('best_practices.content', instructions, z.string(), (text, carrier) => carrier.instruct(text)),
  carried(
    'pr_reviewer.num_max_findings',
    '`review.maxInline`',
    z.coerce.number().int().min(0).max(100),
    (number, carrier) => carrier.set('review.maxInline', number),
  ),
  ...missing(
    ['ignore.regex'],
    'Files are left out by glob; write these patterns as globs in `paths.exclude`.',
  ),
  ...missing(['ignore.language_framework'], 'Generated files are recognized by their content and name.'),
  ...different(
    [
      'config.model',
      'config.model_turbo',
      'config.model_weak',
      'config.model_reasoning',
      'config.fallback_models',
      'config.max_model_tokens',
      'config.custom_model_max_tokens',
      'config.temperature',
      'config.reasoning_effort',
      'config.ai_timeout',
      'config.seed',
    ],
    reasons.model,
  ),
  ...missing(['config.response_language'], reasons.language),
  ...different(
    [
      'config.ignore_pr_title',
      'config.ignore_pr_labels',
      'config.ignore_pr_authors',
      'config.ignore_pr_source_branches',
      'config.ignore_pr_target_branches',
      'config.ignore_repositories',
      'config.allow_only_specific_folders',
    ],
    reasons.whenToReview,
  ),
  ...different(
    ['config.extra_context_files', 'config.repo_context_files'],
    'Instructions for agents are read (docs/context.md).',
  ),
  ...missing(
    ['config.*', 'lancedb', 'pinecone', 'qdrant', 'aws_secrets_manager', 'pr_compliance'],
    reasons.itself,
  ),
  ...missing(
    ['generated_code', 'bad_extensions', 'docs_blacklist_extensions', 'language_extension_map_org'],
    'Generated files and languages are recognized by content and name; `paths.exclude` leaves files out.',
  ),
  ...missing(
    ['pr_review_prompt', 'pr_code_suggestions_prompt', 'pr_description_prompt', 'pr_custom_labels_prompt'],
    'Prompts are fixed; put guidance into .sightline/instructions/.',
  ),
  ...different(
    ['pr_reviewer.require_security_review', 'pr_reviewer.require_tests_review'],
    reasons.categories,
  ),
  ...different(['pr_reviewer.require_ticket_analysis_review'], reasons.tickets),
  ...missing(
    [
      'pr_reviewer.enable_auto_approval',
      'pr_reviewer.enable_review_labels_security',
      'pr_reviewer.enable_review_labels_effort',
    ],
    reasons.writes,
  ),
  ...missing(['pr_reviewer.*', 'review_agent', 'review_agent_ux'], reasons.layout),
  ...different(
    ['pr_code_suggestions.*'],
    'A suggestion is shown with its finding, and only after checks that it applies and parses.',
  ),
  ...missing(
    [
      'pr_description',
      'pr_add_docs',
      'pr_update_changelog',
      'pr_test',
      'pr_analyze',
      'pr_custom_labels',
      'custom_labels',
      'pr_custom_prompt',
      'pr_to_ticket',
      'qodo_describe_agent',
      'pr_improve_component',
      'auto_best_practices',
      'best_practices.*',
    ],
    reasons.writes,
  ),
  ...different(
    [
      'pr_questions',
      'pr_help',
      'pr_help_docs',
      'pr_similar_issue',
      'pr_similar_code',
      'pr_find_similar_component',
    ],
    reasons.chat,
  ),
  ...missing(['checks'], 'Failed checks of CI are not analyzed.'),
  ...different(
    [
      'github_app',
      'github_action_config',
      'gitlab',
      'gitea_app',
      'bitbucket_app',
      'azure_devops_server',
      'gerrit',
      'local',
    ],
    reasons.whenToReview,
  ),
  ...different(['jira', 'linear', 'tickets'], reasons.tickets),
  ...different(
    ['github', 'bitbucket', 'bitbucket_server', 'azure_devops', 'gitea'],
    'Hosts and tokens belong to whoever runs Sightline: docs/pull-requests.md.',
  ),
  ...different(
    [
      'openai',
      'anthropic',
      'google_ai_studio',
      'vertexai',
      'aws',
      'cohere',
      'deepseek',
      'deepinfra',
      'groq',
      'huggingface',
      'ollama',
      'openrouter',
      'replicate',
      'xai',
      'azure_ad',
      'litellm',
    ],
    reasons.model,
  ),
]

export const prAgent: ReviewTool = {
  name: 'PR-Agent (Qodo Merge)',
  id: 'pr-agent',
  files: ['.pr_agent.toml', 'best_practices.md', 'pr_compliance_checklist.yaml'],
  rows: [
    ...rows,
    { setting: 'the text of `best_practices.md`', outcome: 'carried', says: instructions },
    ...checklistRows,
  ],
  read(text, path) {
    if (path.endsWith('.md')) return readPlainRules(text, dirname(path))
    if (path.endsWith('.yaml')) return convertSettings(yamlValue(text), checklistRows)
    return convertSettings(parse(text), rows)
  },
}

/** One requirement as a paragraph, with what shows that it is met and that it is not. */
function carryChecklist(requirements: z.infer<typeof Requirements>, carrier: Carrier): void {
  for (const { title, objective, success_criteria, failure_criteria } of requirements) {
    const parts = [
      `**${title.trim()}**: ${objective.trim()}`,
      ...(success_criteria.trim() === '' ? [] : [`Met if: ${success_criteria.trim()}`]),
      ...(failure_criteria.trim() === '' ? [] : [`Not met if: ${failure_criteria.trim()}`]),
    ]
    carrier.instruct(parts.join('\n'))
  }
  if (requirements.some(({ compliance_label }) => compliance_label)) carrier.note('missing', reasons.writes)
}
