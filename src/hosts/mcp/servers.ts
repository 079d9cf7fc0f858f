/** The operator's MCP servers as one set of tools. A server that fails or is slow only means fewer tools. */
import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { redactText } from '../../base/secrets/redact.ts'
import type { McpServerSettings, McpSettings } from '../../config/settings/mcp.ts'
import { type ConnectParts, withServer } from './connect.ts'
import type { ForeignOffer, ForeignTool, ForeignTools } from './contract.ts'
import { listTools, nameOf, offerOf } from './offer.ts'
import { fingerprint, readTrust, type SaidTool, writeTrust } from './trust.ts'

export type ForeignParts = ConnectParts & {
  settings: McpSettings
}

/** Of one answer; what a model is shown is cut further. */
const mostCharacters = 200_000

const Content = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))

/** Asks every server which tools it has. */
export async function offerTools(parts: ForeignParts, signal: AbortSignal): Promise<ForeignOffer> {
  const offers = await Promise.all(
    enabled(parts.settings).map(async ([name, settings]): Promise<ForeignOffer> => {
      try {
        const said = await withServer({ name, settings }, parts, signal, (client, inner) =>
          listTools(client, settings, inner),
        )
        return offerOf(name, settings, said, readTrust(parts.stateFolder, name))
      } catch (error) {
        signal.throwIfAborted()
        const why = `the server ${name} did not answer: ${wordsOf(error)}`
        return { tools: [], missing: settings.tools.map((tool) => ({ name: nameOf(name, tool), why })) }
      }
    }),
  )
  return { tools: offers.flatMap(({ tools }) => tools), missing: offers.flatMap(({ missing }) => missing) }
}

/**
 * Calls of what was offered. Each connects again and compares the description again, so that no server keeps running between
 * two calls, or changes what a tool is.
 */
export function callsOf(parts: ForeignParts): ForeignTools['call'] {
  const queues = new Map<string, Promise<unknown>>()
  return async (tool, args, signal) => {
    const settings = parts.settings.servers[tool.server]
    if (!settings) throw new Error(`the server ${tool.server} is no longer in the settings`)
    // One after the other: a program is started for each.
    const call = () =>
      withServer({ name: tool.server, settings }, parts, signal, (client, inner) =>
        callOnce({ client, tool, args, settings, parts }, inner),
      )
    const turn = (queues.get(tool.server) ?? Promise.resolve()).then(call, call)
    queues.set(
      tool.server,
      turn.catch(() => {}),
    )
    return await turn
  }
}

type Call = {
  client: Client
  tool: ForeignTool
  args: Readonly<Record<string, unknown>>
  settings: McpServerSettings
  parts: ForeignParts
}

async function callOnce({ client, tool, args, settings, parts }: Call, signal: AbortSignal): Promise<string> {
  const said = await listTools(client, settings, signal)
  const { tools } = offerOf(
    tool.server,
    { tools: [tool.tool] },
    said,
    readTrust(parts.stateFolder, tool.server),
  )
  if (tools.length === 0) throw new Error('the tool is not what the operator trusted any more')
  const result = await client.callTool(
    { name: tool.tool, arguments: { ...args } },
    { signal, timeout: settings.seconds * 1000 },
  )
  const text = textOf(result.content)
  if (result.isError) throw new Error(`the server refused: ${text.slice(0, 200)}`)
  return text
}

function textOf(content: unknown): string {
  const parts = Content.safeParse(content).data ?? []
  const texts = parts.map(({ type, text }) =>
    type === 'text' ? (text ?? '') : '(a part that is not text is left out)',
  )
  const whole = texts.join('\n')
  return redactText(whole).slice(0, mostCharacters)
}

export type TrustQuestion = { tool: SaidTool; state: 'new' | 'changed' | 'trusted' }

/** What the server says of the tools that the operator lists, for the operator to read. Throws as `withServer` does. */
export async function readTools(
  name: string,
  parts: ForeignParts,
  signal: AbortSignal,
): Promise<TrustQuestion[]> {
  const settings = parts.settings.servers[name]
  if (!settings) throw new Error(`there is no server ${name} under mcp.servers in the settings`)
  const said = await withServer({ name, settings }, parts, signal, (client, inner) =>
    listTools(client, settings, inner),
  )
  const trusted = readTrust(parts.stateFolder, name)
  return said.map((tool) => {
    const known = trusted.get(tool.name)
    return { tool, state: known === undefined ? 'new' : known === fingerprint(tool) ? 'trusted' : 'changed' }
  })
}

/** From now on these may be called, as they are now. */
export function trustTools(name: string, tools: readonly SaidTool[], stateFolder: string): void {
  writeTrust(stateFolder, name, new Map(tools.map((tool) => [tool.name, fingerprint(tool)])))
}

function enabled({ servers }: McpSettings): [string, McpServerSettings][] {
  return Object.entries(servers).filter(([, settings]) => settings.enabled)
}

function wordsOf(error: unknown): string {
  return redactText(error instanceof Error ? error.message : String(error)).slice(0, 200)
}
