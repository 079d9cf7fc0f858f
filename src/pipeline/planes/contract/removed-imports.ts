/** Imports that a change removes from a file that goes on using their names. */
import { folderWithSlash } from '../../../base/file-paths.ts'
import { looksGenerated } from '../../../base/generated-mark.ts'
import type { ImportFact } from '../../../code-index/contract.ts'
import { bindsItsNames, importersOf, unboundUse } from '../../../code-index/query/unbound-names.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { importsAs } from '../../../code-index/resolve/symbols.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { BrokenUse } from './breakage.ts'
import { isBuiltIn } from './built-in-names.ts'
import { basePath } from './find-subjects.ts'
import type { RepoSearch } from './repo-search.ts'

export async function removedImports(search: RepoSearch): Promise<BrokenUse[]> {
  const found: BrokenUse[] = []
  for (const file of search.change.files) {
    search.signal.throwIfAborted()
    if (file.oldBlob === null || file.newBlob === null || search.kinds.isForeign(file.path)) continue
    found.push(...(await removedFrom(file, search)))
  }
  return found
}

async function removedFrom(file: FileChange, { base, head, headSnapshot }: RepoSearch): Promise<BrokenUse[]> {
  const [before, after] = [await base.facts(basePath(file)), await head.facts(file.path)]
  if (!before || !after || !bindsItsNames(after.language)) return []
  const text = (await head.text(file.path)) ?? ''
  if (looksGenerated(text)) return []
  const lost = before.imports.flatMap((fact) => {
    const name = boundBy(fact)
    if (name === null || importsAs(after, name).length > 0 || isBuiltIn(after.language, name)) return []
    const line = unboundUse(after, text, name)
    return line === null ? [] : [{ name, line, from: fact.line }]
  })
  if (lost.length === 0 || (await areGiven(head, file.path))) return []
  const holders = await headSnapshot.filesWithWords(lost.map(({ name }) => name))
  const found: BrokenUse[] = []
  for (const { name, line, from } of lost) {
    if ((await importersOf(head, file.path, name, holders.get(name) ?? [])) === null) continue
    found.push({
      subject: { kind: 'import', path: basePath(file), name, line: from },
      failure: 'name',
      words: 'nothing in the file gives it a meaning',
      // Builds and test runners give names to scripts by configuration.
      certain: after.language === 'python',
      path: file.path,
      line,
      endLine: line,
      name,
    })
  }
  return found
}

/** Tools that give names to scripts without an import, and the files in which every tool may. */
const givers = /"(?:nuxt3?|nuxt-edge|wxt|unimport|unplugin-auto-import)"\s*:/
const settings = /\.config\.[cm]?[jt]s$/

async function areGiven(head: World, path: string): Promise<boolean> {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return false
  if (settings.test(path)) return true
  const above = head.paths.named('package.json').filter((at) => path.startsWith(folderWithSlash(at)))
  return [...(await head.texts(above)).values()].some((text) => givers.test(text))
}

function boundBy({ local, reexport }: ImportFact): string | null {
  return reexport || local === null || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(local) ? null : local
}
