/** The routes of a server: checked once against their own rules, then asked for the one that a request means. */
import type { Route } from './contract.ts'

export type Matched = { route: Route; parameters: Record<string, string> } | { known: true } | null

/** Throws for a route that contradicts itself, so that a server with one does not start. */
export function checkRoutes(routes: readonly Route[]): void {
  const seen = new Set<string>()
  for (const { method, path, scope, tenant, audit, bodyBytes, rate } of routes) {
    const isMember = ['read', 'review', 'admin'].includes(scope)
    const faults = [
      [seen.has(`${method} ${path}`), 'is there twice'],
      [isMember !== (tenant === 'caller'), 'names the tenant of its caller exactly if it asks for one'],
      [
        isMember !== (rate.of === 'caller') && scope !== 'operator',
        'counts its callers exactly if it knows them',
      ],
      [typeof audit !== 'string' && audit.none === '', 'says neither its action nor why it has none'],
      [method === 'GET' && bodyBytes > 0, 'takes a body, which a GET has not'],
      [!(rate.most > 0) || !(rate.seconds > 0), 'has no rate'],
    ] as const
    const fault = faults.find(([isWrong]) => isWrong)
    if (fault) throw new Error(`the route ${method} ${path} ${fault[1]}`)
    seen.add(`${method} ${path}`)
  }
}

/** Null for an unknown path; `known` for a path that has other methods. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Matched {
  const parts = path.split('/')
  let isKnown = false
  for (const route of routes) {
    const wanted = route.path.split('/')
    const isOpenEnded = wanted.at(-1) === '*'
    if (isOpenEnded) wanted.pop()
    // An address of its own is no page of the dashboard, whatever the method.
    if (isOpenEnded && isKnown) continue
    if (isOpenEnded ? parts.length <= wanted.length : parts.length !== wanted.length) continue
    const parameters: Record<string, string> = {}
    const fits = wanted.every((part, index) => {
      const given = parts[index] ?? ''
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name === undefined) return part === given
      if (!/^[\w.-]{1,100}$/.test(given)) return false
      parameters[name] = given
      return true
    })
    if (!fits) continue
    if (route.method === method) return { route, parameters }
    isKnown ||= !isOpenEnded
  }
  return isKnown ? { known: true } : null
}
