/** Routes of Gin, and of Echo, Fiber, Chi, Gorilla and `net/http`, which are written alike. */
import type { Reference } from '../../../../code-index/contract.ts'
import type { Fields } from '../../payload/field.ts'
import { literalFields } from '../../payload/literal-fields.ts'
import { type Argument, endOfBracket, positional } from '../../reading/code-text.ts'
import { assignedName } from '../calls/client-call.ts'
import {
  handlerName,
  type ReadRoutes,
  type RouteCall,
  type RouteContext,
  routerOf,
  stringOf,
} from './route.ts'

const frameworks =
  /"(?:github\.com\/gin-gonic\/gin|github\.com\/labstack\/echo(?:\/v\d+)?|github\.com\/gofiber\/fiber(?:\/v\d+)?|github\.com\/go-chi\/chi(?:\/v\d+)?|github\.com\/gorilla\/mux|net\/http)"/
const verb = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|All|Get|Post|Put|Patch|Delete|Head|Options)$/

export const readGoRoutes: ReadRoutes = (context) => {
  if (!frameworks.test(context.file.text)) return
  const calls = context.facts.references.flatMap((reference): RouteCall[] => {
    const all = reference.role === 'call' ? context.code.argumentsOf(reference) : null
    return all ? [{ reference, all }] : []
  })
  for (const call of calls.filter(({ reference }) => reference.receiver !== null)) {
    const { name } = call.reference
    if (name === 'Group') readGroup(call, context)
    else if (name === 'HandleFunc' || name === 'Handle') readHandleFunc(call, context)
    else if (verb.test(name)) readVerb(call, context)
    handOver(call, context)
  }
  for (const call of calls) if (call.reference.receiver === null) handOver(call, context)
}

/** Variables belong to their function. A parameter is what a caller hands over, whatever it is called. */
function routerIn({ enclosing }: Reference, receiver: string, { file, facts }: RouteContext): string {
  const symbol = enclosing === null ? undefined : facts.symbols[enclosing]
  const first = symbol?.signature.parameters?.find(({ type }) => isRouterType(type ?? ''))
  const group = /^(.{1,200})\.Group\("([^"\n]{0,200})"\)$/.exec(receiver)
  const name = group ? (group[1] ?? '') : receiver
  if (first?.name === name) return goFunction(symbol?.name ?? '')
  return routerOf(file.path, `${symbol?.name ?? ''}.${name}`)
}

const goFunction = (name: string): string => `go#${name}`
const isRouterType = (type: string): boolean =>
  /\b(?:Engine|RouterGroup|IRouter|IRoutes|Echo|Group|App|Router|Mux|ServeMux)$/.test(type)

function prefixIn(receiver: string): string {
  return /\.Group\("([^"\n]{0,200})"\)$/.exec(receiver)?.[1] ?? ''
}

function readGroup({ reference, all }: RouteCall, context: RouteContext): void {
  const prefix = stringOf(positional(all, 0), context)
  const receiver = reference.receiver ?? ''
  const start = context.code.offsetOf(reference) - receiver.length - 1
  const owner = assignedName(context.code.before(start))
  if (prefix === null || owner === null) return
  context.found.mounts.push({
    ...context.code.placeOf(reference),
    parent: routerIn(reference, receiver, context),
    child: routerIn(reference, owner, context),
    prefix: prefixIn(receiver) + prefix,
  })
}

function readVerb({ reference, all }: RouteCall, context: RouteContext): void {
  const { receiver, name } = reference
  const route = stringOf(positional(all, 0), context)
  // `http.Get(url)` and `client.Get(url)` ask.
  if (
    route === null ||
    receiver === null ||
    all.length < 2 ||
    !(route === '' || route.startsWith('/')) ||
    /^http\b|[cC]lient$/.test(receiver)
  )
    return
  const handler = all.at(-1)
  context.found.routes.push({
    ...context.code.placeOf(reference),
    router: routerIn(reference, receiver, context),
    method: /^(?:Any|All)$/.test(name) ? '*' : name.toUpperCase(),
    route: prefixIn(receiver) + route,
    handler: handlerName(handler),
    response: answered(handler, context),
  })
}

