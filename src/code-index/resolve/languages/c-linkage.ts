/** In C a thing is declared in one file and defined in another: both are one. */
import { fileNameOf } from '../../../base/file-paths.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { Definition } from '../contract.ts'
import { symbolOf } from '../symbols.ts'

const languages: ReadonlySet<string> = new Set(['c', 'cpp'])

/**
 * `one`: same name, scope and sort, seen outside their files, and the one file includes the other or lies beside it by
 * the same name; two programs of one tree may each have a function of that name. `apart`: members of two classes of one
 * name, or two such classes, which specialise one template. Null when neither is known.
 */
export function linkageOf(a: Definition, b: Definition): 'one' | 'apart' | null {
  if (!languages.has(a.facts.language) || !languages.has(b.facts.language)) return null
  const [left, right] = [symbolOf(a), symbolOf(b)]
  if (left.name !== right.name || !isOneScope(left.scope, right.scope)) return null
  if (areOfTwoClasses(a, b)) return 'apart'
  if (sortOf(left) === null || sortOf(left) !== sortOf(right)) return null
  // What a class keeps to itself is still written in another file than it is declared in.
  const isMember = classAround(a) !== null || classAround(b) !== null
  const isOfItsFile = !isMember && (left.visibility === 'private' || right.visibility === 'private')
  // The preprocessor makes one file of those that include one another.
  if (a.path !== b.path && isOfItsFile) return includes(a, b) || includes(b, a) ? 'one' : null
  const isBeside = withoutEnding(a.path) === withoutEnding(b.path)
  return isBeside || includes(a, b) || includes(b, a) ? 'one' : null
}

function areOfTwoClasses(a: Definition, b: Definition): boolean {
  const [left, right] = [classAround(a), classAround(b)]
  if (left !== null && right !== null) return a.path !== b.path || left !== right
  const isBody = ({ facts, index }: Definition) =>
    sortOf(symbolOf({ path: '', facts, index })) === 'type' && facts.parents.includes(index)
  return isBody(a) && isBody(b) && (a.path !== b.path || a.index !== b.index)
}

/** The class in whose body it is; null for what is outside of one. */
function classAround({ facts, index }: Definition): number | null {
  const parent = facts.parents[index] ?? null
  const around = parent === null ? undefined : facts.symbols[parent]
  const own = facts.symbols[index]
  if (parent === null || !around || !own || sortOf(around) !== 'type') return null
  // A method written outside of its class belongs to it, but is not in it.
  return own.startLine >= around.startLine && own.endLine <= around.endLine ? parent : null
}

/** `int ns::Shape::size()` outside of its namespace is in `Shape`, as far as its file tells. */
export function isOneScope(a: string, b: string): boolean {
  return a === b || (a !== '' && b !== '' && (a.endsWith(`.${b}`) || b.endsWith(`.${a}`)))
}

function sortOf({ kind }: CodeSymbol): 'function' | 'variable' | 'type' | null {
  if (kind === 'function' || kind === 'method') return 'function'
  if (kind === 'variable' || kind === 'constant') return 'variable'
  return kind === 'struct' || kind === 'class' || kind === 'type' || kind === 'enum' ? 'type' : null
}

function includes({ facts }: Definition, { path }: Definition): boolean {
  const name = fileNameOf(path)
  return facts.imports.some(({ source }) => fileNameOf(source) === name)
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]*$/, '')
}
