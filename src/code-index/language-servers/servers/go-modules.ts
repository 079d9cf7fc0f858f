/**
 * What a Go module requires, as far as it is here. One module that is missing keeps `go list` from loading any package,
 * and none is ever fetched; without the requirement only the imports of that module stay unresolved.
 */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'

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

/** Which Go a module asks for, brought down to the one that is here. */

/**
 * The text of a `go.mod` or `go.work` with its `go` line lowered to `runtime` (`1.19.8`) and without a `toolchain` line;
 * null when nothing has to change.
 */
export function lowerGoLine(text: string, runtime: string | null): string | null {
  const here = parts(runtime ?? '')
  if (!here) return null
  const lowered = text
    .replace(/^toolchain[ \t]+\S+[ \t]*$/m, '')
    .replace(/^go[ \t]+(\d+\.\d+\S*)/m, (line, asked: string) => {
      const wanted = parts(asked)
      const isNewer =
        wanted !== null && (wanted[0] > here[0] || (wanted[0] === here[0] && wanted[1] > here[1]))
      return isNewer ? `go ${here[0]}.${here[1]}` : line
    })
  return lowered === text ? null : lowered
}

function parts(version: string): [number, number] | null {
  const found = /^(\d{1,6})\.(\d{1,6})/.exec(version)
  return found ? [Number(found[1]), Number(found[2])] : null
}

// Folders that a Go module or workspace names, as far as they are of its own tree.

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
