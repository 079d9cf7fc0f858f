/** Which type a Java name stands for: by fully qualified name, or by package. */
import type { Definition, World } from '../contract.ts'
import { folderOf } from '../path-index.ts'
import { fullName, isType, symbolOf, symbolsIn } from '../symbols.ts'

/**
 * `a.b.Outer.Inner`: types start with a capital by convention. `package` means that only the package is here;
 * `external` that not even that is.
 */
export async function typeNamed(
  world: World,
  from: string,
  qualified: string,
): Promise<
  { kind: 'types'; types: readonly Definition[] } | { kind: 'package'; name: string } | { kind: 'external' }
> {
  const parts = qualified.split('.')
  const first = parts.findIndex((part) => /^[A-Z]/.test(part))
  const cut = first < 0 ? parts.length - 1 : first
  const packageName = parts.slice(0, cut).join('.')
  const [outer, ...inner] = parts.slice(cut)
  if (outer === undefined) return { kind: 'external' }
  let types = await typeInPackage(world, from, packageName, outer)
  for (const name of inner)
    types = types.flatMap((type) => symbolsIn(type.path, type.facts, fullName(symbolOf(type)), name))
  if (types.length > 0) return { kind: 'types', types }
  return (await packageFiles(world, packageName)).length > 0
    ? { kind: 'package', name: packageName }
    : { kind: 'external' }
}

/** The same package may lie in several source folders (main, test, other modules); the nearest definition wins. */
export async function typeInPackage(
  world: World,
  from: string,
  packageName: string,
  name: string,
): Promise<readonly Definition[]> {
  const files = await packageFiles(world, packageName)
  const usual = files.filter((path) => path.endsWith(`/${name}.java`) || path === `${name}.java`)
  for (const candidates of [usual, files]) {
    const facts = await world.factsOf(candidates)
    const found = [...facts]
      .filter(([, own]) => (own.packageName ?? '') === packageName)
      .flatMap(([path, own]) =>
        symbolsIn(path, own, '', name).filter((definition) => isType(symbolOf(definition))),
      )
      .sort((a, b) => commonPrefix(b.path, from) - commonPrefix(a.path, from))
    const [nearest] = found
    if (nearest) return found.filter(({ path }) => path === nearest.path)
  }
  return []
}

function packageFiles(world: World, packageName: string): Promise<readonly string[]> {
  return world.once(`java package ${packageName}`, async () => {
    const folder = packageName.replaceAll('.', '/')
    const folders = folder === '' ? [''] : world.paths.foldersEndingWith(folder)
    return folders.flatMap((at) => world.paths.filesIn(at)).filter((path) => path.endsWith('.java'))
  })
}

function commonPrefix(one: string, two: string): number {
  const [a, b] = [folderOf(one).split('/'), folderOf(two).split('/')]
  const differs = a.findIndex((part, index) => part !== b[index])
  return differs < 0 ? a.length : differs
}
