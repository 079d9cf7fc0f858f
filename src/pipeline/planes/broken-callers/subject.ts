/** What a change broke with: a symbol, a name a file handed on, a module, or a duty an interface gained. */
import type { CodeSymbol, SymbolChange } from '../../../domain/code-symbol.ts'

export type Fate = 'removed' | 'renamed' | 'moved' | 'changed'

export type SymbolSubject = {
  kind: 'symbol'
  fate: Fate
  language: string
  /** At the base. */
  path: string
  symbol: CodeSymbol
  /** Where it went; null when it is gone. */
  after: { path: string; symbol: CodeSymbol } | null
}

/** A file stopped handing a name on; `name` is `*` for a whole `export * from`. */
export type ExportSubject = { kind: 'export'; path: string; name: string; line: number }

/** A file is not at its path any more; `movedTo` when git saw a rename. */
export type ModuleSubject = { kind: 'module'; path: string; movedTo: string | null }

/** A type that others implement or extend requires a member it did not require, or lost one they override. */
export type DutySubject = {
  kind: 'duty'
  duty: 'implement' | 'override'
  path: string
  symbol: CodeSymbol
  change: SymbolChange
}

export type Subject = SymbolSubject | ExportSubject | ModuleSubject | DutySubject

/** Symbols of one key are one thing: overloads, merged declarations. */
export function symbolKey(path: string, symbol: Pick<CodeSymbol, 'scope' | 'name'>): string {
  return `${path}\n${symbol.scope}\n${symbol.name}`
}

export function subjectKey(subject: Subject): string {
  if (subject.kind === 'module') return `module\n${subject.path}`
  if (subject.kind === 'export') return `export\n${subject.path}\n${subject.name}`
  return `${subject.kind}\n${symbolKey(subject.path, subject.symbol)}`
}
