/** Operations of the routes in code: routers are followed through the files that mount them. */

import { posix } from 'node:path'
import { firstBy } from '../../../../base/grouped.ts'
import { remembered } from '../../../../base/remembered.ts'
import { placeOf, type SharedPlace } from '../../../../domain/shared-contract.ts'
import type { Provided, SourceFile, SourceTree } from '../../../contract.ts'
import type { Fields } from '../../payload/field.ts'
import { declaredType, type FindType } from '../../payload/type-fields.ts'
import { CodeText } from '../../reading/code-text.ts'
import { stringConstants } from '../../reading/string-value.ts'
import type { Operation } from '../operation.ts'
import { operationName, routeSegments } from '../url-path.ts'
import { readGoRoutes } from './go.ts'
import { readSpringRoutes } from './java.ts'
import { readJavaScriptRoutes } from './javascript.ts'
import { readPythonRoutes } from './python.ts'
import { readRailsRoutes } from './rails.ts'
import { type FileRoutes, type Mount, noRoutes, type ReadRoutes, type Route, type Router } from './route.ts'

type Language = { read: ReadRoutes; cue: RegExp; mounts: RegExp | null; models: RegExp | null }

const javaScript: Language = {
  read: readJavaScriptRoutes,
  cue: /\b(?:express|fastify|hono|koa|polka|restify)\b|@nestjs\/|\b[rR]outer\b|\bapp\.(?:get|post|put|patch|delete|use|route)\b/i,
  mounts: /(?:^|[/._-])(?:app|server|index|main|routes?|router|api)\.[cm]?[jt]sx?$/i,
  models: /(?:dto|models?|types?|schemas?|entit(?:y|ies)|interfaces?)\b/i,
}

const languages: Readonly<Record<string, Language>> = {
  javascript: javaScript,
  typescript: javaScript,
  tsx: javaScript,
  python: {
    read: readPythonRoutes,
    cue: /\b(?:fastapi|flask|django|rest_framework|APIRouter|Blueprint)\b/i,
    mounts: /(?:^|[/_])(?:main|app|__init__|urls|api|server|wsgi|asgi|routers?|routes)\.py$/,
    models: /\bBaseModel\b/,
  },
  java: {
    read: readSpringRoutes,
    cue: /\b(?:RestController|Controller)\b/,
    mounts: null,
    models: /\b(?:record|class)\b/,
  },
  go: {
    read: readGoRoutes,
    cue: /gin-gonic|labstack\/echo|gofiber|go-chi|gorilla\/mux|net\/http/,
    mounts: /(?:^|[/_])(?:main|routers?|routes|server|app|api)\.go$/,
    models: null,
  },
  ruby: { read: readRailsRoutes, cue: /\broutes\.draw\b/, mounts: null, models: null },
}

/** Files that are read beside those that were asked for. */
const mostRelated = 30
/** How often a router is mounted, and how deep. */
const mostPrefixes = 8
const deepestMount = 6

export async function codeOperations(
  paths: readonly string[],
  tree: SourceTree,
): Promise<Provided<Operation>[]> {
  const asked = (await tree.read(paths)).filter(isOfInterest)
  if (asked.length === 0) return []
  const all = await tree.paths()
  const files = new Map<string, SourceFile>()
  for (const file of [...asked, ...(await tree.read(related(asked, all)))]) files.set(file.path, file)
  const reader = new TreeReader(new Set(all), files)
  // Routers and models that these import.
  for (let round = 0; round < 3; round++) {
    const wanted = reader.imported().slice(0, mostRelated)
    if (wanted.length === 0) break
    for (const file of await tree.read(wanted)) files.set(file.path, file)
    reader.tried(wanted)
  }
  const found = [...files.values()].flatMap((file) => (hasCue(file) ? [reader.routes(file)] : []))
  return operationsOf(found, new Set(asked.map(({ path }) => path)))
}

function languageOf(file: SourceFile): Language | undefined {
  return languages[file.facts?.language ?? '']
}

function hasCue(file: SourceFile): boolean {
  return languageOf(file)?.cue.test(file.text) === true
}

/** Routes, or models that routes in other files answer with. */
function isOfInterest(file: SourceFile): boolean {
  const models = languageOf(file)?.models
  return hasCue(file) || models?.test(file.facts?.language === 'python' ? file.text : file.path) === true
}

