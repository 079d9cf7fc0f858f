/** Declarators of C and C++: names wrapped in what makes them pointers, arrays and functions. */
import { none, type Syntax } from '../../extraction/syntax.ts'

const wrapping = [
  'pointer_declarator',
  'array_declarator',
  'parenthesized_declarator',
  'attributed_declarator',
  'reference_declarator',
  'init_declarator',
  'variadic_declarator',
  'function_declarator',
]
const longestChain = 32

/** The name at the heart of a declarator, or none for an abstract one. */
export function nameOf(syntax: Syntax, declarator: number): number {
  let at = declarator
  for (let step = 0; step < longestChain && syntax.is(at, ...wrapping); step++) {
    const inner = syntax.child(at, 'declarator')
    at = inner === none ? (syntax.children(at).at(-1) ?? none) : inner
  }
  return syntax.is(at, ...wrapping) ? none : at
}

/** The declaration that a declarator belongs to: the first node around it that is no declarator. */
export function declarationOf(syntax: Syntax, declarator: number): number {
  let at = syntax.parent(declarator)
  for (let step = 0; step < longestChain && syntax.is(at, ...wrapping); step++) at = syntax.parent(at)
  return at
}

/** `int (*compare)(…)` declares a variable: a pointer stands between the name and the parameters. */
export function isPointer(syntax: Syntax, functionDeclarator: number): boolean {
  return syntax.is(syntax.child(functionDeclarator, 'declarator'), 'parenthesized_declarator')
}
