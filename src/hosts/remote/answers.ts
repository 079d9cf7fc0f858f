/** What the readers of all hosts do with answers: go on without a missing part, refuse an identity that makes no sense. */
import type { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { ChangeRequest, RepositoryIdentity } from '../../domain/review-request.ts'
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
}

/** It will not do this for this token, however often it is asked. */
export function isRefusal(error: unknown): error is UserError | Refused {
  return error instanceof Refused || (error instanceof UserError && error.code !== 'host-unavailable')
}

/** Why the host refuses the write, in words; null when it was carried out. Throws everything else. */
export async function refusalOf(write: () => Promise<unknown>): Promise<string | null> {
  try {
    await write()
    return null
  } catch (error) {
    if (isRefusal(error)) return error.message
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

/** Throws `host-unavailable` when the host's answer does not make a change request. */
export function identityOf(
  changeRequest: z.input<typeof ChangeRequest>,
  repository: z.input<typeof RepositoryIdentity>,
): { changeRequest: ChangeRequest; repository: RepositoryIdentity } {
  const parsed = ChangeRequest.safeParse(changeRequest)
  const identity = RepositoryIdentity.safeParse(repository)
  if (parsed.success && identity.success) return { changeRequest: parsed.data, repository: identity.data }
  throw new UserError('host-unavailable', 'its answer on the change request cannot be understood', {
    cause: parsed.error ?? identity.error,
  })
}
