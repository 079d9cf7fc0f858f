/** `missing-path`: the line refers to a path at which nothing stands after the change. */
import { trimTrailing } from '../../../base/trim-text.ts'
import type { Sources } from '../sources.ts'
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'

export const checkMissingPath: Refuter<'missing-path'> = async (
  { target, path, line },
  { sources, unread },
) => {
  const text = (await sources.lines('new', path))?.[line - 1]
  if (text === undefined) return refuted(`\`${path}\` has no line ${line} after the change`)
  const wanted = trimTrailing(target.replace(/^\.\//, ''), '/')
  if (!namesOf(wanted).some((name) => text.includes(name)))
    return refuted(`\`${path}:${line}\` does not name \`${target}\``)
  if (unread.has(wanted)) return refuted(`\`${target}\` exists; it was only too large to read`)
  const paths = await sources.headPaths()
  if (paths.has(wanted)) return refuted(`\`${target}\` exists after the change`)
  const inside = `${wanted}/`
  for (const existing of paths) {
    if (existing.startsWith(inside)) return refuted(`\`${target}\` is a folder that exists after the change`)
    if (wanted.startsWith(`${existing}/`)) return unverifiable(`\`${existing}\` is a submodule or a link`)
  }
  const written = writtenOtherwise(wanted).find((other) => paths.has(other))
  if (written !== undefined) return refuted(`\`${written}\` exists, which \`${target}\` may be written for`)
  return (await isAliased(path, line, sources))
    ? unverifiable(`\`${path}:${line}\` imports by a name that settings or packages may resolve`)
    : confirmed('the tree')
}

/** References may leave out the ending, or name the file that is built: `./parse` and `./parse.js` are `parse.ts`. */
function writtenOtherwise(path: string): string[] {
  const endings = [
    '.ts',
    '.tsx',
    '.mts',
    '.cts',
    '.js',
    '.jsx',
    '.mjs',
    '.cjs',
    '.json',
    '.vue',
    '.py',
    '.pyi',
    '.rb',
    '.md',
  ]
  const built = /\.[cm]?jsx?$/.test(path) ? path.replace(/\.[cm]?jsx?$/, '') : null
  const file = path.slice(path.lastIndexOf('/') + 1)
  const stems = [...(built === null ? [] : [built]), ...(file.includes('.') ? [] : [path])]
  return stems.flatMap((stem) => endings.map((ending) => stem + ending))
}

/** An import that is not relative can be an alias of a build, or of a package. */
async function isAliased(path: string, line: number, sources: Sources): Promise<boolean> {
  const facts = await sources.facts('new', path)
  return facts?.imports.some((fact) => fact.line === line && /^[^./]/.test(fact.source)) === true
}

/** What a reference to the path may call it: its stem, or, as with index files and Go's packages, its folder. */
function namesOf(path: string): string[] {
  const [file = '', folder = ''] = path.split('/').reverse()
  const stem = file.replace(/(?:\.d)?\.[^.]*$/, '') || file
  const isForFolder = /^(?:index|__init__|mod|lib|main)$/.test(stem) || /\.(?:go|java)$/.test(file)
  return [stem, ...(isForFolder ? [folder] : [])].filter((name) => name !== '')
}
