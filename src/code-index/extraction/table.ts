/** What the extraction needs to know about a language. One value of this type per language, in `languages/`. */
import type { Parameter, SymbolKind, Visibility } from '../../domain/code-symbol.ts'
import type { ExportFact, ImportFact, ReferenceRole } from '../contract.ts'
import { none, type Syntax } from './syntax.ts'

/**
 * What a name is where it is. `climb`: the place of the node around it decides. `member`: the same, and it is a
 * property when nothing decides. `plain`: what its kind says. `ignore`: neither reference nor binding. `outer`: from
 * here on the name belongs to a scope further out. The others are a reference role, or bind:
 * `local` always to a local of the nearest scope; `variable` to a symbol at module and class level, else to a local.
 * `after`: seen only behind the declaration. `hoisted`: belongs to the whole function around it.
 */
export type Place = ReferenceRole | BindingPlace | 'climb' | 'member' | 'plain' | 'ignore' | 'outer'
export type BindingPlace = `${'local' | 'variable'}${'' | ' hoisted'}${'' | ` ${BoundFrom}`}`
/**
 * Where a local begins; without it, wherever its scope does: at its own name, behind what it is given (the node next to
 * the name), or behind the whole that declares it. Until then the name means what it means outside.
 */
export type BoundFrom = 'here' | 'given' | 'after'

/** Decides by more than the parent: `parent` is the node whose place was asked for, `name` the name itself. */
export type PlaceRule = (syntax: Syntax, name: number, parent: number) => Place

/**
 * `function` and `block` hold locals, `class` and `module` hold symbols; names of a class need a receiver.
 * A function inside a class body is a method, whatever the grammar calls it.
 */
export type ScopeKind = 'module' | 'class' | 'function' | 'block'

/** Decides by more than the kind of the node. */
export type ScopeRule = (syntax: Syntax, node: number) => ScopeKind

/** The nearest scope that is not a block. */
export type Level = Exclude<ScopeKind, 'block'>

/** A definition found in the tree. Node numbers; `none` where there is none. */
export type Definition = {
  kind: SymbolKind
  name: string
  nameNode: number
  node: number
  body: number
  /** The node that lists the parameters, when there is such a list. */
  parameters: number
  result: number
  /** Names its container when that is not simply the definition around it: Go receivers, `self.x` (→ the class). */
  owner: { name: string } | 'class' | null
  /** False when nothing inside belongs to it: fields assigned in a method, parts of a destructuring. */
  contains: boolean
  level: Level
  /** Named by a title in quotes, which binds nothing. */
  isTitled?: boolean
  /** First and last node, where the grammar does not see the definition as one: `TEST_CASE("x")` and its block. */
  span?: { first: number; last: number }
}

/** The usual fields of a definition, by the names most grammars give them. */
export type DefinitionRule = {
  kind: SymbolKind
  /** When a class is around it. */
  inClass?: SymbolKind
  name?: string
  body?: string
  parameters?: string
  result?: string
}

export type DefinitionReader = (syntax: Syntax, node: number, level: Level) => Definition | null

/** What a symbol's visibility and being a test may depend on besides the symbol itself. */
export type SymbolContext = {
  syntax: Syntax
  definition: Definition
  /** The definition around it, or null. */
  container: Definition | null
  /** Names this file offers by a list (`export {…}`, `__all__`); null when it has no such list. */
  listed: ReadonlySet<string> | null
  /** What `variantOf` said of the path. */
  variant: string
}

/** The fields of a declaration's names (`#0`: the first child), written type and first value. */
export type TypedRule = {
  name: string
  type?: string
  value?: string
  /** When each name is in a node of its own, with its value: the field of the name in it. */
  inner?: string
}

/** The names a node declares with their types and values, where fields do not tell them apart. */
export type TypedReader = (syntax: Syntax, node: number) => { name: number; type?: number; value?: number }[]

/** The arguments of a call where no field holds them: one node each; null when they cannot be counted. */
export type ArgumentReader = (syntax: Syntax, call: number) => readonly number[] | null