/** Files that by their names mount routers, and those beside or near the asked ones; the nearest first. */
function related(asked: readonly SourceFile[], all: readonly string[]): string[] {
  const known = new Set(asked.map(({ path }) => path))
  const near = (path: string): number => Math.max(...asked.map((one) => common(one.path, path)))
  const isKin = (path: string): boolean =>
    asked.some((file) => {
      if (posix.extname(path) !== posix.extname(file.path)) return false
      const folder = posix.dirname(file.path)
      const own = posix.dirname(path)
      const isBeside =
        own === folder || posix.dirname(own) === folder || posix.dirname(folder) === posix.dirname(own)
      const { mounts } = languageOf(file) ?? { mounts: null }
      return mounts?.test(path) || (isBeside && (mounts !== null || isRouteName.test(path)))
    })
  // In one folder, those first whose names say that they route.
  const rank = (path: string): number => near(path) * 2 + (isRouteName.test(posix.basename(path)) ? 1 : 0)
  return all
    .filter(
      (path) =>
        !known.has(path) && !/(?:^|\/)(?:node_modules|vendor|tests?|__tests__)\//.test(path) && isKin(path),
    )
    .map((path) => ({ path, rank: rank(path) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, mostRelated)
    .map(({ path }) => path)
}

const isRouteName = /rout|control|views?|api|app|server|main|index|handler|url|resource|endpoint/i

/** How many folders two paths share. */
function common(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let at = 0
  while (at < a.length - 1 && a[at] === b[at]) at++
  return at
}

class TreeReader {
  readonly #paths: ReadonlySet<string>
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #tried = new Set<string>()

  constructor(paths: ReadonlySet<string>, files: ReadonlyMap<string, SourceFile>) {
    this.#paths = paths
    this.#files = files
  }

  tried(paths: readonly string[]): void {
    for (const path of paths) this.#tried.add(path)
  }

  /** Files of the tree that files with routes import and that were not read yet. */
  imported(): string[] {
    const found = new Set<string>()
    for (const file of this.#files.values()) {
      if (!hasCue(file)) continue
      const imports = (file.facts?.imports ?? []).flatMap(({ source, imported }) => [
        source,
        `${source}.${imported}`,
      ])
      const included = file.text.matchAll(/\binclude\(\(?["']([\w.]{1,120})["']/g)
      for (const source of [...imports, ...[...included].map(([, module = '']) => module)]) {
        const path = fileOf(source, file.path, this.#paths)
        if (path !== null && !this.#files.has(path) && !this.#tried.has(path)) found.add(path)
      }
    }
    return [...found].sort()
  }

  routes(file: SourceFile): FileRoutes {
    const { facts, path, text } = file
    const found = noRoutes(path)
    if (facts)
      languageOf(file)?.read({
        ...{ code: new CodeText(file), file, facts, found, constants: stringConstants(text) },
        fileOf: (source) => fileOf(source, path, this.#paths),
        findType: this.#findType,
      })
    return found
  }

  readonly #findType: FindType = (name, from) => {
    const own = declaredType(name, from)
    if (own !== null) return { file: from, symbol: own }
    const imported = from.facts?.imports.find(({ local }) => local === name)
    const path = imported
      ? fileOf(imported.source, from.path, this.#paths)
      : from.path.endsWith('.java')
        ? posix.join(posix.dirname(from.path), `${name}.java`)
        : null
    const file = path === null ? undefined : this.#files.get(path)
    const symbol = file ? declaredType(imported?.imported ?? name, file) : null
    return file && symbol !== null ? { file, symbol } : null
  }
}

const endings = ['', '.ts', '.js', '.tsx', '.mts', '.mjs', '.cjs', '.jsx', '/index.ts', '/index.js']

/** The file that an import leads to: relative paths of JavaScript, modules of Python, classes of Java. */
function fileOf(source: string, from: string, paths: ReadonlySet<string>): string | null {
  const folder = posix.dirname(from)
  if (/\.[cm]?[jt]sx?$/.test(from)) {
    if (!source.startsWith('.')) return null
    const base = posix.normalize(posix.join(folder, source))
    const plain = base.replace(/\.[cm]?jsx?$/, '')
    return (
      [...endings.map((one) => base + one), ...endings.map((one) => plain + one)].find((one) =>
        paths.has(one),
      ) ?? null
    )
  }
  if (from.endsWith('.java')) {
    const path = `${source.replaceAll('.', '/')}.java`
    const root = /^(.{0,200}\/)?(?=com\/|org\/|io\/|net\/|dev\/)/.exec(from)?.[1] ?? ''
    return paths.has(root + path) ? root + path : null
  }
  if (!from.endsWith('.py')) return null
  const dots = /^\.{0,20}/.exec(source)?.[0].length ?? 0
  const parts = source
    .slice(dots)
    .split('.')
    .filter((one) => one !== '')
    .join('/')
  if (dots > 0) return pythonFile(posix.join(folder, '../'.repeat(dots - 1), parts), paths)
  // The root of the modules may be any folder above the file.
  for (let root = folder; ; root = posix.dirname(root)) {
    const found = pythonFile(posix.join(root, parts), paths)
    if (found !== null) return found
    if (root === '.' || root === '/') return null
  }
}

function pythonFile(base: string, paths: ReadonlySet<string>): string | null {
  return [`${base}.py`, `${base}/__init__.py`].find((one) => paths.has(one)) ?? null
}

function operationsOf(files: readonly FileRoutes[], asked: ReadonlySet<string>): Provided<Operation>[] {
  const routers = new Routers(files)
  const found = files.flatMap(({ routes }) =>
    routes.flatMap((route) =>
      routers.above(route.router).flatMap(({ prefix, mounts }): Provided<Operation>[] => {
        // A route of another file is named at the line of an asked file that mounts it.
        const by = asked.has(route.path) ? route : mounts.find(({ path }) => asked.has(path))
        const place = by ?? modelIn(route, asked)
        return place ? [operationOf(withPlaces(route, place, asked), `${prefix}/${route.route}`, place)] : []
      }),
    ),
  )
  return firstBy(found, ({ name, path }) => `${path} ${name}`)
}

/** A field of a file that was not asked for is named where the route takes or answers with it. */
function withPlaces(route: Route, { path, line, endLine }: SharedPlace, asked: ReadonlySet<string>): Route {
  const moved = (fields: Fields | null | undefined): Fields | null =>
    fields
      ? {
          ...fields,
          fields: fields.fields.map((one) => (asked.has(one.path) ? one : { ...one, path, line, endLine })),
        }
      : null
  return { ...route, request: moved(route.request), response: moved(route.response) }
}

/** Where a model of an asked file stands that the route takes or answers with. */
function modelIn({ request, response }: Route, asked: ReadonlySet<string>): SharedPlace | null {
  const fields = [...(response?.fields ?? []), ...(request?.fields ?? [])]
  return fields.find(({ path }) => asked.has(path)) ?? null
}

function operationOf(route: Route, path: string, at: SharedPlace): Provided<Operation> {
  const segments = routeSegments(path)
  const place = placeOf(at)
  const content = (fields: Fields) => [{ ...place, media: 'application/json', fields }]
  return {
    ...place,
    name: operationName(route.method, segments),
    shape: {
      method: route.method,
      segments,
      bases: [[]],
      hosts: [],
      service: [],
      source: 'code',
      pathLine: place.line,
      id: route.handler,
      parameters: route.parameters ?? [],
      request: route.request ? { ...place, required: false, contents: content(route.request) } : null,
      answers: route.response ? [{ ...place, status: '200', contents: content(route.response) }] : [],
      security: null,
    },
  }
}

type Above = { prefix: string; mounts: readonly Mount[] }

/** Which paths lead to a router. */
class Routers {
  readonly #mounts = new Map<Router, Mount[]>()
  readonly #aliases = new Map<Router, Router>()
  readonly #prefixes = new Map<Router, string>()

  constructor(files: readonly FileRoutes[]) {
    for (const { aliases, prefixes } of files) {
      for (const [from, to] of aliases) this.#aliases.set(from, to)
      for (const [router, prefix] of prefixes) this.#prefixes.set(router, prefix)
    }
    const inFile = new Map(files.map((file) => [file.path, new Set(file.routes.map(({ router }) => router))]))
    for (const { mounts } of files)
      for (const mount of mounts)
        for (const child of this.#childrenOf(mount.child, inFile))
          remembered(this.#mounts, child, (): Mount[] => []).push(mount)
  }

  /** The router of that name; else all of its file, which offers them by a way that was not understood. */
  #childrenOf(written: Router, inFile: ReadonlyMap<string, ReadonlySet<Router>>): Router[] {
    const child = written.replace(/!$/, '')
    if (child === '*#nest')
      return [...inFile.values()].flatMap((routers) => [...routers].filter((one) => one.endsWith('#nest')))
    const target = this.#aliases.get(child) ?? child
    const [path = ''] = child.split('#', 1)
    const own = inFile.get(path)
    if (path === 'go' || !own || own.has(target) || this.#prefixes.has(target)) return [target]
    return [target, ...[...own].filter((one) => !one.endsWith('#nest'))]
  }

  above(router: Router, depth = 0): Above[] {
    const own = this.#prefixes.get(router) ?? ''
    const mounts = this.#mounts.get(router) ?? []
    if (mounts.length === 0 || depth >= deepestMount) return [{ prefix: own, mounts: [] }]
    const found: Above[] = []
    for (const mount of mounts)
      for (const { prefix, mounts: higher } of mount.parent === router
        ? []
        : this.above(mount.parent, depth + 1)) {
        if (found.length >= mostPrefixes) return found
        const below = mount.child.endsWith('!') ? '' : own
        found.push({ prefix: `${prefix}/${mount.prefix}/${below}`, mounts: [mount, ...higher] })
      }
    return found
  }
}
