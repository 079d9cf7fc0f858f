/** PHP's namespaces and what is taken from them. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/**
 * `use A\B`, `use A\B as C`, `use A\{B, C as D}`: each names `B` of the file that `A\B` stands for;
 * `use function A\b` names `b` of the namespace `A`.
 */
export function useDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const group = syntax.child(node, 'body')
  const prefix = group === none ? '' : compact(syntax.text(syntax.childOf(node, 'namespace_name')))
  const isClass = !/^use\s+(?:function|const)\b/i.test(syntax.text(node).slice(0, 100))
  const clauses = syntax.children(group === none ? node : group)
  return clauses
    .filter((clause) => syntax.is(clause, 'namespace_use_clause'))
    .map((clause) => {
      const [path = none] = syntax.children(clause)
      const alias = syntax.child(clause, 'alias')
      const whole = [prefix, compact(syntax.text(path))].filter((part) => part !== '').join('\\')
      const cut = whole.lastIndexOf('\\')
      const name = whole.slice(cut + 1)
      return {
        line: syntax.startLine(clause),
        source: isClass ? whole : whole.slice(0, Math.max(0, cut)),
        imported: name,
        local: alias === none ? name : syntax.text(alias),
        reexport: false,
        typeOnly: false,
      }
    })
}

export function namespaceOf(syntax: Syntax): string | null {
  const node = syntax.childOf(0, 'namespace_definition')
  return compact(syntax.text(syntax.child(node, 'name'))) || null
}

function compact(path: string): string {
  return path.replace(/\s+/g, '').replace(/^\\|\\$/g, '')
}
