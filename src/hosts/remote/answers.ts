/** What all adapters do with refusals: say who was refused and why, and go on without a missing part. */
import { UserError } from '../../base/errors.ts'
import type { HostAccess } from './contract.ts'

/** Who was refused, for messages. */
export function askerOf({ app, token, tokenName }: Pick<HostAccess, 'app' | 'token' | 'tokenName'>): string {
  if (app) return 'the GitHub App'
  if (token !== null) return `the token from ${tokenName}`
  return tokenName === null
    ? 'a request without a token'
    : `a request without a token ($${tokenName} is not set)`
}

/** The host understood the request and refused it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** 200 for errors of GraphQL. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** It will not do this for this token, however often it is asked. */
export function isRefusal(error: unknown): error is UserError | Refused {
  return error instanceof Refused || (error instanceof UserError && error.code !== 'host-unavailable')
}

/** The token may not, as the host says. */
export function isForbidden(error: unknown): error is UserError {
  return error instanceof UserError && error.code === 'host-refused'
}

/** Why the host refuses the write, in words; null when it was carried out. Throws what is no such refusal. */
export async function refusalOf(
  write: () => Promise<unknown>,
  isMeant: (error: unknown) => error is Error = isRefusal,
): Promise<string | null> {
  try {
    await write()
    return null
  } catch (error) {
    if (isMeant(error)) return error.message
    throw error
  }
}

/** Null for what does not exist, or may not be seen. */
export async function unlessUnknown<Value>(work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError && error.code === 'change-request-unknown') return null
    throw error
  }
}

/** Null for what does not exist; some hosts call a commit that they do not have a bad request. */
export async function unlessAbsent<Value>(work: () => Promise<Value>): Promise<Value | null> {
  return await unlessUnknown(work).catch((error: unknown) => {
    if (error instanceof Refused) return null
    throw error
  })
}

/** Null where the host refuses it to this token. */
export async function unlessRefused<Value>(work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work()
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

export type Attempts = {
  /** What could not be read, in one sentence each, sorted. */
  limits(): string[]
  /** The answer of `work`, or `otherwise` and a limit when it fails. Throws only when the signal was aborted. */
  attempt<Value>(what: string, otherwise: Value, work: () => Promise<Value>): Promise<Value>
}

/** For the parts of a change request without which it can still be reviewed. */
export function openAttempts(signal: AbortSignal): Attempts {
  const limits: string[] = []
  return {
    limits: () => limits.toSorted(),
    async attempt(what, otherwise, work) {
      try {
        return await work()
      } catch (error) {
        signal.throwIfAborted()
        limits.push(`${what} could not be read: ${error instanceof Error ? error.message : String(error)}`)
        return otherwise
      }
    },
  }
}
