/** `missing-path`: the line refers to a path at which nothing stands after the change. */
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'

export const checkMissingPath: Refuter<'missing-path'> = async (
  { target, path, line },
  { sources, unread },
) => {
  const text = (await sources.lines('new', path))?.[line - 1]
  if (text === undefined) return refuted(`\`${path}\` has no line ${line} after the change`)
  const wanted = target.replace(/^\.\//, '').replace(/\/+$/, '')
  const stem = (wanted.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '')
  if (stem === '' || !text.includes(stem)) return refuted(`\`${path}:${line}\` does not name \`${target}\``)
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
