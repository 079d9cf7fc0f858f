/** The two sides of a login at an MCP server: the one that asks for it in a browser, and the one that uses what it left. */
import { randomBytes } from 'node:crypto'
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client'
import type { McpServerSettings } from '../../config/settings/mcp.ts'
import { type LoginClient, type LoginTokens, readLogin, removeLogin, writeLogin } from './login-file.ts'

export type LoginSettings = NonNullable<Extract<McpServerSettings, { url: string }>['login']>

export type LoginPlace = {
  /** Of the server, in the settings. */
  server: string
  url: string
  settings: LoginSettings
  /** The operator's state folder. */
  stateFolder: string
}

const noRedirect = 'http://127.0.0.1/callback'

/** For reviews: uses and renews the tokens of the last login, and never asks anyone for a new one. */
export function openLogin(place: LoginPlace): OAuthClientProvider {
  const { server, url, stateFolder } = place
  const read = () => readLogin(stateFolder, server, url)
  const first = read()
  if (!first) throw new Error(logInFirst(server))
  let used = first.tokens.access_token
  return {
    redirectUrl: noRedirect,
    clientMetadata: metadataFor(place, noRedirect),
    clientInformation: (context) => {
      refuseStranger(place, context?.issuer)
      const login = read()
      if (!login) throw new Error(logInFirst(server))
      return login.client
    },
    tokens: () => {
      const tokens = read()?.tokens
      used = tokens?.access_token ?? used
      return tokens
    },
    saveTokens: (tokens) => {
      const login = read()
      if (login) writeLogin(stateFolder, server, url, { ...login, tokens: kept(tokens, login.tokens) })
    },
    // Another process may have renewed them in the meantime: what was refused are those that this one used.
    invalidateCredentials: (what) => {
      const isOurs = read()?.tokens.access_token === used
      if (isOurs && ['all', 'client', 'tokens'].includes(what)) removeLogin(stateFolder, server)
    },
    redirectToAuthorization: () => {
      throw new Error(logInFirst(server))
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  }
}

export type LoginAttempt = {
  provider: OAuthClientProvider
  /** Where the browser is sent; null until the server asked for a login. */
  address(): URL | null
  /** What a genuine answer of the browser carries. */
  state: string
}

/** For `sightline mcp login`: registers a client unless the settings name one, and keeps what it gets when the tokens are there. */
export function beginLogin(place: LoginPlace, redirectUrl: string): LoginAttempt {
  const state = randomBytes(24).toString('base64url')
  let address: URL | null = null
  let client: LoginClient | undefined = place.settings.clientId
    ? { client_id: place.settings.clientId }
    : undefined
  let tokens: LoginTokens | undefined
  let verifier = ''
  let discovery: OAuthDiscoveryState | undefined
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: metadataFor(place, redirectUrl),
    state: () => state,
    clientInformation: (context) => {
      refuseStranger(place, context?.issuer)
      return client
    },
    saveClientInformation: (given) => {
      client = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
      if (client) writeLogin(place.stateFolder, place.server, place.url, { client, tokens: given })
    },
    redirectToAuthorization: (url) => {
      address = url
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      discovery = given
    },
    discoveryState: () => discovery,
  }
  return { provider, address: () => address, state }
}

function metadataFor({ settings }: LoginPlace, redirectUrl: string): OAuthClientProvider['clientMetadata'] {
  return {
    client_name: 'Sightline',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A program on the operator's machine cannot keep a secret; the proof key binds the code to it.
    token_endpoint_auth_method: 'none',
    ...(settings.scope === undefined ? {} : { scope: settings.scope }),
  }
}

/** A server names its authorization server itself; the operator may say which one is right. */
function refuseStranger({ server, settings }: LoginPlace, issuer: string | undefined): void {
  const plain = (address: string) => address.replace(/\/$/, '')
  if (settings.issuer && issuer && plain(issuer) !== plain(settings.issuer))
    throw new Error(
      `${server} names the authorization server ${issuer}, and your settings name ${settings.issuer}`,
    )
}

/** A server that gives no new refresh token means the old one to be used on. */
function kept(renewed: LoginTokens, before: LoginTokens): LoginTokens {
  return renewed.refresh_token === undefined && before.refresh_token !== undefined
    ? { ...renewed, refresh_token: before.refresh_token }
    : renewed
}

function logInFirst(server: string): string {
  return `you are not logged in there (\`sightline mcp login ${server}\`)`
}
