/** Which model planes there are: the files of one folder. A further plane is a further file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../base/package-root.ts'
import type { ModelPlane } from './contract.ts'
import { type ReadPlane, readPlane } from './read-plane.ts'

const ownFolder = join(packageRoot, 'prompts', 'planes')
const read = new Map<string, readonly ModelPlane[]>()

/**
 * By their `order`, then by name; of one name the highest version counts. Read once in a process. Throws
 * `prompt-invalid` for a file that is none.
 */
export function listModelPlanes(folder = ownFolder): readonly ModelPlane[] {
  const known = read.get(folder)
  if (known) return known
  const latest = new Map<string, ReadPlane>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    const found = readPlane(file, readFileSync(join(folder, file), 'utf8'))
    const { name } = found.plane
    if (found.version > (latest.get(name)?.version ?? 0)) latest.set(name, found)
  }
  const planes = [...latest.values()]
    .sort((a, b) => a.order - b.order || (a.plane.name < b.plane.name ? -1 : 1))
    .map(({ plane }) => plane)
  read.set(folder, planes)
  return planes
}
