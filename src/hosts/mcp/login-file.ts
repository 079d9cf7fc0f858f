/**
 * What a login at an MCP server left: tokens, and as which client they were given. A file that only its owner reads, in the
 * operator's state folder. It is about one address: a server that moves in the settings gets nothing of it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { remove, writeWhole } from '../../base/durable.ts'

/** `issuer`: the authorization server that gave it. The client of the protocol uses it at no other. */
const Stamped = z.looseObject({ issuer: z.string() })

const KeptLogin = z.object({
  version: z.literal(1),
  url: z.string(),
  client: Stamped.extend({ client_id: z.string() }),
  tokens: Stamped.extend({ access_token: z.string(), token_type: z.string() }),
})

export type LoginClient = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>
export type LoginTokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>
export type Login = { client: LoginClient; tokens: LoginTokens }

/** Null when there was no login for this address, or the file cannot be read. */
export function readLogin(folder: string, server: string, url: string): Login | null {
  try {
    const { data } = KeptLogin.safeParse(JSON.parse(readFileSync(fileOf(folder, server), 'utf8')))
    return data?.url === url ? { client: data.client, tokens: data.tokens } : null
  } catch {
    return null
  }
}

export function writeLogin(folder: string, server: string, url: string, login: Login): void {
  const text = `${JSON.stringify({ version: 1, url, ...login }, null, 2)}\n`
  writeWhole(fileOf(folder, server), Buffer.from(text), { replace: true })
}

export function removeLogin(folder: string, server: string): void {
  remove(fileOf(folder, server))
}

/** Names of servers have no dot, so it is never the file of what is trusted. */
function fileOf(folder: string, server: string): string {
  return join(folder, 'mcp', `${server}.login.json`)
}
