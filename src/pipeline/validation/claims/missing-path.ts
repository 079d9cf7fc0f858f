/** `missing-path`: the line refers to a path at which nothing stands after the change. */
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'

export const checkMissingPath: Refuter<'missing-path'> = async (
  { target, path, line },
  { sources, unread },
) => {
  const text = (await sources.lines('new', path))?.[line - 1]
  if (text === undefined) return refuted(`\`${path}\` has no line ${line} after the change`)
  const wanted = target.replace(/^\.\//, '').replace(/\/+$/, '')
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
  return confirmed('the tree')
}

/** What a reference to the path may call it: its stem, or, as with index files and Go's packages, its folder. */
function namesOf(path: string): string[] {
  const [file = '', folder = ''] = path.split('/').reverse()
  const stem = file.replace(/(?:\.d)?\.[^.]*$/, '') || file
  const isForFolder = /^(?:index|__init__|mod|lib|main)$/.test(stem) || /\.(?:go|java)$/.test(file)
  return [stem, ...(isForFolder ? [folder] : [])].filter((name) => name !== '')
}
