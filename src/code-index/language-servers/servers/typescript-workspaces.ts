/**
 * Packages of one repository import each other by name, through links that a package manager would make. The same links
 * are made in the laid-out tree, from the manifests alone, so that such imports are found without an installation.
 */
import { posix } from 'node:path'
import type { Arrangement, LaidTree } from '../contract.ts'
import { isObject, readObject } from './read-json.ts'

const mostManifests = 2_000
const mostLinks = 5_000
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

export async function workspaceLinks({ paths, read }: LaidTree): Promise<Arrangement['links']> {
  const manifests = paths.filter((path) => posix.basename(path) === 'package.json').slice(0, mostManifests)
  const packages: { folder: string; name: string | null; needs: readonly string[] }[] = []
  for (const path of manifests) {
    const manifest = readObject(await read(path))
    if (!manifest) continue
    const { name } = manifest
    const isName = typeof name === 'string' && name.length < 215 && packageName.test(name)
    packages.push({ folder: posix.dirname(path), name: isName ? name : null, needs: needsOf(manifest) })
  }
  const folders = new Map<string, string>()
  for (const { name, folder } of packages) if (name !== null && !folders.has(name)) folders.set(name, folder)
  const links = packages.flatMap(({ folder, needs }) =>
    needs.flatMap((need) => {
      const to = folders.get(need)
      return to === undefined || to === folder ? [] : [{ at: posix.join(folder, 'node_modules', need), to }]
    }),
  )
  return links.slice(0, mostLinks)
}

function needsOf(manifest: Readonly<Record<string, unknown>>): string[] {
  const names = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
    (key) => {
      const listed = manifest[key]
      return isObject(listed) ? Object.keys(listed) : []
    },
  )
  return [...new Set(names)].sort()
}
