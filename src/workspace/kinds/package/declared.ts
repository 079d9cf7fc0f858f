/**
 * Surfaces of languages whose modules are what their files declare: packages of Go and Java, namespaces of C#, modules of Ruby.
 * A member may be written in another file than its type.
 */

import { type FileFacts, fullName } from '../../../code-index/contract.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import { placeAt } from '../../places.ts'
import type { ProvidedExport, Thing } from './contract.ts'
import { exportName } from './names.ts'
import type { OfferedModule } from './surface.ts'
import { plainThing } from './thing.ts'

export type DeclaringFile = { path: string; facts: FileFacts }

export type DeclaredModule = Pick<
  OfferedModule,
  'ecosystem' | 'package' | 'keys' | 'name' | 'place' | 'isOpen'
> & {
  files: readonly DeclaringFile[]
  /** Files with members of these types besides. */
  around?: readonly DeclaringFile[]
  /** Names that are not declared and can be used all the same. */
  also?: readonly string[]
  /** Whether others see a symbol; those at the top with visibility `exported` where not given. */
  isExported?: (symbol: CodeSymbol) => boolean
  /** What a constructor is called among the members of its type. */
  constructorName?: (type: string) => string
}

type Declared = { path: string; symbol: CodeSymbol; bases: readonly string[] }

const typeKinds: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'enum', 'type', 'module'])
const mostDepth = 6

export function declaredSurface(module: DeclaredModule): ProvidedExport[] {
  const { ecosystem, package: pack, keys, name, place, isOpen, also = [], files } = module
  const base = { ecosystem, package: pack, keys }
  const isExported =
    module.isExported ?? (({ scope, visibility }: CodeSymbol) => scope === '' && visibility === 'exported')
  const declared = files.flatMap(declaredIn)
  const own = Map.groupBy(
    declared.filter(({ symbol }) => symbol.kind !== 'impl' && isExported(symbol)),
    ({ symbol }) => fullName(symbol),
  )
  const everything = [...declared, ...(module.around ?? []).flatMap(declaredIn)]
  const context: Context = {
    module,
    byScope: Map.groupBy(everything, ({ symbol }) => symbol.scope),
    types: Map.groupBy(
      everything.filter(({ symbol }) => typeKinds.has(symbol.kind)),
      ({ symbol }) => symbol.name,
    ),
  }
  return [
    { ...place, name, shape: { ...base, is: 'module', isOpen, also, inner: [], isCommand: false } },
    ...[...own].flatMap(([full, definitions]): ProvidedExport[] => {
      const [first] = definitions
      if (!first) return []
      const symbol = ecosystem === 'gems' ? full.replaceAll('.', '::') : full
      const at = placeOf(first)
      const trail = [{ ...at, name: first.symbol.name }]
      const thing = thingIn(context, definitions)
      return [
        {
          ...at,
          name: exportName(ecosystem, name, symbol),
          shape: { ...base, is: 'export', module: name, symbol, trail, thing },
        },
      ]
    }),
  ]
}

type Context = {
  module: DeclaredModule
  byScope: ReadonlyMap<string, readonly Declared[]>
  types: ReadonlyMap<string, readonly Declared[]>
}

function declaredIn({ path, facts }: DeclaringFile): Declared[] {
  const bases = Map.groupBy(facts.supertypes, ({ symbol }) => symbol)
  return facts.symbols.map((symbol, index) => ({
    path,
    symbol,
    bases: (bases.get(index) ?? []).map(({ name }) =>
      (name.split('<', 1)[0] ?? '').replace(/^.*(?:\.|::)/, ''),
    ),
  }))
}

function placeOf({ path, symbol: { nameLine, endLine } }: Declared): SharedPlace {
  return placeAt(path, nameLine, endLine)
}

function thingIn(context: Context, definitions: readonly Declared[]): Thing | null {
  const [first] = definitions
  if (!first) return null
  const plain = plainThing(first.path, first.symbol)
  if (!typeKinds.has(first.symbol.kind)) {
    const isOpen = first.symbol.kind !== 'function' && first.symbol.kind !== 'method'
    return { ...plain, parameters: parametersOf(definitions), isOpen }
  }
  const { members, isOpen } = membersOf(context, definitions, 0)
  const makers = membersIn(context, first).filter(
    ({ symbol }) => symbol.name === context.module.constructorName?.(first.symbol.name),
  )
  return {
    ...plain,
    parameters: makers.length > 0 ? parametersOf(makers) : parametersOf(definitions),
    members: members.filter(({ name }) => name !== context.module.constructorName?.(first.symbol.name)),
    // What another name for a type has is said where that is defined.
    isOpen: isOpen || first.symbol.kind === 'type',
  }
}

/** Null for overloads: which one a call runs is told by types. */
function parametersOf(definitions: readonly Declared[]): Thing['parameters'] {
  const [only, ...others] = definitions
  return only && others.length === 0 ? only.symbol.signature.parameters : null
}

function membersIn({ byScope }: Context, type: Declared): readonly Declared[] {
  return byScope.get(fullName(type.symbol)) ?? []
}

/** Bases that bring no members that people would call by name. */
const plainBases =
  /^(?:Serializable|Comparable|Cloneable|AutoCloseable|Closeable|Runnable|Object|IDisposable|IEquatable|IComparable|\w*Exception|\w*Error|StandardError|Struct|Enum|Default|Debug|Clone|Display)$/

/** What Ruby has inside of a module is an export as well. */
function isExportOfItsOwn({ module }: Context, kind: string): boolean {
  return module.ecosystem === 'gems' && (kind === 'constant' || typeKinds.has(kind))
}

function membersOf(
  context: Context,
  types: readonly Declared[],
  depth: number,
): Pick<Thing, 'members' | 'isOpen'> {
  const own = types.flatMap((type) => membersIn(context, type))
  const seen = Map.groupBy(
    own.filter(
      ({ symbol: { visibility, kind, name } }) =>
        visibility === 'exported' &&
        kind !== 'impl' &&
        !name.startsWith('_') &&
        !isExportOfItsOwn(context, kind),
    ),
    ({ symbol }) => symbol.name,
  )
  const members = new Map<string, Thing>()
  for (const [name, definitions] of seen) {
    const [first] = definitions
    if (first) members.set(name, plainThing(first.path, first.symbol, parametersOf(definitions)))
  }
  let isOpen = depth > mostDepth
  for (const base of isOpen ? [] : types.flatMap(({ bases }) => bases)) {
    const found = context.types.get(base)
    if (!found) isOpen ||= !plainBases.test(base)
    else {
      const inherited = membersOf(context, found, depth + 1)
      isOpen ||= inherited.isOpen
      for (const member of inherited.members) if (!members.has(member.name)) members.set(member.name, member)
    }
  }
  return { members: [...members.values()], isOpen }
}
