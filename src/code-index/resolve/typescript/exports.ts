/** What a module offers under a name, through re-exports of any length. */
import type { FileFacts, ImportFact } from '../../contract.ts'
import type { Hop, Meaning, World } from '../contract.ts'
import { askedBy, defined, missing, symbolsIn, unknown } from '../symbols.ts'
import { findModule } from './modules.ts'

const longestChain = 24

export async function exportedName(world: World, path: string, name: string): Promise<Meaning> {
  return follow(world, path, name, [])
}

/** What a specifier and a name in it bring to the file at `from`. */
export async function importedFrom(
  world: World,
  from: string,
  fact: ImportFact,
  hops: readonly Hop[],
): Promise<Meaning> {
  const found = await findModule(world, from, fact.source)
  if (found.kind === 'external') return unknown('another package')
  if (found.kind === 'missing') return askedBy(missing('module', found.path), from)
  if (!/\.[cm]?[jt]sx?$/.test(found.path)) return unknown('not a module of code')
  if (fact.imported === '*') return { kind: 'module', module: { path: found.path, name: '*' }, hops }
  return askedBy(await follow(world, found.path, fact.imported, hops), from)
}

async function follow(world: World, path: string, name: string, hops: readonly Hop[]): Promise<Meaning> {
  // A circle of stars brings nothing that was not found on the way.
  if (hops.length > longestChain || hops.some((hop) => hop.path === path && hop.name === name))
    return missing('export', path, 'likely')
  const facts = await world.facts(path)
  if (!facts) return unknown('the module could not be read')
  const trail = [...hops, { path, name }]
  const how = hops.length === 0 ? 'import' : 're-export chain'

  const reexport = facts.imports.find((fact) => fact.reexport && fact.local === name)
  if (reexport) return importedFrom(world, path, reexport, trail)
  for (const { local } of facts.exports.filter((fact) => fact.exported === name)) {
    const own = symbolsIn(path, facts, '', local)
    if (own.length > 0) return defined(own, { how, hops: trail })
    const handedOn = facts.imports.find((fact) => fact.local === local)
    return handedOn ? importedFrom(world, path, handedOn, trail) : unknown('exported, but not declared here')
  }
  return throughStars(world, path, facts, name, trail)
}

async function throughStars(
  world: World,
  path: string,
  facts: FileFacts,
  name: string,
  trail: readonly Hop[],
): Promise<Meaning> {
  let doubt: Meaning | null = null
  for (const star of facts.imports.filter(
    (fact) => fact.reexport && fact.local === null && fact.imported === '*',
  )) {
    // `export *` leaves the default export out.
    if (name === 'default') break
    const found = await findModule(world, path, star.source)
    // A star whose file is gone brings nothing any more.
    if (found.kind === 'missing') continue
    const meaning =
      found.kind === 'file'
        ? await follow(world, found.path, name, trail)
        : unknown('re-exports another package')
    if (meaning.kind === 'defined' || meaning.kind === 'module') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
  }
  if (doubt) return doubt
  if (!offersAnything(facts)) return unknown('not an ES module')
  return missing('export', path, facts.errorLines.length > 0 ? 'likely' : 'certain')
}

/** A script without exports may fill `module.exports` in ways the text does not tell. */
function offersAnything(facts: FileFacts): boolean {
  return facts.exports.length > 0 || facts.imports.length > 0 || facts.language !== 'javascript'
}
