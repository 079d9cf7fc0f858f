/** Rust's use trees, flattened: one fact per name, with the path before it as its source. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

const deepestTree = 20

export function useDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const reexport = syntax.childOf(node, 'visibility_modifier') !== none
  return treeFacts(syntax, syntax.child(node, 'argument'), '', reexport, 0)
}

function treeFacts(
  syntax: Syntax,
  tree: number,
  prefix: string,
  reexport: boolean,
  depth: number,
): ImportFact[] {
  if (tree === none || depth > deepestTree) return []
  const base = { line: syntax.startLine(tree), reexport, typeOnly: false }
  if (syntax.is(tree, 'scoped_use_list', 'use_list')) {
    const path = join(prefix, pathText(syntax, syntax.child(tree, 'path')))
    const list = syntax.is(tree, 'use_list') ? tree : syntax.child(tree, 'list')
    return syntax.children(list).flatMap((inner) => treeFacts(syntax, inner, path, reexport, depth + 1))
  }
  if (syntax.is(tree, 'use_wildcard')) {
    const path = join(prefix, pathText(syntax, syntax.children(tree)[0] ?? none))
    return [{ ...base, source: path, imported: '*', local: null }]
  }
  const renamed = syntax.is(tree, 'use_as_clause')
  const written = pathText(syntax, renamed ? syntax.child(tree, 'path') : tree)
  const alias = renamed ? syntax.child(tree, 'alias') : none
  const whole = join(prefix, written === 'self' && prefix !== '' ? '' : written)
  const cut = whole.lastIndexOf('::')
  const name = whole.slice(cut < 0 ? 0 : cut + 2)
  // `use Trait as _` brings the trait in scope without a name.
  const local = renamed ? (alias === none || syntax.text(alias) === '_' ? null : syntax.text(alias)) : name
  if (cut < 0 || written === 'self') return [{ ...base, source: whole, imported: '*', local }]
  return [{ ...base, source: whole.slice(0, cut), imported: name, local }]
}

export function externCrate(syntax: Syntax, node: number): ImportFact[] {
  const source = syntax.text(syntax.child(node, 'name'))
  const alias = syntax.child(node, 'alias')
  const local = alias === none ? source : syntax.text(alias)
  const reexport = syntax.childOf(node, 'visibility_modifier') !== none
  return [{ line: syntax.startLine(node), source, imported: '*', local, reexport, typeOnly: false }]
}

/** `mod x;` brings another file in, as `self::x`. */
export function moduleFile(syntax: Syntax, node: number): ImportFact[] {
  if (syntax.child(node, 'body') !== none) return []
  const local = syntax.text(syntax.child(node, 'name'))
  const reexport = syntax.childOf(node, 'visibility_modifier') !== none
  return [
    {
      line: syntax.startLine(node),
      source: `self::${local}`,
      imported: '*',
      local,
      reexport,
      typeOnly: false,
    },
  ]
}

function pathText(syntax: Syntax, node: number): string {
  return syntax.text(node).replace(/\s+/g, '')
}

function join(prefix: string, path: string): string {
  return prefix === '' || path === '' ? prefix + path : `${prefix}::${path}`
}
