/** Paths that git itself refuses to put into an index (`verify_path` in read-cache.c); only a forged tree has them. */
import { maxNameBytes } from './tree-walk.ts'

/** False for paths of more than 4096 characters, absolute ones, and those with an empty, `.`, `..` or `.git` part; `.gitmodules` may be no link. */
export function isSafePath(path: string, mode = ''): boolean {
  if (path.length > maxNameBytes) return false
  const parts = path.split('/')
  if (mode === '120000' && parts.at(-1)?.toLowerCase() === '.gitmodules') return false
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
}
