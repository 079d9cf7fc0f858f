/**
 * What of an MCP server a review may call: the tools that the operator lists, as they were when the operator trusted them,
 * unless they say that they change something or want arguments that cannot be written in one line.
 */
import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { visibleLine } from '../../base/visible-text.ts'
import type { McpServerSettings } from '../../config/settings/mcp.ts'
import { ForeignArgument, type ForeignOffer, type ForeignTool } from './contract.ts'
import { fingerprint, type SaidTool } from './trust.ts'

const longestAbout = 240
/** A larger description is nothing that anybody reads before trusting it. */
const largestTool = 32 * 1024
const mostArguments = 20

/** The tools of the server that the operator lists. */
export async function listTools(
  client: Client,
  { tools: wanted }: Pick<McpServerSettings, 'tools'>,
  signal: AbortSignal,
): Promise<SaidTool[]> {
  const { tools } = await client.listTools(undefined, { signal })
  return tools.filter(({ name }) => wanted.includes(name))
}

export function offerOf(
  server: string,
  { tools: wanted }: Pick<McpServerSettings, 'tools'>,
  said: readonly SaidTool[],
  trusted: ReadonlyMap<string, string>,
): ForeignOffer {
  const offer: ForeignOffer = { tools: [], missing: [] }
  for (const tool of wanted) {
    const one = said.find(({ name }) => name === tool)
    const name = nameOf(server, tool)
    const vetted = one ? vet(one, trusted.get(tool), server) : `the server ${server} has no such tool`
    if (typeof vetted === 'string') offer.missing.push({ name, why: vetted })
    else offer.tools.push({ name, server, tool, ...vetted })
  }
  return offer
}

/** As models write names: `docs_search_issues`. */
export function nameOf(server: string, tool: string): string {
  return `${server}_${tool.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`.slice(0, 64)
}

function vet(
  tool: SaidTool,
  trusted: string | undefined,
  server: string,
): Pick<ForeignTool, 'about' | 'arguments'> | string {
  const fault = unfit(tool)
  if (fault !== null) return fault
  if (trusted === undefined) return `the operator has not trusted it yet (\`sightline mcp trust ${server}\`)`
  if (trusted !== fingerprint(tool))
    return `it was changed since the operator trusted it (\`sightline mcp trust ${server}\`)`
  const args = argumentsOf(tool.inputSchema)
  if (typeof args === 'string') return args
  return { about: aboutOf(tool), arguments: args }
}

/** Why it must not be offered whoever trusts it; null when it may. */
export function unfit(tool: SaidTool): string | null {
  if (JSON.stringify(tool).length > largestTool) return 'its description is too large'
  const { data } = Annotations.safeParse(tool.annotations ?? {})
  if (data?.readOnlyHint === false || data?.destructiveHint === true)
    return 'the server says that it changes something'
  const args = argumentsOf(tool.inputSchema)
  return typeof args === 'string' ? args : null
}

export function aboutOf({ description = '' }: SaidTool): string {
  const line = visibleLine(description.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  return line.length <= longestAbout ? line : `${line.slice(0, longestAbout - 1)}…`
}

const Annotations = z.object({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
})

const Schema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})
const Property = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
})

/** Texts, numbers and flags; optional arguments of other shapes are left out, and with a required one the tool is of no use. */
function argumentsOf(schema: unknown): ForeignArgument[] | string {
  const { data } = Schema.safeParse(schema)
  if (!data) return 'its arguments cannot be read'
  const { properties, required } = data
  const found: ForeignArgument[] = []
  for (const [name, property] of Object.entries(properties)) {
    const type = typeOf(property)
    const isRequired = required.includes(name)
    const argument = type && ForeignArgument.safeParse({ name, type, isRequired }).data
    if (argument) found.push(argument)
    else if (isRequired)
      return `its argument ${visibleLine(name.slice(0, 40))} is neither text, number nor flag`
  }
  if (found.length > mostArguments) return 'it has too many arguments'
  return found
}

function typeOf(property: unknown): ForeignArgument['type'] | null {
  const { data } = Property.safeParse(property)
  const types = [data?.type ?? []].flat().filter((type) => type !== 'null')
  if (types.length === 0) return data?.enum?.every((value) => typeof value === 'string') ? 'text' : null
  if (types.length > 1) return null
  const known = { string: 'text', number: 'number', integer: 'number', boolean: 'flag' } as const
  return known[types[0] as keyof typeof known] ?? null
}
