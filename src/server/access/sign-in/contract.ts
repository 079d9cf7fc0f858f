/**
 * What a sign-in provider is: it sends people to its own page, takes the code that they come back with, and says who they are
 * and what they may do. What it is asked with again later never leaves the server.
 */
import type { Role } from '../../api/contract/operation.ts'

/** What one sign-in is checked with; each is random and known to one browser only. */
export type FlowSecrets = { state: string; nonce: string; verifier: string }

/** What a provider gave for one person. */
export type ProviderTokens = {
  access: string
  refresh: string | null
  /** Milliseconds; null: not known to end. */
  expiresAt: number | null
  /** Of a verified id token; empty where there is none. */
  claims: Readonly<Record<string, unknown>>
}

/** What a host or a claim says that somebody may do. */
export type Allowed =
  /** By the host's ids of the repositories of one connection. */
  | { by: 'repositories'; connection: string; roles: ReadonlyMap<string, Role> }
  | { by: 'grants'; grants: readonly Grant[] }

export type Grant = {
  tenant: string
  role: Role
  /** Globs of `owner/name`; null: all. */
  repositories: readonly string[] | null
}

export type SignedInPerson = {
  /** Survives renames. */
  subject: string
  /** What people know them by. Foreign. */
  login: string
  allowed: Allowed
  /** What to ask with the next time. */
  tokens: ProviderTokens
}

export interface SignInFlow {
  readonly name: string
  readonly title: string
  /** Where the browser is sent. Rejects with `ProviderUnavailable`. */
  begin(secrets: FlowSecrets): Promise<URL>
  /** `returned`: the address that the browser came back to. Rejects with `SignInRefused` and `ProviderUnavailable`. */
  finish(returned: URL, secrets: FlowSecrets, signal: AbortSignal): Promise<SignedInPerson>
  /** What they may do now. Rejects with `SignInRefused` when the tokens are not accepted any more. */
  recheck(subject: string, tokens: ProviderTokens, signal: AbortSignal): Promise<SignedInPerson>
}

/** `denied`: the person said no. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly code: 'denied' | 'failed'

  constructor(code: 'denied' | 'failed', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** It did not answer, or not in its own language: worth repeating. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}
