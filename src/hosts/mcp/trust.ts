/**
 * Which tools of MCP servers the operator has read and trusts, by a hash of all that they say of themselves. A description
 * is text that a model reads, and a server may change it at any time: then the tool is not offered until it was read again.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import { makeFolder, writeWhole } from '../../base/durable.ts'

/** What a server says of a tool. */
export type SaidTool = { name: string; description?: string; inputSchema: unknown; annotations?: unknown }

const Kept = z.object({ version: z.literal(1), tools: z.record(z.string(), z.string()) })

export function fingerprint({ name, description = '', inputSchema, annotations = null }: SaidTool): string {
  return sha256(canonicalJson({ name, description, inputSchema, annotations }))
}

/** By tool; empty where none was trusted yet, or the file cannot be read. `folder`: the operator's state folder. */
export function readTrust(folder: string, server: string): ReadonlyMap<string, string> {
  try {
    const { data } = Kept.safeParse(JSON.parse(readFileSync(fileOf(folder, server), 'utf8')))
    return new Map(Object.entries(data?.tools ?? {}))
  } catch {
    return new Map()
  }
}

export function writeTrust(folder: string, server: string, tools: ReadonlyMap<string, string>): void {
  makeFolder(join(folder, 'mcp'))
  const text = `${JSON.stringify({ version: 1, tools: Object.fromEntries([...tools].sort()) }, null, 2)}\n`
  writeWhole(fileOf(folder, server), Buffer.from(text), { replace: true })
}

/** Names of servers are words of the settings, so none leaves the folder. */
function fileOf(folder: string, server: string): string {
  return join(folder, 'mcp', `${server}.json`)
}
