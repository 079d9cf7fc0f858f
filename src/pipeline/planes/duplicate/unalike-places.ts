/** Places whose code is alike on purpose: twins per platform or version, examples, templates, what others wrote. */
import { isGeneratedPath, isMinifiedPath, isTestPath, isVendoredPath } from '../../../base/file-paths.ts'

const apart =
  /(?:^|\/)(?:examples?|docs?|samples?|demos?|bench(?:es|marks?)?|fixtures|migrations|templates|playground|snippets|scripts|tutorials?|dist|[^/]*_dist|compat|legacy|deprecated)\//i

/** Parts of names that say which of several variants a file is. */
const variant =
  /(?<=[._/-]|^)(?:v\d+|linux|windows|win32|win|darwin|macos|mac|unix|bsd|freebsd|openbsd|netbsd|android|ios|wasm|wasi|posix|amd64|x86|x86_64|arm|arm64|aarch64|386|s390x|node|bun|deno|browser|edge|server|client|async|sync|cjs|esm|mjs|stub|noop|fallback|go\d+)(?=[._/-]|$)/gi

/** Code there may be repeated and may repeat. */
export function isOwnGround(path: string): boolean {
  return (
    !apart.test(path) && ![isGeneratedPath, isMinifiedPath, isTestPath, isVendoredPath].some((is) => is(path))
  )
}

/** The same file for another platform, version or runtime. */
export function areVariants(path: string, other: string): boolean {
  if (path === other) return false
  return neutral(path) === neutral(other)
}

/** Without the words for a platform, the marks that held them, and the ending. */
function neutral(path: string): string {
  return path
    .replace(variant, '')
    .replace(/[._-]+/g, (marks, at: number, whole: string) =>
      whole.charAt(at + marks.length) === '/' ? '' : marks.slice(Math.max(0, marks.lastIndexOf('.'))),
    )
    .replace(/\.[^.]*$/, '')
}
