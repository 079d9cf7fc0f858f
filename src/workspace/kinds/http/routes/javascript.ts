/** Routes of Express, Fastify, Hono and Koa's router, and of NestJS. */
import type { FileFacts, Reference } from '../../../../code-index/contract.ts'
import { placeAt } from '../../../places.ts'
import type { Fields } from '../../payload/field.ts'
import { literalFields } from '../../payload/literal-fields.ts'
import { type Side, typeFields } from '../../payload/type-fields.ts'
import {
  type Argument,
  argumentIn,
  endOfBracket,
  entriesOf,
  named,
  positional,
} from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { assignedName } from '../calls/client-call.ts'
import {
  handlerName,
  type ReadRoutes,
  type RouteCall,
  type RouteContext,
  routerOf,
  stringOf,
} from './route.ts'

const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  del: 'DELETE',
  head: 'HEAD',
  options: 'OPTIONS',
  all: '*',
}

const makesRouter =
  /(?:^|[.\s])(?:express|[rR]outer|[fF]astify|Hono|OpenAPIHono|Koa|KoaRouter|polka|restify\.createServer)$/
const routerName = /^(?:app|router|routes?|server|fastify|instance|api|r)$|(?:Router|Routes|App)$/

export const readJavaScriptRoutes: ReadRoutes = (file) => {
  const { facts, found } = file
  const { path, text } = file.file
  if (text.includes('@nestjs/')) readNest(file)
  const context = { ...file, made: madeRouters(file) }
  for (const { exported, local } of facts.exports)
    if (exported !== local) found.aliases.set(routerOf(path, exported), routerOf(path, local))
  for (const reference of facts.references) {
    if (reference.role !== 'call' && reference.role !== 'property') continue
    const all = context.code.argumentsOf(reference)
    if (!all || all.length === 0) continue
    if (reference.receiver === null) handOver({ reference, all }, context)
    else {
      readVerb({ reference, all }, context)
      readMount({ reference, all }, context)
    }
  }
}

/** `made`: names that the file gives to routers which it makes. */
type ScriptContext = RouteContext & { made: ReadonlySet<string> }

