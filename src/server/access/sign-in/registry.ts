/** The providers of the settings, opened. */
import { factsOf } from '../../../hosts/remote/facts.ts'
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

const flows = { github: openGitHubFlow, gitlab: openGitLabFlow }

function openFlow(name: string, provider: SignInProvider, { settings, secrets }: SignInParts): SignInFlow {
  const { kind, clientId, scopes, claim, roles, issuer, connection = name } = provider
  const shared = {
    name,
    title: provider.title ?? (kind === 'oidc' ? name : factsOf(kind).title),
    clientId,
    clientSecret: secrets.clientSecrets[name] ?? null,
    redirectUrl: redirectUrlOf(settings.url ?? '', name),
    scopes,
  }
  if (kind === 'oidc') return openOidcSignIn({ ...shared, issuer: issuer ?? '', claim, roles })
  const host = settings.connections[connection]
  if (!host) throw new Error(`the settings were not checked: ${connection} is not a connection`)
  return flows[kind]({ ...shared, connection, ...addressesOf(host) })
}
