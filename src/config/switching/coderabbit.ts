/** CodeRabbit: https://docs.coderabbit.ai/reference/configuration */
import { z } from 'zod'
import type { Converted, ReviewTool } from './contract.ts'
import { carry, convertSettings, instruct, yamlValue } from './read-settings.ts'

const PathInstructions = z.array(z.object({ path: z.string(), instructions: z.string().default('') }))
const AstGrep = z.object({ rule_dirs: z.array(z.string()).default([]) }).loose()

const rows = [
  carry('reviews.path_filters', z.array(z.string()), convertPathFilters),
  carry('reviews.path_instructions', PathInstructions, (list) => ({
    config: {},
    instructions: list.flatMap(({ path, instructions }) => instruct(instructions, [path])),
  })),
  carry('tone_instructions', z.string(), (text) => ({ config: {}, instructions: instruct(text) })),
  carry('reviews.tools.ast-grep', AstGrep, ({ rule_dirs: folders, ...others }) => ({
    config: folders.length > 0 ? { 'rules.paths': folders } : {},
    notCarried: Object.keys(others),
  })),
]

export const coderabbit: ReviewTool = {
  name: 'CodeRabbit',
  id: 'coderabbit',
  files: ['.coderabbit.yaml', '.coderabbit.yml'],
  read: (text) => convertSettings(yamlValue(text), rows),
}

/** What CodeRabbit leaves out anyway: naming it as a path to review takes it back in and limits nothing. */
const excludedByDefault =
  /^(?:\*\*\/)?(?:dist|build|out|node_modules|vendor|gen|generated|@generated|__generated__|_generated|\.(?:yarn|cache|next|nuxt|temp|webpack|svelte-kit|docusaurus))\/\*\*$|lock|\.(?:min\.(?:js|css)|map|svg|png|jpe?g|gif|csv|tsv|pb\.go)$/i

/** `!` excludes; one path without it limits the review to such paths. Exclusions win. */
function convertPathFilters(filters: readonly string[]): Converted {
  const excluded = filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1))
  const included = filters.filter((filter) => !filter.startsWith('!') && filter.trim() !== '')
  const returned = included.filter((filter) => excludedByDefault.test(filter))
  const limiting = included.filter((filter) => !returned.includes(filter))
  const others = limiting.length === 1 ? `!${limiting[0]}` : `!{${limiting.join(',')}}`
  const globs = [...excluded, ...(limiting.length > 0 ? [others] : [])]
  return { config: globs.length > 0 ? { 'paths.exclude': globs } : {}, notCarried: returned }
}
