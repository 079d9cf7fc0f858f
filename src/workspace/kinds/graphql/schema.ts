/** Schemas of a repository: which files are of one, and the schema that their definitions and extensions make together. */
import type {
  ASTNode,
  ConstDirectiveNode,
  DefinitionNode,
  GraphQLSchema,
  NamedTypeNode,
  TypeDefinitionNode,
  TypeExtensionNode,
} from 'graphql'
import { compareText } from '../../../base/compare-text.ts'
import { folderOf } from '../../../base/file-paths.ts'
import { definitionsIn, graphql } from './documents.ts'

/** What one file defines, with the offsets of its text. */
export type SdlFile = { path: string; definitions: readonly DefinitionNode[] }

type TypeNodes = TypeDefinitionNode | TypeExtensionNode

const rootNames: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription'])
const builtIn: ReadonlySet<string> = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

export function isTypeNode(node: DefinitionNode): node is TypeNodes {
  return /Type(?:Definition|Extension)$/.test(node.kind)
}

function isDefinition(node: DefinitionNode): boolean {
  return node.kind.endsWith('Definition')
}

/** The files of each schema by a name that stays while its files change: a folder, or a file where a folder has several. */
export function schemasOf(files: readonly SdlFile[]): ReadonlyMap<string, readonly SdlFile[]> {
  const outlines = files.map(outlineOf)
  const roots = rootsOf(outlines)
  const schemas = new Map(seeds(roots))
  const rest = outlines.filter((one) => !roots.includes(one))
  for (const one of rest)
    for (const name of schemasAround(one.folder, [...schemas.keys()])) schemas.get(name)?.push(one)
  return new Map([...united(schemas)].map(([name, members]) => [name, inPathOrder(members)]))
}

type Outline = {
  file: SdlFile
  folder: string
  defines: ReadonlySet<string>
  refers: ReadonlySet<string>
  /** It defines where requests begin, or adds to it. */
  root: 'defined' | 'extended' | null
}

function outlineOf(file: SdlFile): Outline {
  const defines = new Set<string>()
  const refers = new Set<string>()
  let root: Outline['root'] = null
  for (const node of file.definitions) {
    if (node.kind === 'SchemaDefinition') root = 'defined'
    if (!isTypeNode(node)) continue
    if (isDefinition(node)) defines.add(node.name.value)
    if (rootNames.has(node.name.value)) root = isDefinition(node) ? 'defined' : (root ?? 'extended')
    graphql().visit(node as ASTNode, { NamedType: ({ name }) => void refers.add(name.value) })
  }
  return { file, folder: folderOf(file.path), defines, refers, root }
}

/** Parts of a federation may only add to the roots. */
function rootsOf(outlines: readonly Outline[]): readonly Outline[] {
  const defined = outlines.filter(({ root }) => root === 'defined')
  return defined.length > 0 ? defined : outlines.filter(({ root }) => root !== null)
}

function seeds(roots: readonly Outline[]): [string, Outline[]][] {
  return [...Map.groupBy(roots, ({ folder }) => folder)].flatMap(
    ([folder, members]): [string, Outline[]][] =>
      isContradictory(members) ? members.map((one) => [one.file.path, [one]]) : [[folder, members]],
  )
}

/** Two versions of a schema side by side define the same types; modules of one schema share the roots alone. */
function isContradictory(members: readonly Outline[]): boolean {
  const names = members.flatMap(({ defines }) => [...defines].filter((name) => !rootNames.has(name)))
  return new Set(names).size < names.length
}

/** The schemas below the nearest enclosing folder that contains any. */
function schemasAround(folder: string, names: readonly string[]): string[] {
  for (let at = folder; ; at = folderOf(at)) {
    const below = names.filter((name) => at === '' || name === at || name.startsWith(`${at}/`))
    if (below.length > 0 || at === '') return below.length > mostShared ? [] : below
  }
}

/** More schemas than this do not share a file. */
const mostShared = 20

