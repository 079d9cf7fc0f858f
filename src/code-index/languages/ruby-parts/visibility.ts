/** What Ruby says about who may call: words that stand before methods, around them or name them. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'

const words: Readonly<Record<string, Visibility>> = {
  private: 'private',
  protected: 'internal',
  public: 'exported',
  private_class_method: 'private',
  private_constant: 'private',
}

export function visibility({ syntax, definition: { kind, name, node } }: SymbolContext): Visibility {
  if (kind === 'class' || kind === 'module') return 'exported'
  if (name.startsWith('@')) return 'private'
  const list = syntax.parent(node)
  const around = words[syntax.text(syntax.child(syntax.parent(list), 'method'))]
  if (syntax.is(list, 'argument_list') && around !== undefined) return around
  // The symbols of `attr_reader :a` stand in a call, and that in the body.
  const statement = syntax.is(node, 'simple_symbol') ? syntax.parent(list) : node
  return saidOf(syntax, statement, name)
}

/** A bare `private` counts for all methods behind it, `private :name` for that one; neither for `def self.x`. */
function saidOf(syntax: Syntax, statement: number, name: string): Visibility {
  const isMethod = !syntax.is(statement, 'singleton_method', 'assignment')
  let said: Visibility = 'exported'
  for (const sibling of syntax.children(syntax.parent(statement))) {
    if (sibling < statement && isMethod && syntax.is(sibling, 'identifier'))
      said = words[syntax.text(sibling)] ?? said
    if (sibling <= statement || !syntax.is(sibling, 'call')) continue
    const word = words[syntax.text(syntax.child(sibling, 'method'))]
    if (word !== undefined && namesOf(syntax, sibling).includes(name)) return word
  }
  return said
}

function namesOf(syntax: Syntax, call: number): string[] {
  if (syntax.child(call, 'receiver') !== none) return []
  return syntax
    .children(syntax.child(call, 'arguments'))
    .filter((argument) => syntax.is(argument, 'simple_symbol'))
    .map((argument) => syntax.text(argument).slice(1))
}
