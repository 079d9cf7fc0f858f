/** Checks requests and answers with what a host publishes of its API. See scripts/extract-openapi.ts for the fixtures. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

type Schema = { [key: string]: unknown }

export type OperationSchemas = {
  query: Record<string, Schema>
  body: Schema | null
  answers: Record<string, Schema | null>
}

export type Published = { operations: Record<string, OperationSchemas>; definitions: Record<string, Schema> }

export type MatchedOperation = { name: string; parameters: Readonly<Record<string, string>> }

export interface PublishedApi {
  /** The operation that a request is for; null when the fixture has none. */
  match(method: string, path: string): MatchedOperation | null
  /** What is wrong with it; unknown names too, which the real host would ignore, as a slip of ours. */
  checkQuery(operation: string, query: Readonly<Record<string, string>>): string[]
  checkBody(operation: string, body: unknown): { wrong: string[]; unknown: string[] }
  checkAnswer(operation: string, status: number, body: unknown): string[]
  /** The answer with all that its schema requires: what it lacks has the emptiest value that may be there. */
  complete(operation: string, status: number, body: unknown): unknown
}

/** `correct` changes what is published where the real host is known to answer otherwise. */
export function readApi(
  name: string,
  correct: (
    definitions: Record<string, Schema>,
    operations: Record<string, OperationSchemas>,
  ) => void = () => {},
): PublishedApi {
  const file = join(import.meta.dirname, `../../fixtures/openapi/${name}.json`)
  const published = JSON.parse(readFileSync(file, 'utf8')) as Published
  correct(published.definitions, published.operations)
  return openApi(name, published)
}

export function openApi(name: string, published: Published): PublishedApi {
  const text = JSON.stringify(published).replaceAll('"#/definitions/', `"${name}#/definitions/`)
  const { operations, definitions } = JSON.parse(text) as Published
  // Shared definitions are compiled once, and nothing runs often enough to be worth optimising.
  const settings = {
    ...{ strict: false, allErrors: true, validateFormats: false },
    ...{ inlineRefs: false, code: { optimize: false } },
  }
  const [strict, loose] = [new Ajv(settings), new Ajv({ ...settings, coerceTypes: true })]
  for (const ajv of [strict, loose]) ajv.addSchema({ $id: name, definitions })
  const compiled = new Map<string, ValidateFunction>()
  const compile = (ajv: Ajv, key: string, schema: Schema) => {
    const known = compiled.get(key) ?? ajv.compile(schema)
    compiled.set(key, known)
    return known
  }
  const routes = Object.keys(operations).map((operation) => {
    const [method = '', template = ''] = operation.split(' ')
    return { operation, method, ...templatePattern(template) }
  })
  const of = (operation: string): OperationSchemas => {
    const found = operations[operation]
    if (!found) throw new Error(`The fixture has no ${operation}`)
    return found
  }
  return {
    match(method, path) {
      const fits = routes
        .filter((route) => route.method === method && route.pattern.test(path))
        .sort((a, b) => a.names.length - b.names.length || b.operation.length - a.operation.length)[0]
      if (!fits) return null
      const values = fits.pattern.exec(path)?.slice(1) ?? []
      const parameters = Object.fromEntries(
        fits.names.map((parameter, index) => [parameter, decodeURIComponent(values[index] ?? '')]),
      )
      return { name: fits.operation, parameters }
    },
    checkQuery(operation, query) {
      const properties = of(operation).query
      const schema = { type: 'object', properties, additionalProperties: false }
      return problems(compile(loose, `${operation} query`, schema), { ...query })
    },
    checkBody(operation, body) {
      const { body: schema } = of(operation)
      if (schema === null) return { wrong: [], unknown: [] }
      const unknown = problems(compile(strict, `${operation} closed`, closed(schema)), body)
      return {
        wrong: problems(compile(strict, `${operation} body`, schema), body),
        unknown: unknown.filter((problem) => problem.includes('additional properties')),
      }
    },
    checkAnswer(operation, status, body) {
      const { answers } = of(operation)
      if (!(String(status) in answers))
        // Every operation on a renamed project redirects.
        return status < 300 ? [`${status} is not published for ${operation}`] : []
      const schema = answers[String(status)]
      if (schema === null || schema === undefined) return []
      return problems(compile(strict, `${operation} ${status}`, schema), body)
    },
    complete: (operation, status, body) =>
      completed(definitions, of(operation).answers[String(status)] ?? {}, body),
  }
}

function resolved(definitions: Published['definitions'], schema: Schema): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*\//, '') : null
  return name === null ? schema : resolved(definitions, definitions[name] ?? {})
}

/** Of several schemas the first that an object or a list may have. */
function structureOf(definitions: Published['definitions'], schema: Schema): Schema {
  const own = resolved(definitions, schema)
  const others = (own.anyOf ?? own.oneOf ?? []) as Schema[]
  const all = others.map((one) => structureOf(definitions, one))
  return all.find(({ properties, items }) => properties || items) ?? own
}

function completed(definitions: Published['definitions'], schema: Schema, value: unknown): unknown {
  const { items, properties = {}, required = [], allOf = [] } = structureOf(definitions, schema)
  if (Array.isArray(value))
    return items ? value.map((one) => completed(definitions, items as Schema, one)) : value
  if (typeof value !== 'object' || value === null) return value
  const known: Schema = { ...value }
  for (const one of allOf as Schema[]) Object.assign(known, completed(definitions, one, known))
  for (const [name, one] of Object.entries(properties as Record<string, Schema>))
    if (name in known) known[name] = completed(definitions, one, known[name])
    else if ((required as string[]).includes(name)) known[name] = emptiest(definitions, one)
  return known
}

function emptiest(definitions: Published['definitions'], schema: Schema): unknown {
  const own = resolved(definitions, schema)
  const types = [own.type ?? []].flat()
  const others = [...((own.anyOf ?? own.oneOf ?? own.allOf ?? []) as Schema[])]
  if (types.includes('null') || others.some(({ type }) => type === 'null')) return null
  if (Array.isArray(own.enum)) return own.enum[0]
  if (others[0] && types.length === 0) return emptiest(definitions, others[0])
  const byType: Readonly<Record<string, unknown>> = { string: '', boolean: false, array: [] }
  const [type = ''] = types as string[]
  if (type === 'integer' || type === 'number') return 0
  return type in byType ? byType[type] : completed(definitions, own, {})
}

function templatePattern(template: string): { pattern: RegExp; names: string[] } {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? '')
  const source = template
    .split(/\{[^}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    // A ref or a range of commits may hold slashes as they are; anything else may not.
    .reduce(
      (before, part, index) =>
        `${before}(${/basehead|ref/.test(names[index - 1] ?? '') ? '.+' : '[^/]+'})${part}`,
    )
  return { pattern: new RegExp(`^${source}$`), names }
}

function problems(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(inWords)
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const extra = typeof params.additionalProperty === 'string' ? ` (${params.additionalProperty})` : ''
  return `${instancePath === '' ? '/' : instancePath} ${message ?? 'is wrong'}${extra}`
}

/** The same schema, where every object has only its known properties. */
function closed(schema: unknown): Schema {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value as Schema).map(([key, inner]) =>
      key === 'properties'
        ? [key, Object.fromEntries(Object.entries(inner as Schema).map(([name, one]) => [name, close(one)]))]
        : [key, key === 'anyOf' || key === 'allOf' ? inner : close(inner)],
    )
    const result = Object.fromEntries(entries) as Schema
    return result.type === 'object' && result.properties && result.additionalProperties === undefined
      ? { ...result, additionalProperties: false }
      : result
  }
  return close(schema) as Schema
}
