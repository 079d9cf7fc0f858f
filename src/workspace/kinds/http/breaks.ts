/** What of an API no longer holds for its clients, by the accepted rules for OpenAPI. Compatible changes yield nothing. */
import { firstBy } from '../../../base/grouped.ts'
import { placeOf, type SharedBreak, type SharedPlace } from '../../../domain/shared-contract.ts'
import type { Break, Provided } from '../../contract.ts'
import { goneOrRenamed } from '../../places.ts'
import { type FieldBreak, lostValues, readerBreaks, writerBreaks } from '../payload/compare-fields.ts'
import type { Content, HttpParameter, Operation } from './operation.ts'
import { keyOf, operationKey, operationName } from './url-path.ts'

/** What a use must do to be broken. */
export type Effect =
  | { on: 'call' }
  | {
      on: 'parameter'
      in: string
      name: string
      is: 'demanded' | 'gone' | 'narrowed'
      lostValues: readonly string[] | null
    }
  | {
      on: 'request'
      field: string
      is: 'demanded' | 'gone' | 'narrowed'
      lostValues: readonly string[] | null
    }
  | { on: 'body'; is: 'demanded' | 'gone' }
  | { on: 'answer'; field: string; bears: 'a missing value' | 'nothing' }
  | { on: 'status'; status: string }
  | { on: 'security' }

export type HttpBreak = { operation: Operation; rivals: readonly Operation[]; effect: Effect }

type Found = Pick<SharedBreak, 'how' | 'renamedTo' | 'what' | 'before' | 'after'> & { effect: Effect }

export function httpBreaks(
  before: readonly Provided<Operation>[],
  after: readonly Provided<Operation>[],
): Break<HttpBreak>[] {
  const operations = before.map(({ shape }) => shape)
  const rivals = Map.groupBy(operations, (one) => operationPathKey(one) ?? '')
  const now = Map.groupBy(after, ({ name }) => name)
  const covered = new Set(after.flatMap(fullNames))
  const known = new Set(before.map(({ name }) => name))
  const came = after.filter(({ name }) => !known.has(name))
  const taken = new Set<string>()
  return before.flatMap((old): Break<HttpBreak>[] => {
    const kept = now.get(old.name)?.filter(({ shape }) => shape.source === old.shape.source) ?? []
    const next = kept.find(({ path }) => path === old.path) ?? kept[0]
    const names = fullNames(old)
    const isGone =
      !next && !now.has(old.name) && !names.some((one) => covered.has(one)) && !isSeenAsPart(old, came)
    // Written down twice, as a document and as code, it is gone once.
    if (isGone && names.some((one) => taken.has(one))) return []
    if (isGone) for (const one of names) taken.add(one)
    const found = isGone ? [goneBreak(old, before, after)] : next ? changes(old.shape, next.shape) : []
    return firstBy(found, ({ what, before, after }) => JSON.stringify([what, before, after])).map((one) =>
      withOperation(one, old, rivals),
    )
  })
}

/**
 * Which files mount a router is not always found: the same handler of the same file with more or less before its path is the
 * same route.
 */
function isSeenAsPart(old: Provided<Operation>, came: readonly Provided<Operation>[]): boolean {
  const path = old.shape.segments.join('/')
  return (
    old.shape.source === 'code' &&
    came.some(({ path: file, shape }) => {
      const other = shape.segments.join('/')
      const isSame = file === old.path && shape.method === old.shape.method && shape.id === old.shape.id
      return isSame && (other.endsWith(`/${path}`) || path.endsWith(`/${other}`))
    })
  )
}

function withOperation(
  { effect, ...found }: Found,
  { name, shape }: Provided<Operation>,
  all: ReadonlyMap<string, readonly Operation[]>,
): Break<HttpBreak> {
  const key = operationPathKey(shape)
  const own = new Set(fullNames({ shape }))
  const rivals = (all.get(key ?? '') ?? []).filter(
    (one) => !fullNames({ shape: one }).some((name) => own.has(name)),
  )
  const keys = [
    ...(key === null ? [] : [key]),
    ...(shape.id !== null && shape.source === 'document' ? [operationKey(shape.id)] : []),
  ]
  return {
    kind: 'http',
    name,
    ...found,
    keys,
    shape: { operation: shape, rivals, effect },
  }
}

function operationPathKey({ segments, bases }: Operation): string | null {
  return keyOf(segments) ?? keyOf(bases[0] ?? [])
}

