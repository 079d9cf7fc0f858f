/** Routes of FastAPI, Flask and Django, with the routers of Django REST framework. */
import type { FileFacts, Reference } from '../../../../code-index/contract.ts'
import type { CodeSymbol } from '../../../../domain/code-symbol.ts'
import { typeFields } from '../../payload/type-fields.ts'
import { type Argument, entriesOf, named, positional } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { assignedName } from '../calls/client-call.ts'
import type { HttpParameter } from '../operation.ts'
import {
  type FileRoutes,
  placeOf,
  type ReadRoutes,
  type Route,
  type RouteContext,
  routerOf,
} from './route.ts'

const verbs = /^(?:get|post|put|patch|delete|head|options)$/

export const readPythonRoutes: ReadRoutes = (context, found) => {
  const { facts, path } = context.file
  if (!facts) return
  for (const reference of facts.references) {
    if (reference.role === 'decorator') readDecorator(reference, context, found, facts)
    if (reference.role !== 'call') continue
    const all = context.code.argumentsOf(reference)
    if (!all) continue
    if (/^(?:APIRouter|Blueprint)$/.test(reference.name)) {
      const owner = assignedName(context.code.before(context.code.offsetOf(reference)))
        ?.split('.')
        .at(-1)
      const prefix = literalText(
        (named(all, 'prefix') ?? named(all, 'url_prefix'))?.text ?? "''",
        context.constants,
      )
      if (owner && prefix !== null) found.prefixes.set(routerOf(path, owner), prefix)
    }
    if (reference.name === 'include_router' || reference.name === 'register_blueprint')
      includeRouter(reference, all, context, found, facts)
    if (
      reference.receiver === null &&
      /^(?:path|re_path|url)$/.test(reference.name) &&
      /\bdjango\b/.test(context.file.text)
    )
      readDjangoPath(reference, all, context, found, facts)
    if (reference.name === 'register' && /\brest_framework\b/.test(context.file.text))
      readViewSet(reference, all, context, found)
  }
}

function readDecorator(
  reference: Reference,
  context: RouteContext,
  found: FileRoutes,
  facts: FileFacts,
): void {
  const { name, receiver } = reference
  const symbol = reference.enclosing === null ? undefined : facts.symbols[reference.enclosing]
  const isRoute = name === 'route' || name === 'api_route'
  if (receiver === null || !symbol || !(isRoute || verbs.test(name))) return
  const all = context.code.argumentsOf(reference) ?? []
  const route = literalText(
    (positional(all, 0) ?? named(all, 'path') ?? named(all, 'rule'))?.text ?? '',
    context.constants,
  )
  if (route === null || !(route === '' || route.startsWith('/'))) return
  const methods = isRoute
    ? entriesOf(named(all, 'methods')?.text ?? '["GET"]').flatMap(({ text }) => literalText(text) ?? [])
    : [name]
  const isFast = !isRoute && /\bfastapi\b/i.test(context.file.text)
  for (const method of methods)
    found.routes.push({
      path: context.file.path,
      line: reference.line,
      endLine: Math.max(reference.line, symbol.endLine),
      router: routerOf(context.file.path, receiver.split('.').at(-1) ?? ''),
      method: method.toUpperCase(),
      route,
      handler: symbol.name,
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
    const place = { path: file.path, line: symbol.nameLine, endLine: symbol.nameLine }
    const simple = /^(?:Optional\[)?(int|float|str|bool)\b/.exec(type)?.[1]
    if (model) request = request === null ? model : null
    else if (simple && !/\b(?:Header|Cookie|Body|Form|File|Depends)\(/.test(type))
      parameters.push({
        ...place,
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

function includeRouter(
  reference: Reference,
  all: readonly Argument[],
  context: RouteContext,
  found: FileRoutes,
  facts: FileFacts,
): void {
  const child = routerBy(positional(all, 0)?.text ?? '', context, facts)
  const prefix = literalText(
    (named(all, 'prefix') ?? named(all, 'url_prefix'))?.text ?? "''",
    context.constants,
  )
  if (child === null || prefix === null || reference.receiver === null) return
  const parent = routerOf(context.file.path, reference.receiver.split('.').at(-1) ?? '')
  // Flask: a prefix that is given here stands for that of the blueprint.
  const isInstead = reference.name === 'register_blueprint' && prefix !== ''
  found.mounts.push({
    ...placeOf(reference, context),
    parent,
    child: isInstead ? `${child}!` : child,
    prefix,
  })
}

/** `router`, `users.router`, `users_router` as this file imports it. */
function routerBy(text: string, context: RouteContext, facts: FileFacts): string | null {
  const names = text.split('.')
  const [first = '', last] = [names[0], names.length > 1 ? names.at(-1) : undefined]
  if (!/^\w{1,80}$/.test(first)) return null
  const imported = facts.imports.find(({ local }) => local === first)
  if (!imported) return routerOf(context.file.path, first)
  const inner = imported.imported === '*' ? '' : imported.imported
  const separator = imported.source.endsWith('.') ? '' : '.'
  const module = inner === '' ? null : context.fileOf(`${imported.source}${separator}${inner}`)
  if (last !== undefined && module !== null) return routerOf(module, last)
  const file = context.fileOf(imported.source)
  return file === null ? null : routerOf(file, last ?? inner)
}

const djangoRouter = (path: string): string => routerOf(path, 'urlpatterns')

function readDjangoPath(
  reference: Reference,
  all: readonly Argument[],
  context: RouteContext,
  found: FileRoutes,
  facts: FileFacts,
): void {
  const written = literalText(positional(all, 0)?.text ?? '', context.constants)
  const target = positional(all, 1)?.text ?? ''
  if (written === null) return
  const route = reference.name === 'path' ? written : fromPattern(written)
  const included = /^include\(/.test(target) ? (entriesOf(target)[0]?.text ?? '') : null
  const place = placeOf(reference, context)
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
    const child = routerBy(tuple.slice(0, -'.urls'.length), context, facts)
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

function readViewSet(
  reference: Reference,
  all: readonly Argument[],
  context: RouteContext,
  found: FileRoutes,
): void {
  const prefix = literalText((positional(all, 0) ?? named(all, 'prefix'))?.text ?? '', context.constants)
  const view = (positional(all, 1) ?? named(all, 'viewset'))?.text ?? ''
  if (prefix === null || reference.receiver === null || !/^[\w.]{1,120}$/.test(view)) return
  const router = routerOf(context.file.path, reference.receiver.split('.').at(-1) ?? '')
  for (const [method, route] of [
    ['GET', prefix],
    ['POST', prefix],
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((one) => [one, `${prefix}/<pk>`]),
  ] as [string, string][])
    found.routes.push({ ...placeOf(reference, context), router, method, route, handler: view })
}
