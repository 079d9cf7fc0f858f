/** The providers of the settings, opened. */
import { addressesOf } from '../../connections/host-addresses.ts'
import type { Secrets } from '../../settings/load.ts'
import type { ServerSettings, SignInProvider } from '../../settings/schema.ts'
import type { SignInFlow } from './contract.ts'
import { openGitHubFlow } from './github.ts'
import { openGitLabFlow } from './gitlab.ts'
import { openOidcSignIn } from './oidc.ts'

export type SignInParts = { settings: ServerSettings; secrets: Pick<Secrets, 'clientSecrets'> }

/** By name, in the order of the settings, which were checked. */
export function openSignInFlows(parts: SignInParts): ReadonlyMap<string, SignInFlow> {
  return new Map(
    Object.entries(parts.settings.signIn.providers).map(([name, provider]) => [
      name,
      openFlow(name, provider, parts),
    ]),
  )
}

/** Registered with the provider, to the letter. */
function redirectUrlOf(url: string, name: string): string {
  return `${url.replace(/\/$/, '')}/auth/${name}/callback`
}

function openFlow(name: string, provider: SignInProvider, { settings, secrets }: SignInParts): SignInFlow {
  const { kind, clientId, scopes, claim, roles, issuer, connection = name } = provider
  const titles = { github: 'GitHub', gitlab: 'GitLab', oidc: name }
  const shared = {
    name,
    title: provider.title ?? titles[kind],
    clientId,
    clientSecret: secrets.clientSecrets[name] ?? null,
    redirectUrl: redirectUrlOf(settings.url ?? '', name),
    scopes,
  }
  if (kind === 'oidc') return openOidcSignIn({ ...shared, issuer: issuer ?? '', claim, roles })
  const host = settings.connections[connection]
  if (!host) throw new Error(`the settings were not checked: ${connection} is not a connection`)
  const open = kind === 'github' ? openGitHubFlow : openGitLabFlow
  return open({ ...shared, connection, ...addressesOf(host) })
}
