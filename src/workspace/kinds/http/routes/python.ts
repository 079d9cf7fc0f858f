/** Routes of FastAPI, Flask and Django, with the routers of Django REST framework. */
import type { CodeSymbol } from '../../../../domain/code-symbol.ts'
import { placeAt } from '../../../places.ts'
import { typeFields } from '../../payload/type-fields.ts'
import { type Argument, argumentIn, entriesOf, named, positional } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { assignedName } from '../calls/client-call.ts'
import type { HttpParameter } from '../operation.ts'
import {
  type ReadRoutes,
  type Route,
  type RouteCall,
  type RouteContext,
  routerOf,
  stringOf,
} from './route.ts'

const verbs = /^(?:get|post|put|patch|delete|head|options)$/

export const readPythonRoutes: ReadRoutes = (context) => {
  const { code, facts, found } = context
  const { path, text } = context.file
  const [isDjango, isRest] = [/\bdjango\b/.test(text), /\brest_framework\b/.test(text)]
  for (const reference of facts.references) {
    const { role, name, receiver } = reference
    if (role !== 'call' && role !== 'decorator') continue
    const all = code.argumentsOf(reference)
    if (role === 'decorator') readDecorator({ reference, all: all ?? [] }, context)
    if (role !== 'call' || !all) continue
    const call = { reference, all }
    if (name === 'APIRouter' || name === 'Blueprint') {
      const owner = lastName(assignedName(code.before(code.offsetOf(reference))) ?? '')
      const prefix = prefixOf(all, context)
      if (owner && prefix !== null) found.prefixes.set(routerOf(path, owner), prefix)
    }
    if (name === 'include_router' || name === 'register_blueprint') includeRouter(call, context)
    if (isDjango && receiver === null && /^(?:path|re_path|url)$/.test(name)) readDjangoPath(call, context)
    if (isRest && name === 'register') readViewSet(call, context)
  }
}

const prefixOf = (all: readonly Argument[], context: RouteContext) =>
  stringOf(argumentIn(all, 'prefix', 'url_prefix'), context, '')
const lastName = (dotted: string): string => dotted.split('.').at(-1) ?? ''

function readDecorator({ reference, all }: RouteCall, context: RouteContext): void {
  const { name, receiver, enclosing } = reference
  const { path, text } = context.file
  const symbol = enclosing === null ? undefined : context.facts.symbols[enclosing]
  const isRoute = name === 'route' || name === 'api_route'
  if (receiver === null || !symbol || !(isRoute || verbs.test(name))) return
  const route = stringOf(argumentIn(all, 0, 'path', 'rule'), context)
  if (route === null || !(route === '' || route.startsWith('/'))) return
  const methods = isRoute
    ? entriesOf(named(all, 'methods')?.text ?? '["GET"]').flatMap(({ text }) => literalText(text) ?? [])
    : [name]
  const isFast = !isRoute && /\bfastapi\b/i.test(text)
  for (const method of methods)
    context.found.routes.push({
      ...placeAt(path, reference.line, symbol.endLine),
      router: routerOf(path, lastName(receiver)),
      ...{ method: method.toUpperCase(), route, handler: symbol.name },
      ...(isFast && typed(route, symbol, all, context)),
    })
}

