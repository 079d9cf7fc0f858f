/** How Azure DevOps is asked, by its adapter and by the tracker Azure Boards: who asks, for which version, and what a list is. */
import { z } from 'zod'
import { basicAuthorization } from './api.ts'
import type { HostAccess } from './contract.ts'

export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ value: z.array(schema) }).transform(({ value }) => value)
}

/** A personal access token is a password without a user name; that of a job, and those of Entra, are bearer tokens. */
export function authorizationOf(token: string): string {
  return /^eyJ[\w-]+\.[\w-]+\./.test(token) ? `Bearer ${token}` : basicAuthorization('', token)
}

/** `version`: of the API. Without the second header, whoever is unknown is sent to a page for people. */
export function headersFor(token: string | null, version = '7.1'): Record<string, string> {
  return {
    accept: `application/json;api-version=${version}`,
    'x-tfs-fedauthredirect': 'Suppress',
    ...(token === null ? {} : { authorization: authorizationOf(token) }),
  }
}

/** Services answers a token that it does not take with 203 and a page for signing in. */
export function refusingSignIn(send: HostAccess['fetch']): HostAccess['fetch'] {
  return async (input, init) => {
    const response = await send(input, init)
    return response.status === 203 ? new Response('a page for signing in', { status: 401 }) : response
  }
}
