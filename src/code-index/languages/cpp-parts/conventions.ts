/** What C++ says about symbols by sections, storage class and names. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'
import { isStatic } from '../c-parts/conventions.ts'

const sections: Readonly<Record<string, Visibility>> = {
  public: 'exported',
  protected: 'internal',
  private: 'private',
}

/** In a class the section decides; elsewhere `static` and nameless namespaces keep a name in its file. */
export function visibility({ syntax, definition: { node, kind } }: SymbolContext): Visibility {
  const around = syntax.ancestor(node, 'field_declaration_list', 'namespace_definition')
  if (syntax.is(around, 'field_declaration_list')) return sectionOf(syntax, node, around)
  if (around !== none && syntax.child(around, 'name') === none) return 'private'
  const hidden = (kind === 'function' || kind === 'variable' || kind === 'constant') && isStatic(syntax, node)
  return hidden ? 'private' : 'exported'
}

/** The last `public:`, `protected:` or `private:` before it; else what the word `class` or `struct` says. */
function sectionOf(syntax: Syntax, node: number, list: number): Visibility {
  let said: Visibility = syntax.is(syntax.parent(list), 'class_specifier') ? 'private' : 'exported'
  for (let child = list + 1; child < node; child = syntax.after(child))
    if (syntax.is(child, 'access_specifier')) said = sections[syntax.text(child)] ?? said
  return said
}

/** gtest, Catch2, doctest and Boost by their macros; plain functions by name. */
export function isTest({ syntax, definition: { kind, name, nameNode, node } }: SymbolContext): boolean {
  if (kind !== 'function') return false
  return (
    syntax.is(node, 'expression_statement') ||
    /^(?:TEST|TYPED_TEST)(?:_[FP])?$/.test(syntax.text(nameNode)) ||
    /^test_/.test(name)
  )
}
