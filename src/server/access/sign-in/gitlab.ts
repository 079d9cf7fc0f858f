/** Sign-in with GitLab, gitlab.com or one's own, by the levels of access that somebody has in projects. */
import { z } from 'zod'
import type { Role } from '../../api/contract/operation.ts'
import { openOAuthFlow } from './code-flow.ts'
import type { ProviderTokens, SignedInPerson, SignInFlow } from './contract.ts'
import { listAs, readAs } from './host-api.ts'
import { type HostFlowParts, hostFlow } from './host-flow.ts'

const User = z.object({ id: z.number(), username: z.string().min(1).max(300) })
const Access = z.object({ access_level: z.number() }).nullish()
const Projects = z.array(
  z.object({
    id: z.number(),
    permissions: z.object({ project_access: Access, group_access: Access }),
  }),
)

/** GitLab's levels. Guests, who may not read private code, get nothing. */
const levels = { reporter: 20, developer: 30, maintainer: 40 }

export function openGitLabFlow({
  name,
  title,
  connection,
  webUrl,
  apiUrl,
  ...parts
}: HostFlowParts): SignInFlow {
  const server = {
    issuer: webUrl,
    authorizeUrl: `${webUrl}/oauth/authorize`,
    tokenUrl: `${webUrl}/oauth/token`,
  }
  const flow = openOAuthFlow(server, { ...parts, scopes: ['read_api'] })
  const personOf = async (tokens: ProviderTokens, signal: AbortSignal): Promise<SignedInPerson> => {
    const api = { apiUrl, token: tokens.access, signal }
    const { id, username } = await readAs(api, '/user', User)
    const path = `/projects?membership=true&min_access_level=${levels.reporter}&order_by=id`
    const projects = await listAs(api, path, Projects, (page) => page)
    const roles = new Map<string, Role>()
    for (const project of projects) {
      const { project_access: own, group_access: group } = project.permissions
      const role = roleOf(Math.max(own?.access_level ?? 0, group?.access_level ?? 0))
      if (role) roles.set(String(project.id), role)
    }
    return {
      subject: String(id),
      login: username,
      allowed: { by: 'repositories', connection, roles },
      tokens,
    }
  }
  return hostFlow({ name, title }, flow, personOf)
}

function roleOf(level: number): Role | null {
  if (level >= levels.maintainer) return 'admin'
  if (level >= levels.developer) return 'reviewer'
  return level >= levels.reporter ? 'viewer' : null
}
