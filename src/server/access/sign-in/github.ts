/**
 * Sign-in with GitHub, by the user tokens of a GitHub App. Such a token sees those repositories only in which the App is
 * installed, and can do no more than the App; a classic OAuth App would need the right to write to every repository.
 */
import { z } from 'zod'
import type { Role } from '../../api/contract/operation.ts'
import { openOAuthFlow } from './code-flow.ts'
import type { ProviderTokens, SignedInPerson, SignInFlow } from './contract.ts'
import { listAs, type PersonalApi, readAs } from './host-api.ts'
import { type HostFlowParts, hostFlow } from './host-flow.ts'

const User = z.object({ id: z.number(), login: z.string().min(1).max(100) })
const Installations = z.object({ installations: z.array(z.object({ id: z.number() })) })
const Repositories = z.object({
  repositories: z.array(
    z.object({
      id: z.number(),
      permissions: z.object({
        admin: z.boolean().default(false),
        maintain: z.boolean().default(false),
        push: z.boolean().default(false),
        pull: z.boolean().default(false),
      }),
    }),
  ),
})

export function openGitHubFlow({
  name,
  title,
  connection,
  webUrl,
  apiUrl,
  ...parts
}: HostFlowParts): SignInFlow {
  const issuer = `${webUrl}/login/oauth`
  const server = { issuer, authorizeUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/access_token` }
  // What an App may do is set in the App; it has no scopes.
  const flow = openOAuthFlow(server, { ...parts, scopes: [] })
  const personOf = async (tokens: ProviderTokens, signal: AbortSignal): Promise<SignedInPerson> => {
    const api = { apiUrl, token: tokens.access, signal }
    const { id, login } = await readAs(api, '/user', User)
    const allowed = { by: 'repositories' as const, connection, roles: await readRoles(api) }
    return { subject: String(id), login, allowed, tokens }
  }
  return hostFlow({ name, title }, flow, personOf)
}

async function readRoles(api: PersonalApi): Promise<Map<string, Role>> {
  const roles = new Map<string, Role>()
  const installations = await listAs(api, '/user/installations', Installations, (page) => page.installations)
  for (const installation of installations) {
    const path = `/user/installations/${installation.id}/repositories`
    const repositories = await listAs(api, path, Repositories, (page) => page.repositories)
    for (const { id, permissions } of repositories) {
      const { admin, maintain, push, pull } = permissions
      const role = admin ? 'admin' : maintain || push ? 'reviewer' : pull ? 'viewer' : null
      if (role) roles.set(String(id), role)
    }
  }
  return roles
}
