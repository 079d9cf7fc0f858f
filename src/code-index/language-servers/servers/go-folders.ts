/** Folders that a Go module or workspace names, as far as they are of its own tree. */
import { posix } from 'node:path'

/**
 * The text of a `go.mod` or `go.work` that lies in `folder` of the tree, without the lines that lead out of the tree:
 * `replace example.com/x => ../../x`, `use ../other`.
 */
export function dropForeignFolders(text: string, folder: string): string {
  let block: string | null = null
  return text
    .split('\n')
    .filter((line) => {
      const [first = '', second] = line.trim().split(/\s+/, 2)
      if (block === null && second === '(') block = first
      else if (first === ')') block = null
      const target = line.includes('=>')
        ? line.slice(line.indexOf('=>') + 2)
        : first === 'use'
          ? line.trim().slice('use'.length)
          : block === 'use'
            ? line
            : ''
      return isOfTree(target, folder)
    })
    .join('\n')
}

/** A path begins with a slash, a drive or a dot; all else is a module's name. */
function isOfTree(target: string, folder: string): boolean {
  const [word = ''] = target.trim().split(/\s+/, 1)
  const path = word.replaceAll(/["`]/g, '').replaceAll('\\', '/')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return false
  const whole = posix.join(folder, path)
  return !path.startsWith('.') || (whole !== '..' && !whole.startsWith('../'))
}
