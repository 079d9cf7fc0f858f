/** The one pass over the tree: finds definitions, names with their places, bindings, imports and exports. */
import type { ExportFact, ImportFact, ReferenceRole } from '../contract.ts'
import type { CompiledTable } from './compile.ts'
import type { Syntax } from './syntax.ts'
import {
  type BindingPlace,
  type Definition,
  definedBy,
  type LanguageTable,
  type Level,
  type Place,
  type ScopeKind,
} from './table.ts'

/** Names longer than this are not names a person reads. */
const longestName = 200
/** How far up a name may ask what it is. */
const highestClimb = 32

/** A name that refers to something: `stop` is the node whose place decided its role. */
export type NameUse = { node: number; role: ReferenceRole; stop: number; scope: Scope }

export type Findings = {
  definitions: Definition[]
  uses: NameUse[]
  imports: ImportFact[]
  exports: ExportFact[]
  /** Nodes of kinds in `table.typed`. */
  typedNodes: number[]
}

export function walk(
  syntax: Syntax,
  table: LanguageTable,
  compiled: CompiledTable,
  variant: string,
): Findings {
  return new Walk(syntax, table, compiled, variant).run()
}

class Walk {
  private readonly scopes = new Scopes()
  /** Nodes behind which the open scopes end, innermost last. */
  private readonly scopeEnds: number[] = []
  /** Name nodes of definitions: they are no references. */
  private readonly taken = new Set<number>()
  /** Variables that are symbols already; a second assignment only writes. */
  private readonly variables = new Map<Scope, Set<string>>()
  private readonly findings: Findings = {
    definitions: [],
    uses: [],
    imports: [],
    exports: [],
    typedNodes: [],
  }
  private readonly syntax: Syntax
  private readonly table: LanguageTable
  private readonly compiled: CompiledTable
  private readonly variant: string

  constructor(syntax: Syntax, table: LanguageTable, compiled: CompiledTable, variant: string) {
    this.syntax = syntax
    this.table = table
    this.compiled = compiled
    this.variant = variant
  }

  run(): Findings {
    const { kinds, fields, parents, size } = this.syntax.tree
    for (let node = 0; node < size; node++) {
      while (this.scopeEnds.length > 0 && node >= (this.scopeEnds.at(-1) ?? 0)) {
        this.scopeEnds.pop()
        this.scopes.leave()
      }
      const kind = kinds[node] ?? 0
      if (this.compiled.noted[kind]) this.note(node)
      const role = this.compiled.roles[kind]
      if (role && !this.taken.has(node)) this.readName(node, role)
      const scope = this.compiled.scopeOf(kind, kinds[parents[node] ?? 0] ?? 0, fields[node] ?? 0)
      if (scope) {
        this.scopes.enter(typeof scope === 'function' ? scope(this.syntax, node) : scope)
        this.scopeEnds.push(this.syntax.after(node))
      }
    }
    return this.findings
  }

  private note(node: number): void {
    const kind = this.syntax.kind(node)
    const { definitions, imports, exports, typed } = this.table
    const rule = definitions[kind]
    if (rule) {
      const { level } = this.scopes
      const found =
        typeof rule === 'function'
          ? rule(this.syntax, node, level)
          : definedBy(rule, this.syntax, node, level)
      if (found) this.define(found)
    }
    if (imports[kind]) this.findings.imports.push(...imports[kind](this.syntax, node, this.variant))
    if (exports[kind]) this.findings.exports.push(...exports[kind](this.syntax, node))
    if (typed[kind]) this.findings.typedNodes.push(node)
  }

  private define(definition: Definition): void {
    if (definition.name === '' || definition.name.length > longestName) return
    if (definition.owner === 'class') {
      const scope = this.scopes.classScope
      if (!scope || !this.isNew(scope, definition.name)) return
      // A parameter that declares a field stays a parameter.
      if (!(this.syntax.kind(this.syntax.parent(definition.nameNode)) in this.table.receivers)) {
        this.findings.definitions.push(definition)
        return
      }
    } else if (definition.level === 'function' && definition.owner === null && !definition.isTitled)
      this.bindDefinition(this.scopes.target(false), definition.name, 0, definition.nameNode)
    // `impl Foo` names a type that is defined elsewhere: the name stays a reference.
    if (definition.kind !== 'impl') this.taken.add(definition.nameNode)
    this.findings.definitions.push(definition)
  }

  private readName(node: number, fallback: ReferenceRole): void {
    const length = this.syntax.end(node) - this.syntax.start(node)
    // A name of no length is one that the parser made up.
    if (length === 0 || length > longestName) return
    const { place, stop } = this.placeOf(node, fallback)
    if (place === 'ignore') return
    if (place === 'outer') this.scopes.declareOuter(this.syntax.text(node))
    else if (isBinding(place)) this.bind(node, place, stop)
    else this.findings.uses.push({ node, role: place, stop, scope: this.scopes.current })
  }

  /** Climbs from the name until a place decides. */
  private placeOf(
    name: number,
    fallback: ReferenceRole,
  ): { place: ReferenceRole | BindingPlace | 'ignore' | 'outer'; stop: number } {
    const { kinds, fields, parents } = this.syntax.tree
    let role = fallback
    let current = name
    for (let level = 0; level < highestClimb; level++) {
      const parent = parents[current] ?? -1
      if (parent < 0) break
      const rule = this.compiled.placeOf(kinds[parent] ?? 0, fields[current] ?? 0, current === parent + 1)
      if (rule === undefined) break
      const place: Place = typeof rule === 'function' ? rule(this.syntax, name, parent) : rule
      if (place === 'plain') break
      if (place === 'member') role = 'property'
      else if (place !== 'climb') return { place, stop: parent }
      current = parent
    }
    return { place: role, stop: current }
  }

