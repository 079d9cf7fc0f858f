/** Says in one line what happened to a file. */
import type { FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import { rankSymbolChanges } from './importance.ts'
import { describeSymbolChange } from './symbol-words.ts'
import { code, count } from './words.ts'

const toldInFull = 2

/** `changes` are those of this file. */
export function describeFile(file: FileChange, changes: readonly SymbolChange[]): string {
  return (
    [describeFate(file), ...describeSymbols(changes)].filter((part) => part !== '').join('; ') ||
    describeLines(file)
  )
}

/** What happened to the file as such; empty for plain changed text. */
function describeFate(file: FileChange): string {
  if (file.kind === 'submodule')
    return `submodule ${file.oldBlob?.slice(0, 8) ?? 'none'} → ${file.newBlob?.slice(0, 8) ?? 'none'}`
  const parts: string[] = []
  if (file.status === 'added') parts.push('new file')
  if (file.status === 'deleted') parts.push('deleted')
  if (file.oldPath !== null)
    parts.push(`${file.status === 'copied' ? 'copied' : 'renamed'} from ${code(file.oldPath)}`)
  if (file.kind === 'binary') parts.push('binary')
  if (file.oldMode !== null && file.newMode !== null && file.oldMode !== file.newMode)
    parts.push(`mode ${file.oldMode} → ${file.newMode}`)
  return parts.join(', ')
}

function describeSymbols(changes: readonly SymbolChange[]): string[] {
  const ranked = rankSymbolChanges(changes)
  const rest = ranked.length - toldInFull
  return [
    ...ranked.slice(0, toldInFull).map(describeSymbolChange),
    ...(rest > 0 ? [count(rest, 'more symbol change')] : []),
  ]
}

function describeLines({ added, removed, omitted }: FileChange): string {
  if (omitted !== null) return omitted
  if (added === 0 && removed === 0) return 'no line changed'
  return `${count(added, 'line')} added, ${removed} removed`
}
