/** Three to five bullets: what a reader should know of the change before the code. */
import type { FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import { describeFile } from './file-words.ts'
import { rankFiles, rankSymbolChanges } from './importance.ts'
import { describeSymbolChange, pathOf } from './symbol-words.ts'
import { code } from './words.ts'

const most = 5
const fewest = 3
const mostPerFile = 2

export function keyChangesOf(files: readonly FileChange[], changes: readonly SymbolChange[]): string[] {
  const bullets: string[] = []
  const perFile = new Map<string, number>()
  for (const change of rankSymbolChanges(changes)) {
    const path = pathOf(change)
    const told = perFile.get(path) ?? 0
    if (bullets.length === most || told === mostPerFile || isInside(change, changes)) continue
    bullets.push(`${code(path)}: ${describeSymbolChange(change)}`)
    perFile.set(path, told + 1)
  }
  for (const file of rankFiles(files, changes, [])) {
    if (bullets.length >= fewest) break
    if (!perFile.has(file.path)) bullets.push(`${code(file.path)}: ${describeFile(file, [])}`)
  }
  return bullets
}

/** A method of a class that was itself added or removed is told with the class. */
function isInside(change: SymbolChange, all: readonly SymbolChange[]): boolean {
  const { kind } = change
  const own = change.after ?? change.before
  if ((kind !== 'added' && kind !== 'removed') || !own || own.symbol.scope === '') return false
  return all.some((other) => {
    const outer = other.after ?? other.before
    if (other.kind !== kind || !outer || outer.path !== own.path) return false
    const name = [outer.symbol.scope, outer.symbol.name].filter((part) => part !== '').join('.')
    return own.symbol.scope === name || own.symbol.scope.startsWith(`${name}.`)
  })
}