function madeRouters(context: RouteContext): Set<string> {
  const { code, file, facts, found } = context
  const made = new Set<string>()
  for (const { role, name, receiver, line, column } of facts.references) {
    if (role !== 'call' || !makesRouter.test(receiver === null ? name : `${receiver}.${name}`)) continue
    const start = code.offsetOf({ line, column }) - (receiver === null ? 0 : receiver.length + 1)
    const owner = assignedName(code.before(start))
    if (!owner) continue
    made.add(owner)
    const all = code.argumentsOf({ name, line, column }) ?? []
    const options = all[0]?.text.startsWith('{') ? entriesOf(all[0].text) : []
    const end = code.endOf({ name, line, column })
    const based = /^\.basePath\((["'`][^"'`]{0,200}["'`])\)/.exec(code.text.slice(end, end + 220))
    const prefix = literalText(based?.[1] ?? named(options, 'prefix')?.text ?? '', context.constants)
    if (prefix) found.prefixes.set(routerOf(file.path, owner), prefix)
  }
  return made
}

/** The router and the path that a receiver such as `app.route('/x').get(list)` already has. */
function ownerOf(
  reference: Reference,
  { file, facts, made }: ScriptContext,
): { router: string; name: string; path: string } | null {
  const receiver = reference.receiver ?? ''
  const [, name = '', path = ''] =
    /^(?:this\.)?(\w{1,80})(?:\.(?:route|basePath)\(\s{0,9}["'`]([^"'`]{0,200})["'`]\))?/.exec(receiver) ?? []
  const rest = receiver.slice(receiver.indexOf(name) + name.length)
  if (name === 'new' || /^new \w/.test(receiver)) {
    const owner = [...made].at(-1)
    return owner === undefined ? null : { router: routerOf(file.path, owner), name: owner, path: '' }
  }
  if (rest !== '' && !/^\.(?:route|basePath|get|post|put|patch|delete|use|all)\(/.test(rest)) return null
  if (made.has(name)) return { router: routerOf(file.path, name), name, path }
  if (!routerName.test(name)) return null
  // A parameter: what the function around it is called names the router.
  return { router: routerOf(file.path, outermost(reference, facts)), name, path }
}

function outermost({ enclosing }: Reference, { symbols, parents }: FileFacts): string {
  let at = enclosing
  for (let above = at; above !== null; above = parents[above] ?? null) at = above
  return (at === null ? null : symbols[at]?.name) ?? 'default'
}

function readVerb({ reference, all }: RouteCall, context: ScriptContext): void {
  const method = verbs[reference.name]
  const isObject = reference.name === 'route' && all.length === 1 && all[0]?.text.startsWith('{') === true
  if (!method && !isObject) return
  const owner = ownerOf(reference, context)
  if (!owner) return
  const options = isObject ? entriesOf(all[0]?.text ?? '', all[0]?.offset) : null
  const isChained = /\.route\(/.test(reference.receiver ?? '')
  const written = options ? argumentIn(options, 'url', 'path') : isChained ? null : positional(all, 0)
  const own = stringOf(written, context, isChained ? '' : null)
  if (own === null || !(own === '' || /^[/*]/.test(own))) return
  const handler = options ? named(options, 'handler') : (all.at(-1) ?? null)
  // A client asks with one argument, or with values; a route has a function.
  if (!options && !isChained && all.length < 2) return
  if (!options && !context.made.has(owner.name) && !isFunction(handler?.text ?? '', context.facts)) return
  const methods = options ? methodsOf(named(options, 'method')?.text ?? '') : [method ?? '*']
  for (const one of methods)
    context.found.routes.push({
      ...context.code.placeOf(reference),
      router: owner.router,
      method: one,
      route: owner.path + own,
      handler: handlerName(handler),
      response: handler ? answered(handler, context) : null,
    })
}

function methodsOf(text: string): string[] {
  const names = text.startsWith('[') ? entriesOf(text).map((one) => one.text) : [text]
  return names.flatMap((one) => literalText(one)?.toUpperCase() ?? [])
}

function isFunction(text: string, facts: FileFacts): boolean {
  if (/^(?:async\b[ ]{0,2})?(?:function\b|\(|\w{1,60}[ ]{0,2}=>)/.test(text)) return true
  const name = text.split('.', 1)[0] ?? ''
  return (
    /^\w{1,80}(?:\.\w{1,80}){0,3}$/.test(text) &&
    (facts.imports.some(({ local }) => local === name) || facts.symbols.some((one) => one.name === name))
  )
}

function readMount({ reference, all }: RouteCall, context: ScriptContext): void {
  if (!/^(?:use|route|register|mount)$/.test(reference.name)) return
  const owner = ownerOf(reference, context)
  if (!owner) return
  const mount = (child: string, prefix: string) =>
    context.found.mounts.push({ ...context.code.placeOf(reference), parent: owner.router, child, prefix })
  const first = stringOf(positional(all, 0), context)
  const options = all.find(({ text }) => text.startsWith('{'))
  const prefix = first ?? stringOf(named(options ? entriesOf(options.text) : [], 'prefix'), context) ?? ''
  for (const { path, router } of listedMounts(all, context)) mount(router, path)
  for (const { text } of first === null ? all : all.slice(1)) {
    const child = routerBy(text.replace(/\.routes\(\)$/, ''), context)
    if (child !== null && child !== owner.router) mount(child, owner.path + prefix)
  }
}

const listed =
  /\bpath:\s{0,9}(["'`][^"'`]{0,200}["'`]),\s{0,40}(?:route|router|routes|handler):\s{0,9}(\w{1,80})/g

/** `[{ path: '/users', route: users }].forEach((one) => app.use(one.path, one.route))`. */
function listedMounts(all: readonly Argument[], context: ScriptContext): { path: string; router: string }[] {
  if (all.length !== 2 || !/^\w{1,40}\.path$/.test(all[0]?.text ?? '')) return []
  return [...context.file.text.matchAll(listed)].flatMap(([, path = '', name = '']) => {
    const router = routerBy(name, context)
    return router === null ? [] : [{ path: literalText(path) ?? '', router }]
  })
}

/** `registerUsers(app)`: the function adds its routes to the router that it is given. */
function handOver({ reference, all }: RouteCall, context: ScriptContext): void {
  const given = all[0]?.text ?? ''
  if (!context.made.has(given) || reference.name === 'require') return
  const imported = context.facts.imports.find(({ local }) => local === reference.name)
  const path = imported && context.fileOf(imported.source)
  if (!path) return
  const child = routerOf(path, imported.imported === '*' ? 'default' : imported.imported)
  const parent = routerOf(context.file.path, given)
  context.found.mounts.push({ ...context.code.placeOf(reference), parent, child, prefix: '' })
}

/** A name, `require('./users')` or `import('./users')`; null for what is no router of this repository. */
function routerBy(text: string, context: ScriptContext): string | null {
  const { made, facts } = context
  const required = /^(?:require|import)\(\s{0,9}["'`]([^"'`]{1,300})["'`]\s{0,9}\)(?:\.(\w{1,80}))?/.exec(
    text,
  )
  if (required) {
    const path = context.fileOf(required[1] ?? '')
    return path === null ? null : routerOf(path, required[2] ?? 'default')
  }
  const [name = '', member] = text.split('.', 2)
  if (!/^\w{1,80}$/.test(name)) return null
  if (made.has(text)) return routerOf(context.file.path, text)
  const imported = facts.imports.find(({ local }) => local === name)
  const path = imported && context.fileOf(imported.source)
  if (path) return routerOf(path, member ?? (imported.imported === '*' ? 'default' : imported.imported))
  const isOwn = facts.symbols.some((one) => one.name === name && one.kind === 'function')
  return isOwn ? routerOf(context.file.path, name) : null
}

const answers =
  /\b(?:res|response|reply|c|ctx)(\.(?:status|code|header|set|type)\([^()]{0,80}\)){0,3}\.(?:json|send|jsonp)\(\s{0,20}/g

/** The literal that a handler answers with, when there is one on success. */
function answered(handler: Argument, { code, file, facts }: RouteContext): Fields | null {
  const symbol = /^\w{1,80}$/.test(handler.text)
    ? facts.symbols.find(({ name, kind }) => name === handler.text && kind !== 'class')
    : undefined
  const { text, offset } = symbol ? code.linesOf(symbol) : handler
  const found: Fields[] = []
  const arrow = /=>\s{0,3}\(\{/.exec(text.slice(0, 200))
  if (arrow) return literalAt(offset + arrow.index + arrow[0].length - 1, code)
  for (const match of text.matchAll(answers)) {
    if (/\((?:4|5)\d\d\)/.test(match[1] ?? '')) continue
    const at = offset + match.index + match[0].length
    const fields = literalAt(at, code)
    // Koa and Hono take the status behind the value.
    const behind = fields ? file.text.slice(endOfBracket(file.text, at)).slice(0, 12) : ''
    if (/^\s{0,2},\s{0,2}[45]\d\d/.test(behind)) continue
    if (!fields) return null
    found.push(fields)
  }
  const [first] = found
  return found.length === 1 && first ? first : null
}

function literalAt(at: number, code: RouteContext['code']): Fields | null {
  if (code.text[at] !== '{') return null
  return literalFields(code.text.slice(at, endOfBracket(code.text, at)), at, code)
}

const nestVerbs = new Map(
  ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options', 'All'].map((one) => [
    one,
    one === 'All' ? '*' : one.toUpperCase(),
  ]),
)

function readNest(context: RouteContext): void {
  const { code, file, facts, found } = context
  const router = routerOf(file.path, 'nest')
  for (const reference of facts.references) {
    const method = nestVerbs.get(reference.name)
    if (reference.role !== 'decorator' || !method || reference.enclosing === null) continue
    const owner = facts.parents[reference.enclosing] ?? null
    const controller = facts.references.find(
      ({ role, name, enclosing }) =>
        role === 'decorator' && name === 'Controller' && enclosing === owner && owner !== null,
    )
    const symbol = facts.symbols[reference.enclosing]
    if (!controller || !symbol) continue
    const [first] = code.argumentsOf(controller) ?? []
    const path = first?.text.startsWith('{') ? named(entriesOf(first.text), 'path') : first
    const prefix = stringOf(path, context, '')
    const own = stringOf(code.argumentsOf(reference)?.[0], context, '')
    if (prefix === null || own === null) continue
    const { parameters, returnType } = symbol.signature
    const body = parameters?.find(
      ({ name }) => /^\w+$/.test(name) && new RegExp(`@Body\\(\\)[ ]{0,2}${name}\\b`).test(file.text),
    )
    const fieldsOf = (type: string | null | undefined, side: Side) =>
      type ? typeFields(type, file, symbol.nameLine, side, context.findType) : null
    found.routes.push({
      ...placeAt(file.path, reference.line, symbol.endLine),
      ...{ router, method, route: `${prefix}/${own}`, handler: symbol.name },
      response: fieldsOf(returnType, 'response'),
      request: fieldsOf(body?.type, 'request'),
    })
  }
  for (const reference of facts.references) {
    if (reference.role !== 'call' || reference.name !== 'setGlobalPrefix') continue
    const prefix = stringOf(code.argumentsOf(reference)?.[0], context)
    if (prefix !== null)
      found.mounts.push({ ...context.code.placeOf(reference), parent: router, child: '*#nest', prefix })
  }
}