/** With each base, so that a route of the code and its document are the same; a route for every method is all of them. */
function fullNames({ shape: { method, segments, bases } }: Pick<Provided<Operation>, 'shape'>): string[] {
  const paths = [segments, ...bases.map((base) => [...base, ...segments])]
  return paths.flatMap((path) =>
    (method === '*' ? ['*', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : [method]).map((one) =>
      operationName(one, path),
    ),
  )
}

function goneBreak(
  old: Provided<Operation>,
  before: readonly Provided<Operation>[],
  after: readonly Provided<Operation>[],
): Found {
  const next = successorOf(old, before, after)
  const said = goneOrRenamed(old, next, {
    gone: `\`${old.name}\` was removed`,
    renamed: ({ name }) => `\`${old.name}\` is now \`${name}\``,
  })
  const places = { before: pathPlace(old, after), after: next && pathPlace(next, before) }
  return { ...said, ...places, effect: { on: 'call' } }
}

/** With the line of its path where the other side has no operation of this path. */
function pathPlace(one: Provided<Operation>, others: readonly Provided<Operation>[]): SharedPlace {
  const path = one.shape.segments.join('/')
  const isKept = others.some(({ shape }) => shape.segments.join('/') === path)
  return isKept ? placeOf(one) : { ...placeOf(one), line: one.shape.pathLine }
}

/** The operation that came in its place: of the same id, or the only one that differs in one fixed segment. */
function successorOf(
  old: Provided<Operation>,
  before: readonly Provided<Operation>[],
  after: readonly Provided<Operation>[],
): Provided<Operation> | null {
  const known = new Set(before.map(({ name }) => name))
  const came = after.filter(({ name, shape }) => !known.has(name) && shape.source === old.shape.source)
  const sameId = came.filter(({ shape }) => shape.id !== null && shape.id === old.shape.id)
  if (sameId.length === 1) return sameId[0] ?? null
  const alike = came.filter(
    ({ shape, path }) =>
      path === old.path &&
      shape.method === old.shape.method &&
      shape.segments.length === old.shape.segments.length &&
      shape.segments.filter((one, at) => one !== old.shape.segments[at]).length === 1,
  )
  return alike.length === 1 ? (alike[0] ?? null) : null
}

function changes(old: Operation, now: Operation): Found[] {
  return [parameterBreaks, requestBreaks, answerBreaks, securityBreaks].flatMap((find) => find(old, now))
}

function parameterBreaks(old: Operation, now: Operation): Found[] {
  // A parameter of the path has no name for those who call; its type still counts.
  const keyOfOne = (one: HttpParameter): string =>
    `${one.in} ${one.in === 'header' ? one.name.toLowerCase() : one.name}`
  const olds = new Map(old.parameters.map((one) => [keyOfOne(one), one]))
  const nows = new Map(now.parameters.map((one) => [keyOfOne(one), one]))
  const found: Found[] = []
  for (const [key, one] of olds) {
    const next = nows.get(key)
    const change = next
      ? changedParameter(one, next)
      : one.in === 'path'
        ? null
        : goneParameter(one, olds, nows)
    if (change) found.push(change)
  }
  for (const [key, one] of nows) {
    if (olds.has(key) || !one.required || one.hasDefault || one.in === 'path') continue
    const what = `the ${one.in} parameter \`${one.name}\` was added and is required`
    const effect = effectOn(one, 'demanded')
    found.push({ how: 'required', what, before: null, after: placeOf(one), effect })
  }
  return found
}

function goneParameter(
  one: HttpParameter,
  olds: ReadonlyMap<string, HttpParameter>,
  nows: ReadonlyMap<string, HttpParameter>,
): Found {
  const left = [...olds].filter(([key, other]) => other.in === one.in && !nows.has(key))
  const came = [...nows].filter(([key, other]) => other.in === one.in && !olds.has(key))
  const next = left.length === 1 && came.length === 1 && came[0]?.[1].type === one.type ? came[0][1] : null
  const said = goneOrRenamed(one, next, {
    gone: `the ${one.in} parameter \`${one.name}\` was removed`,
    renamed: ({ name }) => `the ${one.in} parameter \`${one.name}\` is now \`${name}\``,
  })
  return { ...said, effect: effectOn(one, 'gone') }
}

type ParameterEffect = Effect & { on: 'parameter' }

function effectOn(
  { in: where, name }: HttpParameter,
  is: ParameterEffect['is'],
  lostValues: ParameterEffect['lostValues'] = null,
): ParameterEffect {
  return { on: 'parameter', in: where, name, is, lostValues }
}

function changedParameter(one: HttpParameter, next: HttpParameter): Found | null {
  const name = `the ${one.in} parameter \`${one.name}\``
  const places = { before: placeOf(one), after: placeOf(next) }
  const narrowed = (what: string, lost: ParameterEffect['lostValues'] = null): Found => {
    return { how: 'narrowed', what: `${name} ${what}`, ...places, effect: effectOn(one, 'narrowed', lost) }
  }
  if (!one.required && next.required && !next.hasDefault && one.in !== 'path')
    return { how: 'required', what: `${name} is now required`, ...places, effect: effectOn(one, 'demanded') }
  const isOther = one.type !== '' && next.type !== '' && one.type !== next.type
  // Every value of a URL is text: a parameter that becomes a string takes what it took.
  if (isOther && next.type !== 'string' && !(one.type === 'integer' && next.type === 'number'))
    return narrowed(`must now be \`${next.type}\`, it was \`${one.type}\``)
  const lost = lostValues(one.values, next.values)
  if (lost.length === 0) return null
  return lost === 'all others'
    ? narrowed(`is now limited to \`${next.values?.slice(0, 6).join('`, `')}\``)
    : narrowed(`can no longer be \`${lost.slice(0, 6).join('`, `')}\``, lost)
}

function requestBreaks(old: Operation, now: Operation): Found[] {
  const { request: was } = old
  const { request: is } = now
  if (was && !is) return [removed(was, 'the request no longer takes a body', { on: 'body', is: 'gone' })]
  if (!is) return []
  const found: Found[] = []
  if (is.required && !was?.required)
    found.push({
      how: 'required',
      what: was ? 'the request body is now required' : 'a request body was added and is required',
      before: was && placeOf(was),
      after: placeOf(is),
      effect: { on: 'body', is: 'demanded' },
    })
  for (const content of was?.contents ?? []) {
    const next = sameMedia(content, is.contents)
    if (next)
      found.push(...writerBreaks(content.fields, next.fields).map((one) => fieldFound(one, 'request')))
    else if (is.contents.length > 0)
      found.push(
        removed(content, `the request no longer takes \`${content.media}\``, { on: 'body', is: 'gone' }),
      )
  }
  return found
}

function sameMedia(content: Content, others: readonly Content[]): Content | undefined {
  return (
    others.find(({ media }) => media === content.media) ??
    others.find(({ media }) => media === '*/*' || media === '' || content.media === '*/*')
  )
}

function removed(one: SharedPlace, what: string, effect: Effect): Found {
  return { how: 'removed', what, before: placeOf(one), after: null, effect }
}

function fieldFound(
  { field, lostValues: lost, mayLack, ...found }: FieldBreak,
  side: 'request' | 'answer',
): Found {
  if (side === 'answer') {
    return { ...found, effect: { on: 'answer', field, bears: mayLack ? 'a missing value' : 'nothing' } }
  }
  const is = found.how === 'required' ? 'demanded' : found.how === 'narrowed' ? 'narrowed' : 'gone'
  return { ...found, effect: { on: 'request', field, is, lostValues: lost } }
}

const isSuccess = (status: string): boolean => /^2/.test(status)

function answerBreaks(old: Operation, now: Operation): Found[] {
  if (now.answers.length === 0) return []
  const came = now.answers.filter(
    ({ status }) => isSuccess(status) && !old.answers.some((one) => one.status === status),
  )
  return old.answers
    .filter(({ status }) => isSuccess(status))
    .flatMap((answer): Found[] => {
      const next =
        now.answers.find(({ status }) => status === answer.status) ??
        now.answers.find(({ status }) => status === '2XX' || (status === 'DEFAULT' && came.length === 0))
      if (next) return contentBreaks(answer.contents, next.contents)
      const [instead] = came
      const place = { before: placeOf(answer), after: instead && came.length === 1 ? placeOf(instead) : null }
      const effect: Effect = { on: 'status', status: answer.status }
      if (!instead || came.length > 1)
        return [{ how: 'removed', what: `the response \`${answer.status}\` was removed`, ...place, effect }]
      const what = `the response \`${answer.status}\` is now \`${instead.status}\``
      return [
        { how: 'renamed', renamedTo: instead.status, what, ...place, effect },
        ...contentBreaks(answer.contents, instead.contents),
      ]
    })
}

function contentBreaks(before: readonly Content[], after: readonly Content[]): Found[] {
  return before.flatMap((content): Found[] => {
    const next = sameMedia(content, after)
    if (next) return readerBreaks(content.fields, next.fields).map((one) => fieldFound(one, 'answer'))
    const what = `the response no longer comes as \`${content.media}\``
    return [removed(content, what, { on: 'answer', field: '', bears: 'nothing' })]
  })
}

/** Tightened when a client that was let in before lacks something now. */
function securityBreaks(old: Operation, now: Operation): Found[] {
  const { security: was } = old
  const { security: is } = now
  if (!was || !is || is.choices.length === 0) return []
  const before = was.choices.length === 0 ? [''] : was.choices
  const needs = (choice: string): string[] => (choice === '' ? [] : choice.split(' and ').flatMap(demandsOf))
  const isShut = before.some((held) => {
    const has = new Set(needs(held))
    return !is.choices.some((choice) => needs(choice).every((one) => has.has(one)))
  })
  if (!isShut) return []
  const what = `the operation now requires ${is.choices
    .slice(0, 4)
    .map((one) => `\`${one}\``)
    .join(' or ')}`
  const place = was.choices.length > 0 ? placeOf(was) : null
  return [{ how: 'required', what, before: place, after: placeOf(is), effect: { on: 'security' } }]
}

/** `oauth read write` demands the scheme and each of its scopes. */
function demandsOf(requirement: string): string[] {
  const [scheme = '', ...scopes] = requirement.split(' ')
  return [scheme, ...scopes.map((scope) => `${scheme} ${scope}`)]
}