/** `mux.HandleFunc("GET /users/{id}", h)`, `r.HandleFunc("/users", h).Methods("GET")`. */
function readHandleFunc({ reference, all }: RouteCall, context: RouteContext): void {
  const written = stringOf(positional(all, 0), context)
  const [, verbText, route] = /^(?:([A-Z]{3,7}) )?(\/.{0,300})$/.exec(written ?? '') ?? []
  if (route === undefined || all.length < 2) return
  const behind = context.code.text.slice(context.code.endOf(reference), context.code.endOf(reference) + 120)
  const chained = /^\s{0,20}\.Methods\(([^()\n]{1,80})\)/
    .exec(behind)?.[1]
    ?.match(/[A-Z]{3,7}|Method[A-Z][a-z]{2,6}/g)
  const methods = verbText
    ? [verbText]
    : (chained?.map((one) => one.replace('Method', '').toUpperCase()) ?? ['*'])
  const router = routerIn(reference, reference.receiver ?? '', context)
  for (const method of methods)
    context.found.routes.push({
      ...context.code.placeOf(reference),
      ...{ router, method, route, handler: handlerName(all[1]) },
    })
}

/** `users.Register(v1)`: the function adds its routes to the group. */
function handOver({ reference, all }: RouteCall, context: RouteContext): void {
  const { facts, found } = context
  const given = positional(all, 0)?.text ?? ''
  const written = /^(\w{1,80})(?:\.Group\("([^"\n]{0,200})"\))?$/.exec(given)
  if (!written || verb.test(reference.name) || !/^[A-Za-z]\w{0,80}$/.test(reference.name)) return
  const isRouter =
    found.mounts.some(({ child }) => child === routerIn(reference, written[1] ?? '', context)) ||
    facts.symbols[reference.enclosing ?? -1]?.signature.parameters?.some(
      ({ name, type }) => name === written[1] && isRouterType(type ?? ''),
    ) ||
    new RegExp(
      `\\b${written[1]}[ ]{0,2}:=[ ]{0,2}(?:gin\\.(?:Default|New)|echo\\.New|fiber\\.New|chi\\.NewRouter|mux\\.NewRouter|http\\.NewServeMux)\\(`,
    ).test(context.file.text)
  if (!isRouter) return
  const parent = routerIn(reference, written[1] ?? '', context)
  found.mounts.push({
    ...context.code.placeOf(reference),
    parent,
    child: goFunction(reference.name),
    prefix: written[2] ?? '',
  })
}

/** `c.JSON(http.StatusOK, gin.H{…})` of a handler in the same file. */
function answered(handler: Argument | undefined, { code, file, facts }: RouteContext): Fields | null {
  if (!handler) return null
  const name = /(?:^|\.)(\w{1,80})$/.exec(handler.text)?.[1]
  const symbol =
    name === undefined
      ? undefined
      : facts.symbols.find((one) => one.name === name && /function|method/.test(one.kind))
  const { text, offset: start } = symbol ? code.linesOf(symbol) : handler
  const found: (Fields | null)[] = []
  for (const match of text.matchAll(
    /\.JSON\(\s{0,9}(?:2\d\d|http\.Status(?:OK|Created|Accepted)),\s{0,9}(gin\.H|echo\.Map|fiber\.Map|map\[string\](?:any|interface\{\}))?/g,
  )) {
    const at = start + match.index + match[0].length
    const open = file.text[at] === '{' ? at : -1
    found.push(
      open < 0 ? null : literalFields(file.text.slice(open, endOfBracket(file.text, open)), open, code),
    )
  }
  return found.length === 1 ? (found[0] ?? null) : null
}
