/** Who may do what: tokens of every kind, and what each lacks. */
import { verify } from 'node:crypto'
import type { Project } from '../engine/world.ts'
import { roles } from '../engine/world.ts'
import { type Access, type GitHubState, grants, type Identity, nobody, Refusal } from './state.ts'

/** Of an API request. Throws a refusal for a token that is wrong, expired or badly signed. */
export function identify(
  state: GitHubState,
  headers: Readonly<Record<string, string>>,
  ip = 'local',
): Identity {
  const { authorization } = headers
  if (authorization === undefined) return { ...nobody, limitKey: `address ${ip}` }
  const [, scheme = '', credential = ''] = /^(\S+)\s+(\S+)$/.exec(authorization) ?? []
  if (!/^(?:bearer|token)$/i.test(scheme)) throw badCredentials()
  return credential.split('.').length === 3
    ? identifyApp(state, credential)
    : identifyToken(state, credential)
}

/** Of git: the token is the password, the name does not matter. Null when there is none. */
export function identifyGit(state: GitHubState, headers: Readonly<Record<string, string>>): Identity | null {
  const { authorization } = headers
  if (authorization === undefined) return null
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(authorization) ?? []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const token = password.join(':')
  return identifyToken(state, token === '' || token === 'x-oauth-basic' ? name : token)
}

export function canSee(identity: Identity, project: Project): boolean {
  if (!project.isPrivate) return true
  if (identity.projects) return identity.projects.includes(project)
  if (identity.person === null || !identity.scopes.includes('repo')) return false
  return project.roleOf(identity.person.login) !== 'none'
}

/** Throws unless the token, and the person behind it, may. `permission` may be several with `or` between them. */
export function demand(identity: Identity, project: Project, permission: string, access: Access): void {
  const { kind, person, scopes, permissions, projects } = identity
  const write = access === 'write'
  if (kind === 'anonymous') {
    if (write) throw new Refusal(401, 'Requires authentication')
    return
  }
  if (kind === 'app') throw new Refusal(403, 'This endpoint requires an installation access token')
  if (kind === 'classic') {
    const covers =
      scopes.includes('repo') || (!project.isPrivate && (!write || scopes.includes('public_repo')))
    // GitHub hides what a classic token may not do.
    if (!covers) throw new Refusal(404, 'Not Found')
  } else {
    const name = kind === 'installation' ? 'integration' : 'personal access token'
    const isMine = projects?.includes(project) ?? false
    const isGranted = permission.split(' or ').some((one) => grants(permissions, one, access))
    if (isMine ? !isGranted : write || project.isPrivate)
      throw new Refusal(403, `Resource not accessible by ${name}`)
  }
  if (permission === 'checks' && write && kind !== 'installation')
    throw new Refusal(403, 'You must authenticate via a GitHub App.')
  if (kind === 'installation') return
  const needsPush = write && ['statuses', 'contents', 'security_events'].includes(permission)
  if (needsPush && !hasRole(project, person?.login ?? '', 'write')) throw new Refusal(404, 'Not Found')
}

export function hasRole(project: Project, login: string, role: (typeof roles)[number]): boolean {
  return roles.indexOf(project.roleOf(login)) >= roles.indexOf(role)
}

function identifyToken(state: GitHubState, token: string): Identity {
  const identity = state.tokens.get(token)
  if (!identity || identity.expiresAt <= state.world.now()) throw badCredentials()
  return identity
}

/** The app's own token: RS256, issued by its id, for ten minutes at most. */
function identifyApp(state: GitHubState, jwt: string): Identity {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const read = (part: string) => {
    try {
      return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
    } catch {
      throw undecodable()
    }
  }
  const claims = read(payload)
  if (read(header).alg !== 'RS256') throw undecodable()
  const app = state.apps.find(({ id }) => String(id) === String(claims.iss))
  if (!app) throw new Refusal(401, 'Integration not found')
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'))) throw undecodable()
  const now = state.world.now() / 1000
  const [issued, expires] = [Number(claims.iat), Number(claims.exp)]
  if (!(expires > now))
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (expires - now > 601) throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future")
  if (issued > now + 1)
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  return { ...nobody, kind: 'app', app, limitKey: `app ${app.id}` }
}

function badCredentials(): Refusal {
  return new Refusal(401, 'Bad credentials')
}

function undecodable(): Refusal {
  return new Refusal(401, 'A JSON web token could not be decoded')
}
