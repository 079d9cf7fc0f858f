/** What keeps git waiting in a work tree: it opens every ignore and attribute file, whatever it is. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { statOrNull } from './read-data.ts'

const opened: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules'])
const mostEntries = 300_000

/** The first such file that is neither a file nor absent, or null. Folders are looked at level by level, up to a cap. */
export function findWaitingPipe(workTree: string): string | null {
  const waiting = ['']
  let seen = 0
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift())
    for (const entry of entriesOf(join(workTree, folder))) {
      if (++seen > mostEntries) return null
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(path)
      if (!opened.has(entry.name) || entry.isFile()) continue
      const stat = statOrNull(join(workTree, path))
      if (stat && !stat.isFile() && !stat.isDirectory()) return path
    }
  return null
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
