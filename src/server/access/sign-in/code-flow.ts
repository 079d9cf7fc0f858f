/**
 * The authorization code flow that all providers share, with PKCE, a state, and for OIDC a nonce and an id token whose
 * signature is checked. Each provider has its own redirect address, so an answer of one is never taken for another's.
 */
import * as oauth from 'openid-client'
import { type FlowSecrets, type ProviderTokens, ProviderUnavailable, SignInRefused } from './contract.ts'

export type ClientParts = {
  clientId: string
  clientSecret: string | null
  /** Exactly as it was registered. */
  redirectUrl: string
  scopes: readonly string[]
}

/** Where a server is that does not describe itself. */
export type KnownServer = { issuer: string; authorizeUrl: string; tokenUrl: string }

export interface CodeFlow {
  begin(secrets: FlowSecrets): Promise<URL>
  finish(returned: URL, secrets: FlowSecrets): Promise<ProviderTokens>
  /** Tokens that are valid for a while: the same ones, or new ones. */
  renew(tokens: ProviderTokens): Promise<ProviderTokens>
  /** Claims about the person, from OIDC's own address; null where there is none. */
  userInfo(tokens: ProviderTokens, subject: string): Promise<Readonly<Record<string, unknown>> | null>
}

/** Seconds that a provider may take for one answer. */
const patience = 10
/** How long what a server says of itself is believed. */
const discoveredMs = 3_600_000
/** A token that ends within this time is renewed first. */
const soonMs = 60_000

/** Of a server that is known: OAuth 2.0. */
export function openOAuthFlow(server: KnownServer, parts: ClientParts): CodeFlow {
  const metadata = {
    issuer: server.issuer,
    authorization_endpoint: server.authorizeUrl,
    token_endpoint: server.tokenUrl,
  }
  const config = new oauth.Configuration(metadata, parts.clientId, undefined, authentication(parts))
  config.timeout = patience
  if (isPlain(server.issuer)) oauth.allowInsecureRequests(config)
  return flowOver(async () => config, parts, false)
}

/** Of a server that describes itself at `issuer`: OpenID Connect. */
export function openOidcFlow(issuer: string, parts: ClientParts): CodeFlow {
  let known: { config: Promise<oauth.Configuration>; until: number } | null = null
  const discover = async (): Promise<oauth.Configuration> => {
    const found = await oauth.discovery(new URL(issuer), parts.clientId, undefined, authentication(parts), {
      timeout: patience,
      // Checks the signature of every id token, also of those that came straight from the server.
      execute: [oauth.enableNonRepudiationChecks, ...(isPlain(issuer) ? [oauth.allowInsecureRequests] : [])],
    })
    if (found.serverMetadata().issuer !== issuer)
      throw new ProviderUnavailable(`it calls itself ${found.serverMetadata().issuer}, not ${issuer}`)
    return found
  }
  const configuration = async () => {
    if (!known || known.until < Date.now()) {
      const own = { config: discover(), until: Date.now() + discoveredMs }
      known = own
      own.config.catch(() => {
        if (known === own) known = null
      })
    }
    return await known.config
  }
  return flowOver(configuration, parts, true)
}

function flowOver(
  configuration: () => Promise<oauth.Configuration>,
  { redirectUrl, scopes }: ClientParts,
  isOidc: boolean,
): CodeFlow {
  return {
    async begin({ state, nonce, verifier }) {
      const config = await configuration().catch(refuse)
      return oauth.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isOidc ? { nonce } : {}),
      })
    },
    async finish(returned, { state, nonce, verifier }) {
      const config = await configuration().catch(refuse)
      // What the address says of itself came from the browser; only its parameters count.
      const own = new URL(redirectUrl)
      own.search = returned.search
      const answer = await oauth
        .authorizationCodeGrant(config, own, {
          expectedState: state,
          pkceCodeVerifier: verifier,
          ...(isOidc ? { expectedNonce: nonce, idTokenExpected: true } : {}),
        })
        .catch(refuse)
      return tokensOf(answer, null)
    },
    async renew(tokens) {
      const { refresh, expiresAt } = tokens
      // An id token is renewed too: it is what says which groups somebody is in.
      if (refresh === null || (!isOidc && (expiresAt === null || expiresAt > Date.now() + soonMs)))
        return tokens
      const config = await configuration().catch(refuse)
      return tokensOf(await oauth.refreshTokenGrant(config, refresh).catch(refuse), tokens)
    },
    async userInfo({ access }, subject) {
      const config = await configuration().catch(refuse)
      if (config.serverMetadata().userinfo_endpoint === undefined) return null
      return await oauth.fetchUserInfo(config, access, subject).catch(refuse)
    },
  }
}

function authentication({ clientSecret }: ClientParts): oauth.ClientAuth {
  return clientSecret === null ? oauth.None() : oauth.ClientSecretPost(clientSecret)
}

type Answered = Awaited<ReturnType<typeof oauth.refreshTokenGrant>>

function tokensOf(answer: Answered, before: ProviderTokens | null): ProviderTokens {
  const seconds = answer.expiresIn()
  return {
    access: answer.access_token,
    refresh: answer.refresh_token ?? before?.refresh ?? null,
    expiresAt: seconds === undefined ? null : Date.now() + seconds * 1000,
    claims: { ...(answer.claims() ?? before?.claims) },
  }
}

/** Settings let plain HTTP through on this machine alone. */
function isPlain(address: string): boolean {
  return address.startsWith('http:')
}

/** What went wrong as one of ours. No message holds a code or a token. */
function refuse(error: unknown): never {
  if (error instanceof ProviderUnavailable) throw error
  if (error instanceof oauth.AuthorizationResponseError)
    throw new SignInRefused(error.error === 'access_denied' ? 'denied' : 'failed', error.error)
  if (error instanceof oauth.ResponseBodyError && error.status < 500)
    throw new SignInRefused('failed', error.error)
  if (error instanceof oauth.WWWAuthenticateChallengeError) throw new SignInRefused('failed', 'not accepted')
  if (error instanceof oauth.ClientError && wrongContent.has(error.code ?? ''))
    throw new SignInRefused('failed', error.code ?? 'wrong answer')
  throw new ProviderUnavailable('the provider did not answer as it should', { cause: error })
}

/** The answer came, and is not to be believed. */
const wrongContent: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_INVALID_REQUEST',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])
