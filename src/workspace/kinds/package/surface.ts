/** From the names that a module offers to what they stand for: each with its definition and the way to it. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type {
  Definition,
  Hop,
  Language,
  Meaning,
  UseSite,
  World,
} from '../../../code-index/resolve/contract.ts'
import { importsAs, symbolOf } from '../../../code-index/resolve/symbols.ts'
import { placeOf, type SharedPlace } from '../../../domain/shared-contract.ts'
import { placeAt } from '../../places.ts'
import type { PackageShape, ProvidedExport, Publisher } from './contract.ts'
import { exportName } from './names.ts'
import { thingOf } from './thing.ts'

/** Names of one package beyond these are not compared. */
export const mostNames = 3_000

export type OfferedModule = {
  ecosystem: string
  package: string
  keys: readonly string[]
  /** As its users import it. */
  name: string
  /** The file behind it; null where none was found. */
  path: string | null
  /** Where the package says that it has this module. */
  place: SharedPlace
  names: readonly string[]
  isOpen: boolean
  also: readonly string[]
  inner: readonly string[]
  isCommand: boolean
}

export async function surfaceOf(
  language: Language,
  world: World,
  module: OfferedModule,
): Promise<ProvidedExport[]> {
  const { ecosystem, package: pack, keys, isOpen, also, inner, isCommand, name, place, path } = module
  const base = { ecosystem, package: pack, keys }
  const found: ProvidedExport[] = [
    { ...place, name, shape: { ...base, is: 'module', isOpen, also, inner, isCommand } },
  ]
  const facts = path === null ? null : await world.facts(path)
  if (path === null || !facts) return found
  for (const symbol of module.names) {
    const meaning = await meaningOf(language, world, { path, facts, enclosing: null, text: null }, symbol)
    const isDefined = meaning.kind === 'defined'
    const hops = isDefined || meaning.kind === 'module' ? meaning.hops : [{ path, name: symbol }]
    const definition = isDefined ? (meaning.definitions[0] ?? null) : null
    const trail = await trailOf(world, hops.length > 0 ? hops : [{ path, name: symbol }], definition)
    const at = trail.at(-1) ?? place
    found.push({
      ...placeOf(at),
      name: exportName(ecosystem, name, symbol),
      shape: {
        ...base,
        is: 'export',
        module: name,
        symbol,
        trail,
        thing: isDefined ? await thingOf(language, world, meaning) : null,
      },
    })
  }
  return found
}

/** A module and a function of the same name are both there in Rust: what is passed on under it is the function. */
async function meaningOf(language: Language, world: World, from: UseSite, symbol: string): Promise<Meaning> {
  const meaning = await language.moduleMember(world, { path: from.path, name: '' }, symbol, from)
  const passed = importsAs(from.facts, symbol).find(({ reexport, imported }) => reexport && imported !== '*')
  if (meaning.kind !== 'module' || !passed) return meaning
  const other = await language.imported(world, from, passed)
  return other.kind === 'defined' ? other : meaning
}

type Step = Extract<PackageShape, { is: 'export' }>['trail'][number]

async function trailOf(world: World, hops: readonly Hop[], definition: Definition | null): Promise<Step[]> {
  const steps: Step[] = []
  for (const { path, name } of hops) {
    const facts = await world.facts(path)
    const line = facts ? lineOfName(facts, name) : null
    if (line !== null) steps.push({ ...placeAt(path, line), name: `passed on as ${name}` })
  }
  if (definition) {
    const { nameLine, endLine, name } = symbolOf(definition)
    steps.push({ path: definition.path, line: nameLine, endLine, name })
  }
  return steps
}

/** Where a file passes the name on or says that it exports it. */
function lineOfName(facts: FileFacts, name: string): number | null {
  const own = importsAs(facts, name)
  const passed = own.find(({ reexport, imported }) => reexport && imported !== '*')
  const star = facts.imports.find(({ reexport, local }) => reexport && local === null)
  return (
    (passed ?? own[0])?.line ??
    facts.exports.find(({ exported }) => exported === name)?.line ??
    star?.line ??
    null
  )
}

/** The package itself. */
export function packageEntry(
  ecosystem: string,
  { name, path, line }: Omit<Publisher, 'folder'>,
  keys: readonly string[],
  defined: Readonly<Record<string, readonly string[]>>,
): ProvidedExport {
  const shape = { ecosystem, package: name, keys, is: 'package', defined } as const
  return { ...placeAt(path, line), name, shape }
}

/** Names that each changed file defines at its top or passes on, as steps of a trail have them. */
export async function namesDefinedIn(
  world: World,
  changed: readonly string[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [path, facts] of await world.factsOf(changed.filter((path) => world.paths.has(path)))) {
    const own = facts.symbols.filter(({ scope }) => scope === '').map(({ name }) => name)
    const passed = [
      ...facts.exports.map(({ exported }) => exported),
      ...facts.imports.flatMap(({ local }) => local ?? []),
    ]
    found[path] = [...new Set([...own, ...passed.map((name) => `passed on as ${name}`)])]
  }
  return found
}
