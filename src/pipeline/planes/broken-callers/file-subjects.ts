/** Files that left their path, and names that files stopped handing on. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { languageOf } from '../../../code-index/resolve/languages/registry.ts'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import type { ExportSubject, ModuleSubject } from './subject.ts'

/** By base path. */
export function moduleSubjects(change: ChangeSet): Map<string, ModuleSubject> {
  const subjects = new Map<string, ModuleSubject>()
  for (const file of change.files) {
    if (file.kind !== 'text' || !file.language || !languageOf(file.language)) continue
    if (file.status === 'deleted') subjects.set(file.path, { kind: 'module', path: file.path, movedTo: null })
    if (file.status === 'renamed' && file.oldPath !== null)
      subjects.set(file.oldPath, { kind: 'module', path: file.oldPath, movedTo: file.path })
  }
  return subjects
}

/** By base path, then name. Only names that were imported to be handed on: symbols have subjects of their own. */
export async function exportSubjects(
  change: ChangeSet,
  base: World,
  head: World,
): Promise<Map<string, Map<string, ExportSubject>>> {
  const files = change.files.filter(
    (file) => file.oldBlob !== null && file.newBlob !== null && file.language && languageOf(file.language),
  )
  const [before, after] = await Promise.all([
    base.factsOf(files.map(basePath)),
    head.factsOf(files.map((file) => file.path)),
  ])
  const subjects = new Map<string, Map<string, ExportSubject>>()
  for (const file of files) {
    const [old, now] = [before.get(basePath(file)), after.get(file.path)]
    if (!old || !now) continue
    const still = handedOn(now)
    const lost = [...handedOn(old)].filter(([name]) => !still.has(name))
    const path = basePath(file)
    if (lost.length > 0)
      subjects.set(path, new Map(lost.map(([name, line]) => [name, { kind: 'export', path, name, line }])))
  }
  return subjects
}

export function basePath(file: FileChange): string {
  return file.status === 'renamed' && file.oldPath !== null ? file.oldPath : file.path
}

/** Names with the line on which they are handed on. A star is known by what it opens. */
function handedOn(facts: FileFacts): Map<string, number> {
  const names = new Map<string, number>()
  const everyImportCounts = facts.language === 'python'
  for (const { local, line, reexport, source, imported } of facts.imports) {
    if (!reexport && !everyImportCounts) continue
    if (local !== null) names.set(local, line)
    else if (imported === '*') names.set(`* ${source}`, line)
  }
  const imported = new Set(facts.imports.map((fact) => fact.local))
  for (const { exported, local, line } of facts.exports)
    if (imported.has(local) || exported !== local) names.set(exported, line)
  return names
}
