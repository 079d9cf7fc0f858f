/** The crates of a Cargo workspace and the files their module trees start from. */
import type { World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { remembered } from '../remembered.ts'

export type Crate = {
  /** As written in paths: `-` is `_`. */
  name: string
  folder: string
  /** The library's root file, when it has one. */
  library: string | null
  /** Every file that a module tree starts from, as far as Cargo.toml and the usual places tell. */
  roots: ReadonlySet<string>
}

export function workspaceCrates(world: World): Promise<readonly Crate[]> {
  return world.once('crates', async () => {
    const manifests = await world.texts(world.paths.named('Cargo.toml'))
    return [...manifests].flatMap(([path, text]) => {
      const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1]
      return name === undefined ? [] : [readCrate(world, folderOf(path), name, text)]
    })
  })
}

/** The crate a file belongs to: the innermost folder with a manifest. */
export function crateOf(world: World, path: string): Promise<Crate | null> {
  return remembered(world, world, 'crate', path, () => findCrate(world, path))
}

async function findCrate(world: World, path: string): Promise<Crate | null> {
  let best: Crate | null = null
  for (const crate of await workspaceCrates(world)) {
    const holds = crate.folder === '' || path.startsWith(`${crate.folder}/`)
    if (holds && (best === null || crate.folder.length > best.folder.length)) best = crate
  }
  return best
}

function readCrate(world: World, folder: string, name: string, manifest: string): Crate {
  const at = (relative: string): string => joinPath(folder, relative) ?? relative
  const written = /^\[lib\][^[]*?^path\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1]
  const libraryName = /^\[lib\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1]
  const library = at(written ?? 'src/lib.rs')
  const others = [...manifest.matchAll(/^path\s*=\s*"([^"]+\.rs)"/gm)].map((match) => at(match[1] ?? ''))
  const usual = ['tests', 'benches', 'examples', 'src/bin'].flatMap((sub) =>
    world.paths.filesIn(at(sub)).filter((path) => path.endsWith('.rs')),
  )
  const roots = [library, at('src/main.rs'), at('build.rs'), ...others, ...usual]
  return {
    name: (libraryName ?? name).replaceAll('-', '_'),
    folder,
    library: world.paths.has(library) ? library : null,
    roots: new Set(roots.filter((path) => world.paths.has(path))),
  }
}
