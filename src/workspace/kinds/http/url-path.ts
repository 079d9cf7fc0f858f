/** Paths of URLs in all spellings, and whether a call fits a route. */
import type { Part } from '../reading/string-value.ts'
import type { Operation } from './operation.ts'

/** `/users/:id`, `/users/{id}`, `/users/<int:id>` → `users`, `{}`. */
export function routeSegments(path: string): string[] {
  return (
    path
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .filter((one) => one !== '')
      .map((one, at, all) => (one === '*' && at < all.length - 1 ? '{}' : routeSegment(one)))
      .slice(0, 40) ?? []
  )
}

function routeSegment(segment: string): string {
  if (
    /^\*\w{0,80}$|^\{\*\w{0,80}\}$|^\*\*$|^<path:|^\{\w{1,80}:path\}$|^\{\.\.\.|^:\w{1,80}[*+]$/.test(segment)
  )
    return '**'
  if (/^:\w{1,80}(?:\([^)]{0,200}\)|\{[^{}]{0,200}\})?\??$/.test(segment)) return '{}'
  return segment
    .replace(/\{[^{}]{0,200}\}|<[^<>]{0,200}>/g, '{}')
    .replace(/:[A-Za-z_]\w{0,80}(?:\([^)]{0,80}\))?/g, (name, at) =>
      at === 0 || segment[at - 1] !== '}' ? '{}' : name,
    )
}

/** `GET /users/{}`. */
export function operationName(method: string, segments: readonly string[]): string {
  return `${method === '*' ? 'ANY' : method} /${segments.join('/')}`
}

/**
 * The last segment that is neither a parameter nor looks like the value of one, so that `/users/42` is found as `/users/{}` is;
 * else the first that is fixed. Null where there is none.
 */
export function keyOf(segments: readonly string[]): string | null {
  const fixed = segments.filter((one) => one !== '{}' && one !== '**')
  return fixed.findLast((one) => !isValue(one)) ?? fixed[0] ?? null
}

/** Every service has them: who is asked is only known by the host. */
const everywhere = /^(?:health\w{0,9}|metrics|status|ping|ready\w{0,3}|live\w{0,4}|version|info|docs)$/i

/** Whether a path says something of the service that has it. */
export function isTellingPath(segments: readonly string[]): boolean {
  return segments.some((one) => one !== '{}' && one !== '**' && !isGateway(one) && !everywhere.test(one))
}

/** Languages write one id in their own ways: `getUser`, `get_user`, `GetUser`. */
export const operationKey = (id: string): string => `operation ${id.toLowerCase().replace(/[^a-z0-9]/g, '')}`

export type CalledUrl = {
  host: string | null
  base: string | null
  hasBase: boolean
  segments: string[]
  query: Record<string, string | null>
  isQueryOpen: boolean
}

/** Around the number of a hole; taken out of foreign text first. */
const [holeStart, holeEnd] = ['⟪', '⟫']

/** Of what a string says; null where it is no URL with a path. `hasClientBase`: a client puts its own base before it. */
export function calledUrl(parts: readonly Part[], hasClientBase = false): CalledUrl | null {
  const holes: string[] = []
  const url = parts
    .map((part) =>
      typeof part === 'string' ? part.replace(/[⟪⟫]/g, '') : holeStart + holes.push(part.hole) + holeEnd,
    )
    .join('')
  if (/[\s<>"\\]/.test(url)) return null
  const origin = /^(?:https?|wss?):\/\/([^/?#]{0,300})/i.exec(url)
  const first = /^⟪(\d+)⟫/.exec(url)
  let rest = url
  let host: string | null = null
  let base: string | null = null
  if (origin) {
    rest = url.slice(origin[0].length)
    const hole = /⟪(\d+)⟫/.exec(origin[1] ?? '')
    if (hole) base = holes[Number(hole[1]) - 1] ?? null
    else host = (origin[1] ?? '').toLowerCase()
  } else if (first) {
    rest = url.slice(first[0].length)
    base = holes[Number(first[1]) - 1] ?? null
  } else if (!url.startsWith('/') && !hasClientBase) return null
  if (rest !== '' && !/^[/?#]/.test(rest) && !(hasClientBase || first)) return null
  const [beforeHash = ''] = rest.split('#', 1)
  const [path = '', ...asked] = beforeHash.split('?')
  const segments = path
    .replace(/([^/])⟪(\d+)⟫$/, (whole, before, at) =>
      isQueryName(holes[Number(at) - 1] ?? '') ? before : whole,
    )
    .split('/')
    .filter((one) => one !== '')
    .map((one) => one.replace(/⟪\d+⟫/g, '{}').replace(/%7B[^%]{0,80}%7D|\{[^{}]{1,80}\}/gi, '{}'))
    .map((one) => (/^:[A-Za-z]\w{0,80}$/.test(one) ? '{}' : one))
  if (keyOf(segments) === null || segments.length > 40) return null
  return {
    host,
    base,
    hasBase: Boolean(first) || hasClientBase,
    segments,
    ...queryOf(asked.join('?')),
  }
}

const isQueryName = (hole: string): boolean => /quer|param|search|filter|qs\b|suffix|\?/i.test(hole)

function queryOf(query: string): { query: Record<string, string | null>; isQueryOpen: boolean } {
  const found: Record<string, string | null> = {}
  let isQueryOpen = false
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2)
    if (name.includes(holeStart)) isQueryOpen = true
    else if (name !== '') found[name] = value.includes(holeStart) ? null : value
  }
  return { query: found, isQueryOpen }
}

/** How well a call fits a path; the higher the better, null when it does not. */
export function fitOf(
  operation: Pick<Operation, 'method' | 'segments' | 'bases'>,
  use: { method: string; segments: readonly string[]; hasBase: boolean; host: string | null },
): number | null {
  if (operation.method !== use.method && operation.method !== '*' && use.method !== '*') return null
  const bases = operation.bases.length > 0 ? operation.bases : [[]]
  const fits = bases.map((base) => fitPath([...base, ...operation.segments], base.length, use))
  return fits.reduce<number | null>((best, one) => (one !== null && one > (best ?? -1) ? one : best), null)
}

/** What a gateway or a version puts before a path. */
const isGateway = (segment: string): boolean => /^(?:api|rest|v\d+(?:\.\d+)?|public|internal)$/i.test(segment)

function fitPath(
  whole: readonly string[],
  baseLength: number,
  use: { segments: readonly string[]; hasBase: boolean },
): number | null {
  const { segments } = use
  const missing = whole.length - segments.length
  if (missing < 0 && !segments.slice(0, -missing).every(isGateway)) return null
  if (missing > 0) {
    const hidden = whole.slice(0, missing)
    const isHidden = use.hasBase
      ? !hidden.includes('{}') && missing <= Math.max(baseLength, 4)
      : missing <= baseLength || hidden.every(isGateway)
    if (!isHidden) return null
  }
  const pairs = Math.min(whole.length, segments.length)
  let fixed = 0
  for (let back = 1; back <= pairs; back++) {
    const provided = whole[whole.length - back] ?? ''
    const used = segments[segments.length - back] ?? ''
    if (provided === used) fixed += provided === '{}' ? 1 : 2
    else if (provided !== '{}' || !isValue(used)) return null
  }
  if (fixed < 2) return null
  const isExact = missing === 0 || missing === baseLength
  return fixed * 10 + (isExact ? 5 : 0) - Math.abs(missing)
}

/** A fixed segment of a call that can stand for a parameter: `/users/42`. */
function isValue(segment: string): boolean {
  return segment === '{}' || /\d/.test(segment) || segment === 'me' || segment.length > 30
}
