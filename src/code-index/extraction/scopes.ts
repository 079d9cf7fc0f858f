/** Which names are locals where. Bindings may come after their use, so questions are asked when all are known. */
import type { Level, ScopeKind } from './table.ts'

type Scope = {
  kind: ScopeKind
  parent: Scope | null
  /** Name → the offset from which it is seen. */
  names: Map<string, number> | null
  /** Names that this scope declares to be of another: `global x`. */
  outer: Set<string> | null
}

export class Scopes {
  current: Scope = { kind: 'module', parent: null, names: null, outer: null }

  enter(kind: ScopeKind): void {
    this.current = { kind, parent: this.current, names: null, outer: null }
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
    let scope: Scope | null = this.current
    while (scope && scope.kind !== 'class') scope = scope.parent
    return scope
  }

  private nearest(blocksToo: boolean): Scope {
    let scope = this.current
    while (scope.kind === 'block' && !blocksToo && scope.parent) scope = scope.parent
    return scope
  }
}

export type { Scope }

/** True when a local or parameter of this name is in scope here at this offset. */
export function isShadowed(scope: Scope, name: string, offset: number): boolean {
  for (let at: Scope | null = scope; at; at = at.parent) {
    if (at.kind !== 'function' && at.kind !== 'block') continue
    const from = at.names?.get(name)
    if (from !== undefined && from <= offset) return true
  }
  return false
}