  private bind(node: number, place: BindingPlace, stop: number): void {
    const name = this.syntax.text(node)
    const hoisted = place.includes('hoisted')
    const scope = this.scopes.target(hoisted)
    const level = scope.kind === 'block' ? 'function' : scope.kind
    if (place.startsWith('variable')) {
      const definition = this.table.variable(this.syntax, node, stop, level)
      if (definition === 'imported') return
      if (definition && level === 'function') this.findings.definitions.push(definition)
      else if (definition && this.isNew(scope, name)) this.findings.definitions.push(definition)
      else if (definition) this.findings.uses.push({ node, role: 'write', stop, scope: this.scopes.current })
    }
    if (level !== 'function') return
    const from = this.boundFrom(node, place, stop)
    const definition = this.findings.definitions.at(-1)
    if (definition?.nameNode === node) this.bindDefinition(scope, name, from, node)
    else if (!this.scopes.bind(scope, name, from))
      this.findings.uses.push({ node, role: 'write', stop, scope: this.scopes.current })
  }

  private boundFrom(node: number, place: BindingPlace, stop: number): number {
    if (place.endsWith('after')) return this.syntax.end(stop)
    if (place.endsWith('given')) return this.syntax.end(this.syntax.after(node))
    return place.endsWith('here') ? this.syntax.start(node) : 0
  }

  private bindDefinition(scope: Scope, name: string, from: number, nameNode: number): void {
    if (!this.scopes.bind(scope, name, from)) return
    scope.definitions ??= new Map()
    scope.definitions.set(name, this.syntax.start(nameNode))
  }

  private isNew(scope: Scope, name: string): boolean {
    const known = this.variables.get(scope)
    if (known?.has(name)) return false
    if (known) known.add(name)
    else this.variables.set(scope, new Set([name]))
    return true
  }
}

function isBinding(place: Place): place is BindingPlace {
  return place.startsWith('local') || place.startsWith('variable')
}

// Which names are locals where. Bindings may come after their use, so questions are asked when all are known.

type Scope = {
  kind: ScopeKind
  parent: Scope | null
  /** Name → the offset from which it is seen. */
  names: Map<string, number> | null
  /** Of those that are defined here as a function or a type: the offset of the name in its definition. */
  definitions: Map<string, number> | null
  /** Names that this scope declares to be of another: `global x`. */
  outer: Set<string> | null
  /** The nearest scope from here on outwards that is no block, and the nearest class. */
  home: Scope | null
  type: Scope | null
  /** The next function or block outwards that has names; undefined while nobody asked. */
  above: Scope | null | undefined
}

function scopeIn(parent: Scope | null, kind: ScopeKind): Scope {
  const scope: Scope = {
    kind,
    parent,
    names: null,
    definitions: null,
    outer: null,
    home: null,
    type: null,
    above: undefined,
  }
  // Code may be nested as deep as it likes, and each definition in it asks.
  scope.home = kind === 'block' ? (parent?.home ?? null) : scope
  scope.type = kind === 'class' ? scope : (parent?.type ?? null)
  return scope
}

class Scopes {
  current: Scope = scopeIn(null, 'module')

  enter(kind: ScopeKind): void {
    this.current = scopeIn(this.current, kind)
  }

  leave(): void {
    if (this.current.parent) this.current = this.current.parent
  }

  /** Where a definition standing here belongs. */
  get level(): Level {
    const { kind } = this.nearest(false)
    return kind === 'block' ? 'module' : kind
  }

  /** The scope that a binding made here belongs to; a hoisted one passes through blocks. */
  target(hoisted: boolean): Scope {
    return this.nearest(!hoisted)
  }

  /** False when the scope has declared that the name is not its own. */
  bind(scope: Scope, name: string, from: number): boolean {
    if (scope.outer?.has(name)) return false
    scope.names ??= new Map()
    const known = scope.names.get(name)
    if (known === undefined || known > from) scope.names.set(name, from)
    return true
  }

  declareOuter(name: string): void {
    const scope = this.nearest(false)
    scope.outer ??= new Set()
    scope.outer.add(name)
  }

  /** The nearest class around here, or null. */
  get classScope(): Scope | null {
    return this.current.type
  }

  private nearest(blocksToo: boolean): Scope {
    return blocksToo ? this.current : (this.current.home ?? this.current)
  }
}

export type { Scope }

/** The scope whose local or parameter of this name is meant at this offset; null when none is in scope. */
export function bindingScope(scope: Scope, name: string, offset: number): Scope | null {
  for (let at: Scope | null = hasLocals(scope) ? scope : aboveOf(scope); at; at = aboveOf(at)) {
    const from = at.names?.get(name)
    if (from !== undefined && from <= offset) return at
  }
  return null
}

function hasLocals({ kind, names }: Scope): boolean {
  return names !== null && (kind === 'function' || kind === 'block')
}

/** Only asked when all names are known. */
function aboveOf(scope: Scope): Scope | null {
  if (scope.above !== undefined) return scope.above
  let at = scope.parent
  while (at && !hasLocals(at)) at = at.above === undefined ? at.parent : at.above
  scope.above = at
  return at
}
