/** What C says about symbols by storage class and names. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import type { Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'
import { declarationOf } from './declarators.ts'

/** `static` at module level keeps a name in its file. */
export function visibility({ syntax, definition }: SymbolContext): Visibility {
  return definition.level === 'module' && isStatic(syntax, definition.node) ? 'private' : 'exported'
}

export function isStatic(syntax: Syntax, node: number): boolean {
  const declaration = syntax.is(node, 'declaration', 'function_definition')
    ? node
    : declarationOf(syntax, node)
  return syntax
    .children(declaration)
    .some((child) => syntax.is(child, 'storage_class_specifier') && syntax.text(child) === 'static')
}

/** Unity, Check, cmocka and their kin: by name. */
export function isTest({ definition: { kind, name } }: SymbolContext): boolean {
  return kind === 'function' && /^test_/.test(name)
}
