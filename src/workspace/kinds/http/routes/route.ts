/** Routes as the files of a framework declare them, and the routers that they hang on. */
import type { FileFacts, Reference } from '../../../../code-index/contract.ts'
import type { SharedPlace } from '../../../../domain/shared-contract.ts'
import type { SourceFile } from '../../../contract.ts'
import type { Fields } from '../../payload/field.ts'
import type { FindType } from '../../payload/type-fields.ts'
import type { Argument, CodeText } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import type { HttpParameter } from '../operation.ts'

/** A router of a file: `routes/users.ts#router`; `*` for whatever the file offers. */
export type Router = string

export type Route = SharedPlace & {
  router: Router
  /** Upper case; `*` for all. */
  method: string
  /** Below its router. */
  route: string
  handler: string | null
  parameters?: readonly HttpParameter[]
  request?: Fields | null
  /** Null where the code does not tell. */
  response?: Fields | null
}

/** `child` answers below `prefix` of `parent`. */
export type Mount = SharedPlace & { parent: Router; child: Router; prefix: string }

export type FileRoutes = {
  path: string
  routes: Route[]
  mounts: Mount[]
  /** What a router puts before its own routes. */
  prefixes: Map<Router, string>
  /** Under which other names its routers can be had: `routes/users.ts#default`. */
  aliases: Map<Router, Router>
}

/** A file, and what was found in it so far. */
export type RouteContext = {
  code: CodeText
  file: SourceFile
  facts: FileFacts
  found: FileRoutes
  constants: ReadonlyMap<string, string>
  /** The file of the tree that an import of this file leads to; null for packages. */
  fileOf(source: string): string | null
  findType: FindType
}

/** Adds what the file declares. */
export type ReadRoutes = (context: RouteContext) => void

/** A call, a decorator or an annotation with its arguments. */
export type RouteCall = { reference: Reference; all: readonly Argument[] }

/** What an argument says as a string; null for what is none. `missing`: where there is no argument. */
export function stringOf(
  argument: Argument | null | undefined,
  { constants }: Pick<RouteContext, 'constants'>,
  missing: string | null = null,
): string | null {
  return argument ? literalText(argument.text, constants) : missing
}

export const routerOf = (path: string, name: string): Router => `${path}#${name}`

/** A handler that is a name: `users.list`. */
export function handlerName(handler: Argument | null | undefined): string | null {
  return handler && /^[\w.]{1,80}$/.test(handler.text) ? handler.text : null
}

export function noRoutes(path: string): FileRoutes {
  return { path, routes: [], mounts: [], prefixes: new Map(), aliases: new Map() }
}