/** What FastAPI reads of the signature: parameters of the query, the model of the body, the model of the answer. */
function typed(
  route: string,
  symbol: CodeSymbol,
  all: readonly Argument[],
  { file, findType }: RouteContext,
): Pick<Route, 'parameters' | 'request' | 'response'> {
  const parameters: HttpParameter[] = []
  let request: Route['request'] = null
  for (const { name, type, optional } of symbol.signature.parameters ?? []) {
    if (type === null || !/^\w+$/.test(name) || new RegExp(`\\{${name}[:}]`).test(route)) continue
    const model = typeFields(type, file, symbol.nameLine, 'request', findType)
    const simple = /^(?:Optional\[)?(int|float|str|bool)\b/.exec(type)?.[1]
    if (model) request = request === null ? model : null
    else if (simple && !/\b(?:Header|Cookie|Body|Form|File|Depends)\(/.test(type))
      parameters.push({
        ...placeAt(file.path, symbol.nameLine),
        name,
        in: 'query',
        type: { int: 'integer', float: 'number', str: 'string', bool: 'boolean' }[simple] ?? '',
        required: !optional,
        nullable: false,
        values: null,
        hasDefault: optional,
      })
  }
  const answer = named(all, 'response_model')?.text ?? symbol.signature.returnType
  return {
    parameters,
    request,
    response: answer ? typeFields(answer, file, symbol.nameLine, 'response', findType) : null,
  }
}

function includeRouter({ reference, all }: RouteCall, context: RouteContext): void {
  const router = routerBy(positional(all, 0)?.text ?? '', context)
  const prefix = prefixOf(all, context)
  if (router === null || prefix === null || reference.receiver === null) return
  const parent = routerOf(context.file.path, lastName(reference.receiver))
  // Flask: a prefix that is given here stands for that of the blueprint.
  const isInstead = reference.name === 'register_blueprint' && prefix !== ''
  const child = isInstead ? `${router}!` : router
  context.found.mounts.push({ ...context.code.placeOf(reference), parent, child, prefix })
}

/** `router`, `users.router`, `users_router` as this file imports it. */
function routerBy(text: string, context: RouteContext): string | null {
  const names = text.split('.')
  const [first = '', last] = [names[0], names.length > 1 ? names.at(-1) : undefined]
  if (!/^\w{1,80}$/.test(first)) return null
  const imported = context.facts.imports.find(({ local }) => local === first)
  if (!imported) return routerOf(context.file.path, first)
  const inner = imported.imported === '*' ? '' : imported.imported
  const separator = imported.source.endsWith('.') ? '' : '.'
  const module = inner === '' ? null : context.fileOf(`${imported.source}${separator}${inner}`)
  if (last !== undefined && module !== null) return routerOf(module, last)
  const file = context.fileOf(imported.source)
  return file === null ? null : routerOf(file, last ?? inner)
}

const djangoRouter = (path: string): string => routerOf(path, 'urlpatterns')

function readDjangoPath({ reference, all }: RouteCall, context: RouteContext): void {
  const { found } = context
  const written = stringOf(positional(all, 0), context)
  const target = positional(all, 1)?.text ?? ''
  if (written === null) return
  const route = reference.name === 'path' ? written : fromPattern(written)
  const included = /^include\(/.test(target) ? (entriesOf(target)[0]?.text ?? '') : null
  const place = context.code.placeOf(reference)
  const parent = djangoRouter(context.file.path)
  if (included === null) {
    const handler = /^([\w.]{1,120})/.exec(target)?.[1] ?? null
    found.routes.push({ ...place, router: parent, method: '*', route, handler })
    return
  }
  const tuple = included.startsWith('(') ? (entriesOf(included)[0]?.text ?? '') : included
  const module = literalText(tuple)
  if (module !== null) {
    const file = context.fileOf(module)
    if (file !== null) found.mounts.push({ ...place, parent, child: djangoRouter(file), prefix: route })
  } else if (tuple.endsWith('.urls')) {
    const child = routerBy(tuple.slice(0, -'.urls'.length), context)
    if (child !== null) found.mounts.push({ ...place, parent, child, prefix: route })
  }
}

/** `^users/(?P<pk>\d+)/$` → `users/<pk>/`. */
function fromPattern(pattern: string): string {
  return pattern
    .replace(/\(\?P<(\w{1,60})>[^()]{0,120}\)|\([^?][^()]{0,120}\)/g, (_, name) => `<${name ?? 'value'}>`)
    .replace(/^\^|\\?\$$|\\Z$/g, '')
    .replaceAll('/?', '/')
}

function readViewSet({ reference, all }: RouteCall, context: RouteContext): void {
  const prefix = stringOf(argumentIn(all, 0, 'prefix'), context)
  const view = argumentIn(all, 1, 'viewset')?.text ?? ''
  if (prefix === null || reference.receiver === null || !/^[\w.]{1,120}$/.test(view)) return
  const router = routerOf(context.file.path, lastName(reference.receiver))
  for (const [method, route] of [
    ['GET', prefix],
    ['POST', prefix],
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((one) => [one, `${prefix}/<pk>`]),
  ] as [string, string][])
    context.found.routes.push({ ...context.code.placeOf(reference), router, method, route, handler: view })
}
