/** Sourcery: https://docs.sourcery.ai/Reference/Configuration/ */
import { z } from 'zod'
import type { ReviewTool } from './contract.ts'
import { globsOfGitignore } from './globs.ts'
import { carried, convertSettings, different, missing, yamlValue } from './read-settings.ts'
import { reasons } from './reasons.ts'

const OwnRules = z.array(z.object({ id: z.string() }).loose())

const rows = [
  carried('ignore', '`paths.exclude`', z.array(z.string()), (patterns, carrier) => {
    const { globs, left } = globsOfGitignore(patterns)
    carrier.append('paths.exclude', globs)
    if (left.length > 0) carrier.note('missing', `These are not paths of the repository: ${left.join(', ')}.`)
  }),
  carried('coding_assistant.project_description', '`.sightline/instructions/`', z.string(), (text, carrier) =>
    carrier.instruct(text),
  ),
  {
    ...carried('rules', 'write them as ast-grep rules (docs/writing-a-rule.md)', OwnRules, (rules, carrier) =>
      carrier.note(
        'missing',
        `Rules have another language here; write them as ast-grep rules (docs/writing-a-rule.md): ${rules.map(({ id }) => id).join(', ')}.`,
      ),
    ),
    outcome: 'missing' as const,
  },
  ...missing(['rule_tags'], 'Rules are turned off one by one in `rules.disable`.'),
  ...missing(
    ['rule_settings', 'refactor'],
    'Ids of rules differ; `sightline rules` lists ours, and `rules.disable` turns them off.',
  ),
  ...missing(['metrics'], 'There is no score for the quality of a function.'),
  ...different(['clone_detection'], 'The plane `duplicate` reports repeated code.'),
  ...different(['github'], reasons.whenToReview),
  ...different(['proxy'], 'A proxy is taken from the environment of whoever runs Sightline.'),
  ...missing(
    ['coding_assistant.*'],
    'Sightline does not assist in an editor; agents there can ask it over MCP (docs/agents.md).',
  ),
  ...different(['version'], reasons.formatVersion),
]

export const sourcery: ReviewTool = {
  name: 'Sourcery',
  id: 'sourcery',
  files: ['.sourcery.yaml', 'sourcery.yaml', '.sourcery.yml'],
  rows,
  read: (text) => convertSettings(yamlValue(text), rows),
}
