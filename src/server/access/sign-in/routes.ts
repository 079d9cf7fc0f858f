/**
 * Where people sign in: to the provider, and back. A cookie that only this server can read binds both ways to one browser,
 * so that nobody is signed in as somebody else by a link. Afterwards they land on a page of this server and nowhere else.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { rates } from '../../api/contract/common.ts'
import type { Sealer } from '../../connections/sealed-secrets.ts'
import { type Answer, type Call, Refused, type Route } from '../../http/contract.ts'
import { cookieIn, type SessionCookies } from '../../http/cookies.ts'
import type { Log } from '../../log.ts'
import type { Sessions } from '../sessions.ts'
import { ProviderUnavailable, type SignInFlow, SignInRefused } from './contract.ts'

export type SignInRouteParts = {
  flows: ReadonlyMap<string, SignInFlow>
  sessions: Sessions
  cookies: SessionCookies
  sealer: Sealer
  log: Log
}

/** Where the dashboard says what went wrong, by `error`. */
const failedPath = '/sign-in'
type Failure = 'denied' | 'expired' | 'no-access' | 'unavailable' | 'failed'

const Attempt = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  back: z.string(),
  /** Milliseconds. */
  until: z.number(),
})
type Attempt = z.infer<typeof Attempt>

const attemptMs = 10 * 60_000
const purpose = 'sign-in attempt'
/** More at one time are asked to come again: each of them makes this server ask another one. */
const mostAtOnce = 50

export function signInRoutes(parts: SignInRouteParts): Route[] {
  let underWay = 0
  const bounded = (handle: (call: Call) => Promise<Answer>) => async (call: Call) => {
    if (underWay >= mostAtOnce) throw new Refused(503, 'Too many people sign in at this moment; try again.')
    underWay++
    try {
      return await handle(call)
    } finally {
      underWay--
    }
  }
  return [
    {
      method: 'GET',
      path: '/auth/{provider}',
      ...{ scope: 'public', tenant: 'none', audit: { none: 'the session begins later' } },
      ...{ bodyBytes: 0, rate: rates.signIn },
      handle: bounded((call) => begin(parts, call)),
    },
    {
      method: 'GET',
      path: '/auth/{provider}/callback',
      ...{ scope: 'signed', tenant: 'proven', audit: 'session.begin', bodyBytes: 0, rate: rates.signIn },
      handle: bounded((call) => finish(parts, call)),
    },
  ]
}

async function begin({ flows, cookies, sealer, log }: SignInRouteParts, call: Call): Promise<Answer> {
  const flow = flows.get(call.parameters.provider ?? '')
  if (!flow) throw new Refused(404, 'There is no such sign-in provider.')
  const [state, nonce, verifier] = [random(), random(), random()] as const
  const back = pathWithin(call.query.get('return') ?? '/')
  const attempt: Attempt = {
    provider: flow.name,
    state,
    nonce,
    verifier,
    back,
    until: Date.now() + attemptMs,
  }
  try {
    const { href } = await flow.begin(attempt)
    return redirect(href, [cookies.attempt(sealer.seal(JSON.stringify(attempt), purpose), attemptMs / 1000)])
  } catch (error) {
    return failed(failureOf(error), flow.name, error, { cookies, log })
  }
}

async function finish(parts: SignInRouteParts, call: Call): Promise<Answer> {
  const { flows, sessions, cookies, sealer, log } = parts
  const flow = flows.get(call.parameters.provider ?? '')
  if (!flow) throw new Refused(404, 'There is no such sign-in provider.')
  const attempt = readAttempt(sealer, cookieIn(call.headers.cookie, cookies.attemptName))
  const state = call.query.getAll('state')
  const isOwn = attempt?.provider === flow.name && state.length === 1 && state[0] === attempt.state
  if (!attempt || !isOwn || attempt.until < Date.now())
    return failed('expired', flow.name, null, { cookies, log })
  try {
    const returned = new URL(`http://server${call.path}?${call.query}`)
    const person = await flow.finish(returned, attempt, call.signal)
    const begun = await sessions.beginWithPerson(flow, person, cookieIn(call.headers.cookie, cookies.name))
    if (!begun) return failed('no-access', flow.name, null, { cookies, log })
    log.info('signed-in', { provider: flow.name, tenant: begun.session.tenant })
    return redirect(attempt.back, [cookies.session(begun.key, begun.seconds), cookies.attempt('', 0)])
  } catch (error) {
    return failed(failureOf(error), flow.name, error, { cookies, log })
  }
}

function readAttempt(sealer: Sealer, cookie: string): Attempt | null {
  try {
    return Attempt.parse(JSON.parse(sealer.open(cookie, purpose)))
  } catch {
    return null
  }
}

/** A path of this server; `/` for everything that could lead away from it. */
export function pathWithin(wanted: string): string {
  const home = 'http://server.invalid'
  const isPath = /^\/(?![/\\])[\x21-\x7e]{0,500}$/.test(wanted) && !wanted.includes('\\')
  const url = isPath ? URL.parse(wanted, home) : null
  // Paths of the API answer with data, and those of sign-in would begin again.
  if (!url || url.origin !== home || /^\/(api|auth)(\/|$)/.test(url.pathname)) return '/'
  return `${url.pathname.replace(/^\/+/, '/')}${url.search}${url.hash}`
}

function failureOf(error: unknown): Failure {
  if (error instanceof SignInRefused) return error.code
  return error instanceof ProviderUnavailable ? 'unavailable' : 'failed'
}

function failed(
  code: Failure,
  provider: string,
  error: unknown,
  { cookies, log }: Pick<SignInRouteParts, 'cookies' | 'log'>,
): Answer {
  const why = error instanceof Error ? error.message : code
  log.warn('sign-in-refused', { provider, code, why })
  return redirect(`${failedPath}?error=${code}`, [cookies.attempt('', 0)])
}

function redirect(location: string, cookies: readonly string[]): Answer {
  return { status: 302, headers: { location }, cookies }
}

function random(): string {
  return randomBytes(32).toString('base64url')
}
