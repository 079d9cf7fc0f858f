/** How sure it is that a call no longer works: by URL text at most possible, unless the host or a generated client says more. */
import type { Confidence } from '../../../domain/severity.ts'
import { doesRead } from '../payload/reads.ts'
import type { Effect, HttpBreak } from './breaks.ts'
import type { HttpUse, Operation } from './operation.ts'
import { fitOf, isTellingPath, operationKey } from './url-path.ts'

type Call = Extract<HttpUse, { kind: 'call' }>

export function judgeHttp({ operation, rivals, effect }: HttpBreak, use: HttpUse): Confidence | null {
  if (use.kind === 'operation') {
    if (operation.id === null || operationKey(operation.id) !== operationKey(use.id)) return null
    return isBrokenClient(effect, use) ? 'likely' : null
  }
  const fit = fitOf(operation, use)
  if (fit === null || rivals.some((one) => (fitOf(one, use) ?? -1) > fit)) return null
  if (use.host !== null && operation.hosts.length > 0 && !operation.hosts.includes(use.host)) return null
  if (!isBroken(effect, use)) return null
  if (!isTellingPath(operation.segments) && !isOfService(operation, use)) return null
  return isOfService(operation, use) && use.method !== '*' && hasAllSegments(operation, use)
    ? 'likely'
    : 'possible'
}

function hasAllSegments({ segments, bases }: Operation, use: Call): boolean {
  const used = use.segments.length
  return [segments.length, ...bases.map((base) => base.length + segments.length)].includes(used)
}

function isOfService({ hosts, service }: Operation, { host, base }: Call): boolean {
  if (host !== null) return hosts.includes(host)
  if (base === null || service.length === 0) return false
  const words = wordsOf(base)
  return service.every(
    (word) => words.has(word) || words.has(`${word}s`) || words.has(word.replace(/s$/, '')),
  )
}

/** `process.env.USERS_API_URL` → process, env, users, api, url. */
function wordsOf(name: string): Set<string> {
  const split = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return new Set(split.match(/[a-z]{2,60}/g) ?? [])
}

/** A generated client has its own spelling of names, and takes parameters and body in one object. */
function isBrokenClient(effect: Effect, { sent, reads }: Extract<HttpUse, { kind: 'operation' }>): boolean {
  if (effect.on === 'call') return true
  if (effect.on === 'answer') return doesRead(reads, effect)
  if (effect.on !== 'parameter' && effect.on !== 'request') return false
  const name = plainName(effect.on === 'parameter' ? effect.name : (effect.field.split('.').at(-1) ?? ''))
  const own = Object.keys(sent.values).find((one) => plainName(one) === name)
  if (effect.is === 'demanded') return own === undefined && !sent.isOpen
  return own !== undefined && isLost(effect, sent.values[own] ?? null)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function isBroken(effect: Effect, use: Call): boolean {
  switch (effect.on) {
    case 'call':
      return true
    case 'parameter':
      return isParameterBroken(effect, use)
    case 'request':
      return isRequestBroken(effect, use)
    case 'body': {
      const isEmpty = Object.keys(use.body.values).length === 0 && !use.body.isOpen
      return effect.is === 'demanded' ? isEmpty : !isEmpty
    }
    case 'answer':
      return doesRead(use.reads, effect)
    case 'status':
      return use.statuses.includes(effect.status)
    case 'security':
      return (
        !use.headers.isOpen &&
        !Object.keys(use.headers.values).some((name) => /auth|token|key|cookie/i.test(name))
      )
  }
}

function isParameterBroken(effect: Extract<Effect, { on: 'parameter' }>, use: Call): boolean {
  // A value in the path is sent by everyone; what it is the text seldom tells.
  if (effect.in === 'path') return false
  const sent = effect.in === 'query' ? use.query : effect.in === 'header' ? use.headers : null
  if (!sent) return false
  const isHeader = effect.in === 'header'
  const name = Object.keys(sent.values).find((one) =>
    isHeader
      ? one.toLowerCase() === effect.name.toLowerCase()
      : one === effect.name || one === `${effect.name}[]`,
  )
  if (effect.is === 'demanded') return name === undefined && !sent.isOpen
  return name !== undefined && isLost(effect, sent.values[name] ?? null)
}

function isRequestBroken(effect: Extract<Effect, { on: 'request' }>, { body }: Call): boolean {
  const { field } = effect
  if (field === '') return Object.keys(body.values).length > 0 && effect.is !== 'demanded'
  const dot = field.lastIndexOf('.')
  const isSent = field in body.values
  if (effect.is !== 'demanded') return isSent && isLost(effect, body.values[field] ?? null)
  if (isSent || field.includes('[]') || field.includes('{}')) return false
  if (dot < 0) return !body.isOpen
  // An inner field is missing only where the outer one is written out.
  const parent = `${field.slice(0, dot)}.`
  return !body.isOpen && Object.keys(body.values).some((one) => one.startsWith(parent))
}

function isLost(
  { is, lostValues }: { is: string; lostValues: readonly string[] | null },
  value: string | null,
): boolean {
  return is === 'gone' || lostValues === null || (value !== null && lostValues.includes(value))
}
