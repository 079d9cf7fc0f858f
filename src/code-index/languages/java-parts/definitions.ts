/** Java's fields, record components, imports and package. */
import type { ImportFact } from '../../contract.ts'
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { modifierWords } from './conventions.ts'

export function field(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  if (level === 'function') return null
  const declarator = syntax.parent(name)
  const alone = syntax.children(declaration, 'declarator').length === 1
  const words = modifierWords(syntax, declaration)
  const fixed = words.includes('static') && words.includes('final')
  return defined({
    kind: fixed || syntax.is(declaration, 'constant_declaration') ? 'constant' : 'field',
    name: syntax.text(name),
    nameNode: name,
    node: alone ? declaration : declarator,
    body: syntax.child(declarator, 'value'),
    result: syntax.child(declaration, 'type'),
    level: 'class',
  })
}

/** The components of a record are its fields. */
export const recordComponent: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none || !syntax.is(syntax.parent(syntax.parent(node)), 'record_declaration')) return null
  const result = syntax.child(node, 'type')
  return defined({ kind: 'field', name: syntax.text(nameNode), nameNode, node, result, level: 'class' })
}

/** `import static a.B.c` names `c` of `a.B`; `import a.B` names `B` of the file that `a.B` stands for. */
export function importDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.childOf(node, 'scoped_identifier', 'identifier')
  const whole = compact(syntax.text(path))
  const cut = whole.lastIndexOf('.')
  const base = { line: syntax.startLine(node), reexport: false, typeOnly: false }
  if (syntax.childOf(node, 'asterisk') !== none)
    return [{ ...base, source: whole, imported: '*', local: null }]
  const name = whole.slice(cut + 1)
  const isStatic = /^import\s+static\b/.test(syntax.text(node).slice(0, 100))
  return [
    { ...base, source: isStatic ? whole.slice(0, Math.max(0, cut)) : whole, imported: name, local: name },
  ]
}

export function packageOf(syntax: Syntax, declaration: number): string {
  return compact(syntax.text(syntax.childOf(declaration, 'scoped_identifier', 'identifier')))
}

function compact(path: string): string {
  return path.replace(/\s+/g, '')
}