/** Modules of one schema in folders of their own refer to types of each other. */
function united(schemas: ReadonlyMap<string, readonly Outline[]>): Map<string, readonly Outline[]> {
  const homes = new Map<string, string[]>()
  for (const [name, members] of schemas)
    for (const type of definedBy(members)) homes.set(type, [...(homes.get(type) ?? []), name])
  const leaders = new Map([...schemas.keys()].map((name) => [name, name]))
  const leaderOf = (name: string): string => {
    let at = name
    for (let next = leaders.get(at); next !== undefined && next !== at; next = leaders.get(at)) at = next
    return at
  }
  for (const [name, members] of schemas) {
    const own = definedBy(members)
    for (const type of new Set(members.flatMap(({ refers }) => [...refers]))) {
      const [home, ...others] = homes.get(type) ?? []
      if (own.has(type) || home === undefined || others.length > 0) continue
      const [first = '', second = ''] = [leaderOf(name), leaderOf(home)].sort(compareText)
      leaders.set(second, first)
    }
  }
  const groups = Map.groupBy(schemas, ([name]) => leaderOf(name))
  return new Map([...groups].map(([leader, parts]) => [leader, parts.flatMap(([, members]) => members)]))
}

function definedBy(members: readonly Outline[]): Set<string> {
  return new Set(members.flatMap(({ defines }) => [...defines]))
}

function inPathOrder(members: readonly Outline[]): SdlFile[] {
  return [...new Set(members.map(({ file }) => file))].sort((a, b) => compareText(a.path, b.path))
}

/** Null for what makes no schema. What is defined twice or only extended is merged; types from elsewhere are scalars. */
export function buildSchema(sdl: string): GraphQLSchema | null {
  try {
    const definitions = complete(merged(definitionsIn(sdl) ?? []))
    const { buildASTSchema, Kind } = graphql()
    return buildASTSchema({ kind: Kind.DOCUMENT, definitions }, { assumeValid: true, assumeValidSDL: true })
  } catch {
    return null
  }
}

// Members of a type, whatever its kind; kinds that lack one have an empty list.
type Merged = {
  kind: string
  name: TypeNodes['name']
  directives: ConstDirectiveNode[]
  interfaces: NamedTypeNode[]
  fields: { name: { value: string } }[]
  values: { name: { value: string } }[]
  types: NamedTypeNode[]
}

function merged(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const types = new Map<string, Merged>()
  const others: DefinitionNode[] = []
  for (const node of definitions) {
    if (isTypeNode(node)) types.set(node.name.value, joinType(types.get(node.name.value), node))
    else if (!others.some((one) => nameOf(one) === nameOf(node))) others.push(node)
  }
  return [...others, ...([...types.values()] as unknown as DefinitionNode[])]
}

function nameOf(node: DefinitionNode): string {
  return node.kind === 'DirectiveDefinition'
    ? `@${node.name.value}`
    : node.kind.replace('Extension', 'Definition')
}

function joinType(known: Merged | undefined, node: TypeNodes): Merged {
  const more = node as unknown as Partial<Merged>
  const kind = node.kind.replace('Extension', 'Definition')
  if (known && known.kind !== kind) return known
  return {
    kind,
    name: node.name,
    directives: [...(known?.directives ?? []), ...(more.directives ?? [])],
    interfaces: byName(known?.interfaces, more.interfaces),
    fields: byName(known?.fields, more.fields),
    values: byName(known?.values, more.values),
    types: byName(known?.types, more.types),
  }
}

function byName<Node extends { name: { value: string } }>(known: Node[] = [], more: Node[] = []): Node[] {
  return [...new Map([...known, ...more].map((node) => [node.name.value, node])).values()]
}

function complete(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const types = new Map(definitions.filter(isTypeNode).map((node) => [node.name.value, node]))
  const missing = new Set<string>()
  for (const node of definitions)
    graphql().visit(node as ASTNode, {
      NamedType: ({ name: { value: name } }) => {
        if (!types.has(name) && !builtIn.has(name)) missing.add(name)
      },
    })
  const parse = (name: string) => definitionsIn(`scalar ${name}`) ?? []
  return [...definitions.map((node) => wellFormed(node, types)), ...[...missing].flatMap(parse)]
}

/** Without interfaces and members of unions that are something else. */
function wellFormed(node: DefinitionNode, types: ReadonlyMap<string, TypeNodes>): DefinitionNode {
  if (!isTypeNode(node)) return node
  const { interfaces, types: members } = node as unknown as Merged
  const ofKind = (kind: string) => (type: NamedTypeNode) => types.get(type.name.value)?.kind === kind
  const checked = {
    ...node,
    interfaces: interfaces.filter(ofKind('InterfaceTypeDefinition')),
    types: members.filter(ofKind('ObjectTypeDefinition')),
  }
  return checked as unknown as DefinitionNode
}