export type LanguageTable = {
  /** As in `FileFacts.language`. */
  id: string
  /** The stem of the grammar's file. */
  grammar: string
  comments: readonly string[]
  /** Kinds of nodes that are names, and the role of one whose place says nothing. */
  names: Readonly<Record<string, ReferenceRole>>
  /** By `parent.field`, `parent#0` (first child, no field), `parent#+` (a later one) or `parent.*` (any other). */
  places: Readonly<Record<string, Place | PlaceRule>>
  /** By node kind, or by `parent.field` where the kind alone is not enough. */
  scopes: Readonly<Record<string, ScopeKind | ScopeRule>>
  /** Kinds of `a.b`: the field of what comes before the dot, or `#0` for the first child. */
  receivers: Readonly<Record<string, string>>
  /**
   * The receiver, or its text, where it is not the name's sibling or the grammar sees only tokens (inside macros);
   * asked for names nothing else decides.
   */
  looseReceiver?: (syntax: Syntax, name: number) => string | number | null
  /** Kinds of calls: the field of their arguments. */
  calls: Readonly<Record<string, string | ArgumentReader>>
  /** Kinds among arguments: given by name (its field or `#0`) when they have one, or an unknown number of them. */
  keywordArguments?: Readonly<Record<string, string>>
  spreadArguments?: readonly string[]
  /** Kinds that may stand in place of an argument list: one argument, or an unknown number of them. */
  soleArguments?: readonly string[]
  unknownArguments?: readonly string[]
  /** Kinds that, as the only argument, may stand for several: Go passes all results of a call on. */
  expandingArguments?: readonly string[]
  /** Functions have a name space of their own: locals do not hide them. */
  callsIgnoreLocals?: boolean
  /** Kinds of decorators and annotations. */
  decorators?: readonly string[]
  definitions: Readonly<Record<string, DefinitionRule | DefinitionReader>>
  /**
   * A name bound by a `variable` place. Null leaves a local (in a function) or nothing at all; `imported` says that
   * an import fact speaks for it.
   */
  variable(syntax: Syntax, name: number, declaration: number, level: Level): Definition | 'imported' | null
  /** Kinds that only wrap a definition and belong to its range. */
  wrappers?: readonly string[]
  /** Kinds that come before a definition and belong to its range. */
  leading?: readonly string[]
  parameters(syntax: Syntax, list: number): Parameter[]
  /** Kinds that declare variables, parameters or fields. */
  typed: Readonly<Record<string, TypedRule | TypedReader>>
  /** Generic types whose members are those of what they hold: `Optional`, `Box`. */
  transparentTypes?: readonly string[]
  /** Kinds that list the names or values of one declaration side by side. */
  valueLists?: readonly string[]
  /** The type a value is plainly made of: `new T()`, `T{}`, `T::new()`; null when it is not plain. */
  constructed(syntax: Syntax, value: number): string | null
  imports: Readonly<Record<string, (syntax: Syntax, node: number, variant: string) => ImportFact[]>>
  exports: Readonly<Record<string, (syntax: Syntax, node: number) => ExportFact[]>>
  visibility(context: SymbolContext): Visibility
  isTest(context: SymbolContext): boolean
  /** First line of the documentation, or null. */
  doc(syntax: Syntax, definition: Definition, whole: number): string | null
  /** The packages or namespaces that the file declares, `''` for the global one. */
  packageNames?: (syntax: Syntax) => readonly string[]
  /** Kinds whose borders count in hashes although they have no text: indented blocks, statements. */
  borders?: readonly string[]
  /** Kinds that hashes pass over like comments, when the question is answered with yes. */
  silent?: Readonly<Record<string, (syntax: Syntax, node: number) => boolean>>
  /** When facts depend on more than the blob: a short word made of the path. Part of the cache's key. */
  variantOf?: (path: string) => string
}

// Makes definitions from the tree: a whole one from its parts, or one by the usual fields.

type Parts = Pick<Definition, 'kind' | 'name' | 'nameNode' | 'node' | 'level'> & Partial<Definition>

export function defined(parts: Parts): Definition {
  return { body: none, parameters: none, result: none, owner: null, contains: true, ...parts }
}

/** Reads `rule`'s fields off a node; null when it has no name. */
export function definedBy(
  rule: DefinitionRule,
  syntax: Syntax,
  node: number,
  level: Level,
): Definition | null {
  const nameNode = syntax.child(node, rule.name ?? 'name')
  if (nameNode === none) return null
  return defined({
    kind: level === 'class' ? (rule.inClass ?? rule.kind) : rule.kind,
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, rule.body ?? 'body'),
    parameters: syntax.child(node, rule.parameters ?? 'parameters'),
    result: syntax.child(node, rule.result ?? 'return_type'),
    level,
  })
}
