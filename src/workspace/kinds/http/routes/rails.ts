/** Routes of Rails: `config/routes.rb` with resources, namespaces and scopes. */
import type { Reference } from '../../../../code-index/contract.ts'
import { entriesOf, named } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { type ReadRoutes, type RouteCall, type RouteContext, routerOf } from './route.ts'

const verbs = /^(?:get|post|put|patch|delete)$/

/** What a block puts before the routes in it. */
type Block = { endLine: number; prefix: string; member: string | null; collection: string | null }

const nothingAround: Block = { endLine: 0, prefix: '', member: null, collection: null }

export const readRailsRoutes: ReadRoutes = (context) => {
  if (!/\broutes\.draw\b/.test(context.file.text)) return
  const open: Block[] = []
  for (const reference of context.facts.references) {
    if (reference.role !== 'call') continue
    const { name, line } = reference
    while ((open.at(-1)?.endLine ?? Number.POSITIVE_INFINITY) < line) open.pop()
    if (reference.receiver !== null) continue
    const call = { reference, all: context.code.argumentsOf(reference) ?? [] }
    const around = open.at(-1) ?? nothingAround
    const block = readBlock(call, around, context)
    // A block of one line ends with it.
    if (block && hasBlock(reference, context)) open.push({ ...block, endLine: reference.endLine })
    else if (verbs.test(name) || name === 'match') readVerb(call, around, context)
  }
}

function hasBlock({ line, endLine }: Reference, { code }: RouteContext): boolean {
  return endLine > line || / do\b|\{/.test(code.linesOf({ startLine: line, endLine: line }).text)
}

function readBlock(call: RouteCall, around: Block, context: RouteContext): Omit<Block, 'endLine'> | null {
  const { reference, all } = call
  const path = named(all, 'path') && nameOf(named(all, 'path')?.text ?? '')
  const names = all.filter(({ name }) => name === null).flatMap(({ text }) => nameOf(text) ?? [])
  const below = (part: string) => ({ prefix: `${around.prefix}/${part}`, member: null, collection: null })
  switch (reference.name) {
    case 'namespace':
    case 'scope':
      return below(path ?? names[0] ?? '')
    case 'member':
      return { prefix: around.member ?? around.prefix, member: null, collection: null }
    case 'collection':
      return { prefix: around.collection ?? around.prefix, member: null, collection: null }
    case 'resources':
    case 'resource': {
      const isOne = reference.name === 'resource'
      for (const name of names) addResource(call, `${around.prefix}/${path ?? name}`, isOne, context)
      const collection = `${around.prefix}/${path ?? names[0] ?? ''}`
      const member = isOne ? collection : `${collection}/:id`
      return { prefix: member, member, collection }
    }
    default:
      return null
  }
}

/** `:users`, `'users'`. */
function nameOf(text: string): string | null {
  return /^:(\w{1,80})$/.exec(text)?.[1] ?? literalText(text)
}

const actions: readonly [action: string, method: string, isMember: boolean][] = [
  ['index', 'GET', false],
  ['create', 'POST', false],
  ['show', 'GET', true],
  ['update', 'PATCH', true],
  ['update', 'PUT', true],
  ['destroy', 'DELETE', true],
]

function addResource(
  { reference, all }: RouteCall,
  path: string,
  isOne: boolean,
  context: RouteContext,
): void {
  const only = listOf(named(all, 'only')?.text)
  const except = listOf(named(all, 'except')?.text) ?? []
  // Only its own line: the block holds others.
  const place = { ...context.code.placeOf(reference), endLine: reference.line }
  for (const [action, method, isMember] of actions) {
    if ((only && !only.includes(action)) || except.includes(action) || (isOne && action === 'index')) continue
    const route = isMember && !isOne ? `${path}/:id` : path
    const router = routerOf(context.file.path, 'rails')
    context.found.routes.push({ ...place, router, method, route, handler: `${path}#${action}` })
  }
}

function listOf(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const words = /^%i[[(]([^\])]{0,300})/.exec(text)?.[1]
  if (words !== undefined) return words.trim().split(/ {1,9}/)
  const one = nameOf(text)
  return one !== null ? [one] : entriesOf(text).flatMap((entry) => nameOf(entry.text) ?? [])
}

function readVerb({ reference, all }: RouteCall, around: Block, context: RouteContext): void {
  const [first] = all
  // `get '/health' => 'health#show'` is read as a name with a value.
  const route = first?.name ?? nameOf(first?.text ?? '')
  if (route === null || route === undefined || /^(?:to|via|as|on)$/.test(route)) return
  const on = nameOf(named(all, 'on')?.text ?? '')
  const base =
    on === 'member'
      ? (around.member ?? around.prefix)
      : on === 'collection'
        ? (around.collection ?? around.prefix)
        : around.prefix
  const methods = reference.name === 'match' ? (listOf(named(all, 'via')?.text) ?? ['*']) : [reference.name]
  const target = first?.name !== null ? first?.text : named(all, 'to')?.text
  for (const method of methods)
    context.found.routes.push({
      ...context.code.placeOf(reference),
      endLine: reference.line,
      router: routerOf(context.file.path, 'rails'),
      method: method === 'all' ? '*' : method.toUpperCase(),
      route: `${base}/${route.replace('(.:format)', '')}`,
      handler: target === undefined ? null : literalText(target),
    })
}
