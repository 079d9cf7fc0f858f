/** Tools of the operator's MCP servers as tools of the loop: the same checks, limits and journal as all others. */
import { z } from 'zod'
import type { ForeignArgument, ForeignTool } from '../hosts/mcp/contract.ts'
import { textArgument } from './arguments.ts'
import { defineTool, type Tool, ToolError, type ToolOutput } from './contract.ts'

/** What a tool says of itself is quoted: it is its server's word, not ours. */
export function foreignTool(foreign: ForeignTool): Tool {
  const { name, server, about } = foreign
  return defineTool({
    name,
    cost: 'dear',
    about: `Asks the server ${server} of the operator, which describes this as «${about.replace(/[«»]/g, '')}». Send names and short questions, never code.`,
    args: z.object(
      Object.fromEntries(foreign.arguments.map((argument) => [argument.name, typeOf(argument)])),
    ),
    limits: { lines: 120, lineLength: 400, bytes: 6 * 1024 },
    narrow: 'ask for less',
    version: 1,
    keeps: false,
    async run(args, { foreign: servers }, signal): Promise<ToolOutput> {
      if (!servers) throw new ToolError('no server can be asked here')
      const text = await servers.call(foreign, args, signal)
      const lines = text.split(/\r?\n/)
      return { lines: text.trim() === '' ? [] : lines, remarks: [`as the server ${server} says`] }
    },
  })
}

function typeOf({ type, isRequired }: ForeignArgument): z.ZodType {
  const types = { text: textArgument, number: z.number(), flag: z.boolean() }
  return isRequired ? types[type] : types[type].optional()
}
