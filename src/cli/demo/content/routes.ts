/** The routes and their description, which every commit of the demo's history changes together. */

const paths = [
  ['health', 'get', 'health'],
  ['quotes', 'post', 'quote'],
  ['orders', 'post', 'book'],
  ['orders/{id}', 'get', 'show'],
  ['orders/{id}/cancel', 'post', 'cancel'],
  ['orders/{id}/label', 'get', 'label'],
  ['reports/daily', 'get', 'revenue'],
  ['zones', 'get', 'zones'],
  ['login', 'post', 'login'],
  ['settings', 'get', 'settings'],
] as const

export const mostRoutes = paths.length

/** Both files with the first `number` routes. */
export function routesAndDescription(number: number): Record<string, string> {
  return { 'src/api/routes.ts': routes(number), 'api/openapi.yaml': description(number) }
}

/** The routes with one more, of which the description knows nothing. */
export function routesByVolume(): Record<string, string> {
  return {
    'src/api/routes.ts': routes(mostRoutes).replace(
      /\]\n$/,
      `${routeLine('quotes/volume', 'post', 'volume')}]\n`,
    ),
  }
}

function routes(number: number): string {
  const lines = paths.slice(0, number).map(([path, method, action]) => routeLine(path, method, action))
  return `export type Route = { method: string; path: string; action: string }\n\nexport const routes: readonly Route[] = [\n${lines.join('')}]\n`
}

function routeLine(path: string, method: string, action: string): string {
  return `  { method: '${method.toUpperCase()}', path: '/${path}', action: '${action}' },\n`
}

function description(number: number): string {
  const entries = paths
    .slice(0, number)
    .map(([path, method, action]) => `  /${path}:\n    ${method}:\n      operationId: ${action}\n`)
  return `openapi: 3.1.0\ninfo:\n  title: Parcel desk\n  version: 1.4.0\npaths:\n${entries.join('')}`
}
