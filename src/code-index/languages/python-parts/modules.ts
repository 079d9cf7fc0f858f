/** Python's imports in all their forms, and `__all__`. */
import type { ExportFact, ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** `import a.b` is called `a.b` here, because that is what is written before the name. */
export function importStatement(syntax: Syntax, node: number): ImportFact[] {
  return syntax.children(node, 'name').map((part) => {
    const { name, alias } = aliased(syntax, part)
    return {
      line: syntax.startLine(part),
      source: name,
      imported: '*',
      local: alias ?? name,
      reexport: false,
      typeOnly: false,
    }
  })
}

/** Names imported by a package's `__init__` are there for others to import from it. */
export function importFrom(syntax: Syntax, node: number, variant: string): ImportFact[] {
  const source = compact(syntax.text(syntax.child(node, 'module_name')))
  const base = { source, reexport: variant === 'init', typeOnly: false }
  if (syntax.childOf(node, 'wildcard_import') !== none)
    return [{ ...base, line: syntax.startLine(node), imported: '*', local: null }]
  return syntax.children(node, 'name').map((part) => {
    const { name, alias } = aliased(syntax, part)
    return { ...base, line: syntax.startLine(part), imported: name, local: alias ?? name }
  })
}

function aliased(syntax: Syntax, part: number): { name: string; alias: string | null } {
  if (!syntax.is(part, 'aliased_import')) return { name: compact(syntax.text(part)), alias: null }
  return {
    name: compact(syntax.text(syntax.child(part, 'name'))),
    alias: syntax.text(syntax.child(part, 'alias')),
  }
}

function compact(text: string): string {
  return text.replace(/[\s\\]+/g, '')
}

/** `__all__ = ['a', 'b']`, `__all__ += […]`. */
export function allNames(syntax: Syntax, node: number): ExportFact[] {
  if (syntax.text(syntax.child(node, 'left')) !== '__all__') return []
  const list = syntax.child(node, 'right')
  if (!syntax.is(list, 'list', 'tuple', 'expression_list')) return []
  return syntax
    .children(list)
    .filter((item) => syntax.is(item, 'string'))
    .map((item) => {
      const name = syntax.text(syntax.childOf(item, 'string_content'))
      return { exported: name, local: name, line: syntax.startLine(item) }
    })
}
