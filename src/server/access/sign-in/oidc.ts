/** Sign-in with any OpenID Connect provider: a claim, such as the groups of a person, gives the roles of the settings. */
import type { ClaimRole } from '../../settings/schema.ts'
import { type ClientParts, openOidcFlow } from './code-flow.ts'
import { type ProviderTokens, type SignedInPerson, type SignInFlow, SignInRefused } from './contract.ts'

export type OidcParts = ClientParts & {
  name: string
  title: string
  issuer: string
  claim: string
  roles: readonly ClaimRole[]
}

export function openOidcSignIn({ name, title, issuer, claim, roles, ...parts }: OidcParts): SignInFlow {
  const scopes = [...new Set(['openid', 'profile', ...parts.scopes])]
  const flow = openOidcFlow(issuer, { ...parts, scopes })
  const personOf = async (tokens: ProviderTokens, claims: Claims): Promise<SignedInPerson> => {
    const { sub: subject } = tokens.claims
    if (typeof subject !== 'string') throw new SignInRefused('failed', 'the id token has no subject')
    const held = valuesOf(claims[claim])
    const grants = roles
      .filter(({ value }) => held.includes(value))
      .map(({ tenant, role, repositories = null }) => ({ tenant, role, repositories }))
    return { subject, login: nameOf(claims, subject), allowed: { by: 'grants', grants }, tokens }
  }
  return {
    name,
    title,
    begin: (secrets) => flow.begin(secrets),
    async finish(returned, secrets) {
      const tokens = await flow.finish(returned, secrets)
      const more = await flow.userInfo(tokens, String(tokens.claims.sub))
      return await personOf(tokens, { ...tokens.claims, ...more })
    },
    async recheck(subject, tokens) {
      const fresh = await flow.renew(tokens)
      if (fresh.claims.sub !== subject) throw new SignInRefused('failed', 'the id token names somebody else')
      const more = await flow.userInfo(fresh, subject)
      // Without a new id token, only the second address speaks of today.
      const isNew = fresh !== tokens
      return await personOf(fresh, { ...(isNew ? fresh.claims : {}), ...more })
    },
  }
}

type Claims = Readonly<Record<string, unknown>>

function valuesOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : []
}

function nameOf(claims: Claims, subject: string): string {
  const found = [claims.preferred_username, claims.email, claims.name].find(
    (each) => typeof each === 'string',
  )
  return (found ?? subject).slice(0, 100)
}
