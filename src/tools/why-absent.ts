/** Why a path has no text here, in words for a model: a folder, another side, a generated file, another name. */
import { fileNameOf, isGeneratedPath } from '../base/file-paths.ts'
import { ignoringRule } from '../domain/ignored-path.ts'
import type { ToolScope } from './contract.ts'

const mostNames = 5

/** `side`: the tree that was asked. */
export async function whyAbsent(
  { head, base }: Pick<ToolScope, 'head' | 'base'>,
  side: 'head' | 'base',
  path: string,
): Promise<string> {
  const [asked, other] = side === 'head' ? [head, base] : [base, head]
  const entry = await asked.entry(path)
  if (entry?.mode === '160000') return 'this is a submodule: its files are not part of this repository'
  if (entry) return 'the file is binary, too large, or its object is missing here'
  const entries = await asked.list()
  if (entries.some((one) => one.path.startsWith(`${path}/`))) return 'this is a folder; use list_dir'
  if (await other.entry(path))
    return side === 'head'
      ? 'there is no file at this path after the change, which removes it; side base shows what it was'
      : 'there was no file at this path before the change, which adds it'
  const ignored = await ignoringRule(asked, path)
  if (ignored !== null)
    return `this file is generated or local: ${ignored} keeps it out of the repository, so its text is not here. Look for what it is generated from`
  if (isGeneratedPath(path))
    return 'there is no file at this path, and its name is that of a generated file: a build makes it, and its text is not here. Look for what it is generated from'
  const alike = namesLike(
    path,
    entries.map((one) => one.path),
  )
  return `there is no file at this path${alike.length > 0 ? `; there is ${alike.join(', ')}` : ''}`
}

/** Files of the same name elsewhere, and those that an import without its ending may mean. */
function namesLike(path: string, paths: readonly string[]): string[] {
  const name = fileNameOf(path)
  const found = paths.filter(
    (one) => one.endsWith(`/${name}`) || one.startsWith(`${path}.`) || one.startsWith(`${path}/index.`),
  )
  return found.slice(0, mostNames)
}
