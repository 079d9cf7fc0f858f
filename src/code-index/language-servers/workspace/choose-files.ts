/** Which files of a snapshot a server gets to see: sources of its languages, and what it reads as data. */
import { isSafePath } from '../../../base/git/safe-path.ts'
import type { RepoSnapshot, TreeEntry } from '../../../domain/snapshot.ts'
import { languageOf } from '../../language-of.ts'
import type { LanguageServer, Limits } from '../contract.ts'

/** Files of the tree in path order; or why they are not laid out at all. */
export async function chooseFiles(
  snapshot: RepoSnapshot,
  server: LanguageServer,
  limits: Pick<Limits, 'files' | 'bytes'>,
): Promise<readonly TreeEntry[] | string> {
  const chosen = (await snapshot.list()).filter((entry) => mayLie(entry) && isWanted(entry.path, server))
  const bytes = chosen.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (chosen.length > limits.files)
    return `the tree has ${chosen.length} files for it, more than may be laid out`
  if (bytes > limits.bytes)
    return `the tree has ${Math.round(bytes / 1e6)} MB for it, more than may be laid out`
  return chosen
}

/** Regular files with harmless names only. Folders that begin with a dot hold settings that tools run by. */
function mayLie({ path, mode, size }: TreeEntry): boolean {
  if (size === null || (mode !== '100644' && mode !== '100755')) return false
  if (!isSafePath(path, mode) || path.includes('\0') || path.length > 1000) return false
  if (process.platform === 'win32' && /[\\:*?"<>|]/.test(path)) return false
  return !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules')
}

function isWanted(path: string, server: LanguageServer): boolean {
  const language = languageOf(path)
  // A header may turn out to be of the other of the two.
  const languages = /\.h$/i.test(path) ? ['c', 'cpp'] : [language]
  return languages.some((one) => one !== null && server.languages.includes(one)) || server.readsFile(path)
}
