/** Greptile: https://www.greptile.com/docs/code-review/greptile-json-reference */
import { dirname } from 'node:path/posix'
import { type ParseError, parse } from 'jsonc-parser'
import { z } from 'zod'
import type { Converted, ReviewTool } from './contract.ts'
import { carry, convertSettings, instruct, readPlainRules } from './read-settings.ts'

/** One text or several. */
const Texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])
const RuleTexts = z.array(
  z
    .object({
      scope: Texts.default([]).transform((globs) => globs.filter((glob) => glob !== '')),
      rule: z.string().optional(),
      content: z.string().optional(),
      context: z.string().optional(),
      description: z.string().optional(),
      enabled: z.boolean().default(true),
    })
    .loose(),
)
const FolderRules = z.record(z.string(), z.object({ instructions: z.string().default('') }).loose())
const severityOfStrictness = { 1: 'low', 2: 'medium', 3: 'high' } as const

const rows = [
  carry('ignorePatterns', Texts, convertIgnorePatterns),
  carry('strictness', z.literal([1, 2, 3]), (strictness) => ({
    config: { 'review.minSeverity': severityOfStrictness[strictness] },
  })),
  carry('fileChangeLimit', z.int().min(1).max(100_000), (limit) => ({
    config: { 'limits.changedFiles': limit },
  })),
  carry('instructions', z.string(), (text) => ({ config: {}, instructions: instruct(text) })),
  ...['customContext.rules', 'customContext.other', 'rules'].map((setting) =>
    carry(setting, RuleTexts, convertRules),
  ),
  carry('directoryRules', FolderRules, (folders) => ({
    config: {},
    instructions: Object.entries(folders).flatMap(([glob, { instructions }]) =>
      instruct(instructions, [glob]),
    ),
    notCarried: Object.values(folders).flatMap(({ instructions: _, ...others }) => Object.keys(others)),
  })),
]

export const greptile: ReviewTool = {
  name: 'Greptile',
  id: 'greptile',
  files: ['greptile.json', '.greptile/config.json', '.greptile/rules.md'],
  read(text, path) {
    if (path.endsWith('.md')) return readPlainRules(text, dirname(dirname(path)))
    const errors: ParseError[] = []
    const data: unknown = parse(text, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first)
      throw new Error(`Line ${text.slice(0, first.offset).split('\n').length}: This is not valid JSON.`)
    return convertSettings(data, rows)
  },
}

function convertRules(rules: z.infer<typeof RuleTexts>): Converted {
  const active = rules.filter(({ enabled }) => enabled)
  const off = rules.length - active.length
  return {
    config: {},
    instructions: active.flatMap(({ scope, rule, content, context, description }) =>
      instruct(rule ?? content ?? context ?? description ?? '', scope),
    ),
    notCarried: off > 0 ? [`${off} of ${rules.length} rules, which are turned off`] : [],
  }
}

/** Lines of a `.gitignore`. One that includes again what another excludes depends on the order, so it is not carried over. */
function convertIgnorePatterns(texts: readonly string[]): Converted {
  const patterns = texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const again = patterns.filter((line) => line.startsWith('!'))
  const globs = patterns.filter((line) => !again.includes(line)).map(globOfGitignore)
  return { config: globs.length > 0 ? { 'paths.exclude': globs } : {}, notCarried: again }
}

function globOfGitignore(line: string): string {
  const isFolder = line.endsWith('/')
  const bare = (isFolder ? line.slice(0, -1) : line).replace(/^\.\//, '')
  // A slash in front or inside ties the pattern to the root.
  const pattern = bare.includes('/') ? bare.replace(/^\//, '') : `**/${bare}`
  // `a/**` matches `a` too. The last part of a file name says more about what it is than what is below it.
  if (isFolder) return `${pattern}/**`
  return pattern.endsWith('**') || /[^/.]\.\w+$/.test(pattern) ? pattern : `${pattern}/**`
}
