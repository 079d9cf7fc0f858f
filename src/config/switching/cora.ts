/** Cora: https://github.com/codecoradev/cora-code/blob/main/docs/configuration.md */
import { z } from 'zod'
import type { ReviewTool } from './contract.ts'
import { globsOfGitignore } from './globs.ts'
import { carried, convertSettings, different, missing, yamlValue } from './read-settings.ts'
import { reasons } from './reasons.ts'

const texts = z.array(z.string())
const Gate = z
  .object({
    enabled: z.boolean().default(false),
    thresholds: z.record(z.string(), z.number()).default({}),
  })
  .loose()

const Engine = z.object({ custom: z.array(z.object({ id: z.string() }).loose()).default([]) }).loose()

/** The least severe kind of which not one finding is allowed. */
const severities = [
  ['max_minor', 'medium'],
  ['max_major', 'high'],
  ['max_critical', 'critical'],
] as const

const rows = [
  carried('ignore.files', '`paths.exclude`', texts, (patterns, carrier) => {
    const { globs, left } = globsOfGitignore(patterns)
    carrier.append('paths.exclude', globs)
    if (left.length > 0) carrier.note('missing', `Files cannot be included again: ${left.join(', ')}.`)
  }),
  carried('rules', '`.sightline/instructions/`', texts, (rules, carrier) =>
    carrier.instruct(rules.map((rule) => `- ${rule}`).join('\n')),
  ),
  carried('review.system_prompt', '`.sightline/instructions/`', z.string(), (text, carrier) =>
    carrier.instruct(text),
  ),
  carried('quality_gate', '`review.failOn`', Gate, ({ enabled, thresholds, ...others }, carrier) => {
    const [, severity] = severities.find(([name]) => thresholds[name] === 0) ?? []
    if (enabled && severity !== undefined) carrier.set('review.failOn', severity)
    else if (!enabled) carrier.set('review.failOn', 'never')
    const counted = Object.entries(thresholds).filter(([name, most]) => most > 0 || name === 'max_security')
    if (counted.length > 0 || Object.keys(others).length > 0)
      carrier.note('missing', 'A check fails by severity, not by the number or category of findings.')
  }),
  ...different(
    ['hook.mode', 'hook.min_severity', 'hook.on_violation'],
    'The command of the git hook decides: `--fail-on SEVERITY` (docs/pre-commit.md).',
  ),
  ...missing(['hook.max_diff_size'], 'A large change is reviewed in groups up to `limits.modelGroups`.'),
  {
    ...carried(
      'rules_engine',
      'write its rules as ast-grep rules (docs/writing-a-rule.md)',
      Engine,
      (engine, carrier) => {
        const ids = engine.custom.map(({ id }) => id).join(', ')
        carrier.note(
          'missing',
          ids === ''
            ? 'Rules always run, without a limit on their findings.'
            : `Rules have another language here; write them as ast-grep rules (docs/writing-a-rule.md): ${ids}.`,
        )
      },
    ),
    outcome: 'missing' as const,
  },
  ...missing(
    ['ignore.rules'],
    'Findings are not left out by words in their title; turn off rules by id in `rules.disable`, or dismiss findings (docs/findings.md).',
  ),
  ...different(['focus', 'profile', 'profiles'], reasons.categories),
  ...different(
    ['provider', 'model', 'base_url', 'llm', 'review.response_format', 'brain', 'embedding'],
    reasons.model,
  ),
  ...missing(
    ['review.system_prompt_file', 'scan'],
    'Prompts are fixed; put guidance into .sightline/instructions/.',
  ),
  ...different(['review.static_analysis'], reasons.otherTools),
  ...different(
    ['review.context_chain', 'bundling', 'analysis'],
    'Code around a change is always collected; `context.tokens` limits it.',
  ),
  ...different(['review.sanitize_comments'], 'Models get code as a quotation, comments included.'),
  ...different(['output'], '`--format` and `--no-color` on the command line.'),
  ...missing(['update_check'], reasons.itself),
  ...different(['debt'], '`sightline stats` and `sightline findings` show findings through time.'),
]

export const cora: ReviewTool = {
  name: 'Cora',
  id: 'cora',
  files: ['.cora.yaml', '.cora.yml'],
  rows,
  read: (text) => convertSettings(yamlValue(text), rows),
}
