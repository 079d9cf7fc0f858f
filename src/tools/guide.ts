/** Tells a model which tools there are. */
import { z } from 'zod'
import type { Tool } from './contract.ts'

export function guideOf(tools: readonly Tool[]): string {
  const lines = tools.map((tool) => `- \`${tool.name}(${argumentsOf(tool)})\` [${tool.cost}]: ${tool.about}`)
  return ['Tools, cheap ones first; an argument with ? may be null:', ...lines].join('\n')
}

function argumentsOf(tool: Tool): string {
  const schema = z.toJSONSchema(tool.args, { io: 'input' }) as {
    properties?: Record<string, unknown>
    required?: readonly string[]
  }
  const names = Object.keys(schema.properties ?? {})
  return names.map((name) => (schema.required?.includes(name) ? name : `${name}?`)).join(', ')
}
