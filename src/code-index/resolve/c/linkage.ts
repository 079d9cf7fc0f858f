/** In C a thing is declared in one file and defined in another: both are one. */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { Definition } from '../contract.ts'
import { symbolOf } from '../symbols.ts'

const languages: ReadonlySet<string> = new Set(['c', 'cpp'])

/**
 * Same name, scope and sort, seen outside their files, and the one file includes the other or lies beside it by the same name. Two
 * programs of one tree may each have a function of that name.
 */
export function isOneByLinkage(a: Definition, b: Definition): boolean {
  if (!languages.has(a.facts.language) || !languages.has(b.facts.language)) return false
  const [left, right] = [symbolOf(a), symbolOf(b)]
  if (left.name !== right.name || !isOneScope(left.scope, right.scope) || sortOf(left) !== sortOf(right))
    return false
  if (sortOf(left) === null || left.visibility === 'private' || right.visibility === 'private') return false
  return withoutEnding(a.path) === withoutEnding(b.path) || includes(a, b) || includes(b, a)
}

/** `int ns::Shape::size()` outside of its namespace is in `Shape`, as far as its file tells. */
function isOneScope(a: string, b: string): boolean {
  return a === b || (a !== '' && b !== '' && (a.endsWith(`.${b}`) || b.endsWith(`.${a}`)))
}

function sortOf({ kind }: CodeSymbol): 'function' | 'variable' | 'type' | null {
  if (kind === 'function' || kind === 'method') return 'function'
  if (kind === 'variable' || kind === 'constant') return 'variable'
  return kind === 'struct' || kind === 'class' || kind === 'type' || kind === 'enum' ? 'type' : null
}

function includes({ facts }: Definition, { path }: Definition): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return facts.imports.some(({ source }) => source.slice(source.lastIndexOf('/') + 1) === name)
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]*$/, '')
}
