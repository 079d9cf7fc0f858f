/** What a change broke (the subject), how a use of it fails, and the rule that reports it. */
import type { UseSite, World } from '../../../code-index/resolve/contract.ts'
import type { CodeSymbol, SymbolChange } from '../../../domain/code-symbol.ts'

export type Fate = 'removed' | 'renamed' | 'moved' | 'changed'

export type SymbolSubject = {
  kind: 'symbol'
  fate: Fate
  language: string
  /** At the base. */
  path: string
  symbol: CodeSymbol
  /** What it became; null when it was removed. */
  after: { path: string; symbol: CodeSymbol } | null
}

/** A file no longer re-exports a name; `name` is `* SOURCE` for a whole `export * from`. */
export type ExportSubject = { kind: 'export'; path: string; name: string; line: number }

/** A file that was removed, or renamed as far as git sees: then `movedTo` is set. */
export type ModuleSubject = { kind: 'module'; path: string; movedTo: string | null }

/** A file no longer imports a name; `line` is that of the import at the base. */
export type ImportSubject = { kind: 'import'; path: string; name: string; line: number }

/** A type requires a new member of its implementers, or lost a member that others override. */
export type DutySubject = {
  kind: 'duty'
  duty: 'implement' | 'override' | 'parameters'
  path: string
  symbol: CodeSymbol
  change: SymbolChange
}

export type Subject = SymbolSubject | ExportSubject | ImportSubject | ModuleSubject | DutySubject

/** Overloads and merged declarations share a key. */
export function symbolKey(path: string, symbol: Pick<CodeSymbol, 'scope' | 'name'>): string {
  return `${path}\n${symbol.scope}\n${symbol.name}`
}

export function subjectKey(subject: Subject): string {
  if (subject.kind === 'module') return `module\n${subject.path}`
  if (subject.kind === 'export' || subject.kind === 'import')
    return `${subject.kind}\n${subject.path}\n${subject.name}`
  return `${subject.kind}\n${symbolKey(subject.path, subject.symbol)}`
}

/** Languages in which a written type is a hint: what is there may be of a subtype, and no compiler checks it. */
export const untypedLanguages: ReadonlySet<string> = new Set(['python', 'javascript', 'ruby', 'php'])

export function isConstructor(name: string): boolean {
  return name === 'constructor' || name === '__init__'
}

/**
 * `arity`: too many or too few arguments; `keyword`: an unknown argument name; `required`: a required argument is missing
 * in a call with named arguments; `order`: arguments reach other parameters than before; `type`: a literal is of the old type.
 */
export type Failure =
  | 'module'
  | 'export'
  | 'member'
  | 'name'
  | 'arity'
  | 'keyword'
  | 'required'
  | 'order'
  | 'type'
  | 'hidden'
  | 'implement'
  | 'override'
  | 'parameters'

/** A call that does not fit the parameters. */
export function isMisfit(failure: Failure): failure is 'arity' | 'keyword' | 'required' {
  return failure === 'arity' || failure === 'keyword' || failure === 'required'
}

/** A use that no longer fits, and how it fails: `passes 1 argument, it takes 2`. */
export type Breakage = { subject: Subject; failure: Failure; words: string; certain: boolean }

/** A breakage and its location at the head: from the name to the end of the call. */
export type BrokenUse = Breakage & { path: string; line: number; endLine: number; name: string }

/** Both trees, and one file of the head as seen from each: what did a use in it mean before the rest changed? */
export type Sides = {
  base: World
  head: World
  basePlace: UseSite
  headPlace: UseSite
  /** True when the change writes one of these lines of the file. */
  isWritten(line: number, endLine: number): boolean
  /** Files of the head that hold the word. */
  mentioning(word: string): Promise<readonly string[]>
}

/** The stable id of the check that reports a breakage. */
export function ruleFor(subject: Subject, failure: Failure): string {
  if (failure === 'arity') return 'contract/signature-arity'
  if (failure === 'keyword') return 'contract/removed-parameter'
  if (failure === 'required') return 'contract/required-parameter'
  if (failure === 'order') return 'contract/argument-order'
  if (failure === 'type') return 'contract/argument-type'
  if (failure === 'hidden') return 'contract/visibility-reduced'
  if (failure === 'implement') return 'contract/implementer-not-updated'
  if (failure === 'parameters') return 'contract/override-parameters'
  if (failure === 'override') return 'contract/override-not-updated'
  if (failure === 'module') return 'contract/missing-module'
  if (subject.kind === 'import') return 'contract/removed-import'
  if (subject.kind !== 'symbol' || subject.fate === 'changed') return 'contract/import-not-exported'
  return `contract/${subject.fate}-symbol`
}
