/** PR-Agent and Qodo Merge: https://qodo-merge-docs.qodo.ai/usage-guide/configuration_options/ */
import { dirname } from 'node:path/posix'
import { parse } from 'smol-toml'
import { z } from 'zod'
import type { Converted, ReviewTool } from './contract.ts'
import { carry, convertSettings, instruct, readPlainRules, yamlValue } from './read-settings.ts'

const Texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])
const Requirements = z.array(
  z
    .object({
      title: z.string().default(''),
      objective: z.string().default(''),
      success_criteria: z.string().default(''),
      failure_criteria: z.string().default(''),
    })
    .loose(),
)
const instructionKeys = [
  'pr_reviewer.extra_instructions',
  'pr_code_suggestions.extra_instructions',
  'best_practices.content',
]

const rows = [
  carry('ignore.glob', Texts, (patterns) => ({
    config: { 'paths.exclude': patterns.filter(Boolean).map(globOfFnmatch) },
  })),
  ...instructionKeys.map((key) =>
    carry(key, z.string(), (text) => ({ config: {}, instructions: instruct(text) })),
  ),
  carry('pr_reviewer.num_max_findings', z.coerce.number().int().min(0).max(100), (number) => ({
    config: { 'review.maxInline': number },
  })),
]

export const prAgent: ReviewTool = {
  name: 'PR-Agent (Qodo Merge)',
  id: 'pr-agent',
  files: ['.pr_agent.toml', 'best_practices.md', 'pr_compliance_checklist.yaml'],
  read(text, path) {
    if (path.endsWith('.md')) return readPlainRules(text, dirname(path))
    if (path.endsWith('.yaml'))
      return convertSettings(yamlValue(text), [carry('pr_compliances', Requirements, convertChecklist)])
    return convertSettings(parse(text), rows)
  },
}

/** One requirement as a paragraph, with what shows that it is met and that it is not. */
function convertChecklist(requirements: z.infer<typeof Requirements>): Converted {
  const paragraphs = requirements.map(({ title, objective, success_criteria, failure_criteria }) =>
    [
      `**${title.trim()}**: ${objective.trim()}`,
      ...(success_criteria.trim() === '' ? [] : [`Met if: ${success_criteria.trim()}`]),
      ...(failure_criteria.trim() === '' ? [] : [`Not met if: ${failure_criteria.trim()}`]),
    ].join('\n'),
  )
  return { config: {}, instructions: paragraphs.flatMap((text) => instruct(text)) }
}

/** A pattern of Python's `fnmatch`, whose `*` crosses folders. */
function globOfFnmatch(pattern: string): string {
  const parts = pattern.replace(/^\.?\//, '').split('/')
  return parts
    .map((part, at) => {
      if (/^\*+$/.test(part)) return '**'
      if (part.startsWith('*')) return `**/${part}`
      return at === parts.length - 1 && part.endsWith('*') ? `${part}/**` : part
    })
    .join('/')
}
