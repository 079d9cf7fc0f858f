/** Tells a model which tools there are. */
import { count } from '../base/count.ts'
import { argumentSchema } from './argument-schema.ts'
import type { Tool } from './contract.ts'

/** `missing`: tools that a model may know of and that cannot be asked here. */
export function guideOf(
  tools: readonly Tool[],
  missing: readonly { name: string; why: string }[] = [],
): string {
  const lines = tools.map(
    (tool) => `- \`${tool.name}(${argumentsOf(tool)})\` [${tool.cost}; ${limitsOf(tool)}]: ${tool.about}`,
  )
  const without = missing.map(({ name, why }) => `- not here: \`${name}\`: ${why}`)
  return [
    'Tools, cheap ones first; an argument with ? is null where it does not apply. In brackets: the most that one answer holds; what is beyond is cut, and the cut says where to go on:',
    ...lines,
    ...without,
  ].join('\n')
}

function limitsOf({ limits: { lines, bytes } }: Tool): string {
  return `${count(lines, 'line')}, ${Math.round(bytes / 1024)} KB`
}

function argumentsOf(tool: Tool): string {
  const schema = argumentSchema(tool)
  const names = Object.keys(schema.properties ?? {})
  return names.map((name) => (schema.required?.includes(name) ? name : `${name}?`)).join(', ')
}
