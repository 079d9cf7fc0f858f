/** Where Composer looks for a class: the folders that `composer.json` gives to prefixes of namespaces (PSR-4). */
import { folderOf } from '../../../base/file-paths.ts'
import type { World } from '../contract.ts'
import { joinPath } from '../world.ts'
import { parseJsonObject } from './typescript-packages.ts'

type Prefix = { prefix: string; folder: string }

/** Files at which the type of this full name may be, the longest prefix first; they need not exist. */
export async function autoloadPaths(world: World, fullName: string): Promise<string[]> {
  const prefixes = await world.once('composer prefixes', () => readPrefixes(world))
  return prefixes.flatMap(({ prefix, folder }) => {
    if (!fullName.startsWith(prefix)) return []
    return joinPath(folder, `${fullName.slice(prefix.length).replaceAll('\\', '/')}.php`) ?? []
  })
}

async function readPrefixes(world: World): Promise<Prefix[]> {
  const files = world.paths.named('composer.json').filter((path) => !/(?:^|\/)vendor\//.test(path))
  const found: Prefix[] = []
  for (const [path, text] of await world.texts(files)) {
    const composer = parseJsonObject(text)
    for (const section of ['autoload', 'autoload-dev']) {
      const rules = asObject(asObject(composer?.[section])['psr-4'])
      for (const [prefix, folders] of Object.entries(rules))
        for (const folder of [folders].flat()) {
          const at = typeof folder === 'string' ? joinPath(folderOf(path), folder) : null
          if (at !== null) found.push({ prefix, folder: at })
        }
    }
  }
  return found.sort((a, b) => b.prefix.length - a.prefix.length || (a.folder < b.folder ? -1 : 1))
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}
