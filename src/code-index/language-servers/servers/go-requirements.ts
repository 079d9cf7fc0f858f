/**
 * What a Go module requires, as far as it is here. One module that is missing keeps `go list` from loading any package,
 * and none is ever fetched; without the requirement only the imports of that module stay unresolved.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

type Requirement = { path: string; version: string }

/** `path v1.2.3 // indirect`, alone in a block or after `require`. */
const requirement = /^[ \t]*(?:require[ \t]+)?([^\s"()]{1,300})[ \t]+(v\d[^\s"()]{0,100})[ \t]*(?:\/\/.*)?$/s

/**
 * The text of a `go.mod` without its requirements, but for those that it replaces by folders of its own tree; null when
 * all that it requires lies in the module cache. Without a cache (null) none is there.
 */
export function dropAbsentRequirements(text: string, moduleCache: string | null): string | null {
  const isInBlock = blockReader()
  const lines = text.split('\n').map((line) => ({ line, needs: isInBlock(line) ? read(line) : null }))
  const own = new Set(
    [...text.matchAll(/^[ \t]*(?:replace[ \t]+)?(\S+)[ \t].*=>[ \t]*\.\.?\//gm)].map((m) => m[1]),
  )
  const needed = lines.flatMap(({ needs }) => (needs && !own.has(needs.path) ? [needs] : []))
  if (needed.every((one) => isCached(one, moduleCache))) return null
  return lines
    .filter(({ needs }) => needs === null || own.has(needs.path))
    .map(({ line }) => line)
    .join('\n')
}

function read(line: string): Requirement | null {
  const [, path, version] = requirement.exec(line) ?? []
  return path === undefined || version === undefined ? null : { path, version }
}

/** Whether a line belongs to a `require`; lines must come in order. */
function blockReader(): (line: string) => boolean {
  let inside = false
  return (line) => {
    if (/^[ \t]*require[ \t]*\(/.test(line)) {
      inside = true
      return false
    }
    if (inside && /^[ \t]*\)/.test(line)) inside = false
    return inside || /^[ \t]*require[ \t]/.test(line)
  }
}

/** Capital letters are escaped there, for file systems that do not tell them apart. */
function isCached({ path, version }: Requirement, moduleCache: string | null): boolean {
  const escaped = (name: string) => name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
  if (moduleCache === null || path.split('/').includes('..')) return false
  return existsSync(join(moduleCache, 'cache', 'download', escaped(path), '@v', `${escaped(version)}.mod`))
}
