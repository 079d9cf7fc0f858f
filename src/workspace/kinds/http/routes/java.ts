/** Routes of Spring's controllers. */
import type { Reference } from '../../../../code-index/contract.ts'
import { placeAt } from '../../../places.ts'
import { typeFields } from '../../payload/type-fields.ts'
import { type Argument, argumentIn, entriesOf, named } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import type { HttpParameter } from '../operation.ts'
import { type ReadRoutes, type Route, type RouteContext, routerOf, stringOf } from './route.ts'

const mappings: Readonly<Record<string, string>> = {
  GetMapping: 'GET',
  PostMapping: 'POST',
  PutMapping: 'PUT',
  PatchMapping: 'PATCH',
  DeleteMapping: 'DELETE',
  RequestMapping: '*',
}

export const readSpringRoutes: ReadRoutes = (context) => {
  const { facts, found } = context
  const { path } = context.file
  for (const reference of facts.references) {
    const method = mappings[reference.name]
    const at = reference.enclosing
    if (reference.role !== 'decorator' || !method || at === null || facts.symbols[at]?.kind !== 'method')
      continue
    const owner = facts.parents[at] ?? null
    const marks = facts.references.filter(
      ({ role, enclosing }) => role === 'decorator' && enclosing === owner && owner !== null,
    )
    if (!marks.some(({ name }) => name === 'RestController' || name === 'Controller')) continue
    const above = marks.find(({ name }) => name === 'RequestMapping')
    const symbol = facts.symbols[at]
    if (!symbol) continue
    const all = context.code.argumentsOf(reference) ?? []
    const returned = symbol.signature.returnType
    for (const prefix of above ? pathsOf(context.code.argumentsOf(above) ?? [], context) : [''])
      for (const route of pathsOf(all, context))
        for (const one of method === '*' ? methodsOf(all) : [method])
          found.routes.push({
            ...placeAt(path, reference.line, symbol.endLine),
            router: routerOf(path, 'spring'),
            method: one,
            route: `${prefix}/${route}`,
            handler: symbol.name,
            response:
              returned === null
                ? null
                : typeFields(returned, context.file, symbol.nameLine, 'response', context.findType),
            ...taken(reference, at, context),
          })
  }
}

function pathsOf(all: readonly Argument[], { constants }: RouteContext): string[] {
  const written = argumentIn(all, 0, 'value', 'path')?.text
  if (written === undefined) return ['']
  const texts =
    written.startsWith('{') || written.startsWith('[')
      ? entriesOf(written).map(({ text }) => text)
      : [written]
  return texts.flatMap((one) => literalText(one, constants) ?? [])
}

function methodsOf(all: readonly Argument[]): string[] {
  const names = (named(all, 'method')?.text ?? '').match(/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g)
  return names ?? ['*']
}

/** `@RequestParam` and `@RequestBody` of the method. */
function taken(
  { line }: Reference,
  at: number,
  context: RouteContext,
): Pick<Route, 'parameters' | 'request'> {
  const { code, file, facts, findType } = context
  const symbol = facts.symbols[at]
  const parameters: HttpParameter[] = []
  let request: Route['request'] = null
  for (const reference of facts.references) {
    if (reference.role !== 'decorator' || reference.enclosing !== at || reference.line < line) continue
    if (reference.name !== 'RequestParam' && reference.name !== 'RequestBody') continue
    const all = code.argumentsOf(reference) ?? []
    const end = code.endOf(reference)
    const parameter =
      /^[ \t\r\n]{0,40}(?:@\w{1,40}[ ]{1,2}|final ){0,3}([\w<>[\], ?.]{1,120}?)[ ]{1,3}(\w{1,80})[ ]{0,3}[,)]/.exec(
        code.text.slice(end, end + 300),
      )
    if (!parameter || !symbol) continue
    const [, type = '', variable = ''] = parameter
    if (reference.name === 'RequestBody') {
      request = typeFields(type, file, reference.line, 'request', findType)
      continue
    }
    const name = stringOf(argumentIn(all, 0, 'value', 'name'), context)
    const isOptional =
      named(all, 'required')?.text === 'false' ||
      named(all, 'defaultValue') !== null ||
      type.startsWith('Optional')
    parameters.push({
      ...placeAt(file.path, reference.line),
      name: name ?? variable,
      in: 'query',
      type: /^(?:int|long|Integer|Long)$/.test(type) ? 'integer' : type === 'String' ? 'string' : '',
      required: !isOptional,
      nullable: false,
      values: null,
      hasDefault: isOptional,
    })
  }
  return { parameters, request }
}
