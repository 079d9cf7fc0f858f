/** What a module offers: export statements, and CommonJS assignments at the top of the file. */
import type { ExportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { unquote } from './imports.ts'

export function exportStatement(syntax: Syntax, node: number): ExportFact[] {
  if (!syntax.is(syntax.parent(node), 'program') || syntax.child(node, 'source') !== none) return []
  const line = syntax.startLine(node)
  const declaration = syntax.child(node, 'declaration')
  const value = syntax.child(node, 'value')
  const offered = declaration === none ? value : declaration
  if (offered !== none && isDefault(syntax, node, offered)) {
    const name = syntax.is(offered, 'identifier') ? offered : syntax.child(offered, 'name')
    return [
      {
        exported: 'default',
        local: value === name || value === none ? syntax.text(name) || 'default' : 'default',
        line,
      },
    ]
  }
  if (declaration !== none)
    return declaredNames(syntax, declaration).map((name) => ({
      exported: syntax.text(name),
      local: syntax.text(name),
      line: syntax.startLine(name),
    }))
  const clause = syntax.childOf(node, 'export_clause')
  if (clause !== none)
    return syntax.children(clause).map((specifier) => {
      const name = syntax.child(specifier, 'name')
      const alias = syntax.child(specifier, 'alias')
      return {
        exported: unquote(syntax.text(alias === none ? name : alias)),
        local: syntax.text(name),
        line: syntax.startLine(specifier),
      }
    })
  // `export = name`
  const whole = syntax.childOf(node, 'identifier')
  return whole === none ? [] : [{ exported: 'default', local: syntax.text(whole), line }]
}

function isDefault(syntax: Syntax, statement: number, offered: number): boolean {
  const before = syntax.source.slice(
    Math.max(syntax.start(statement), syntax.start(offered) - 200),
    syntax.start(offered),
  )
  return /\bexport\s+default\s*(?:abstract\s+)?$/.test(before)
}

/** Name nodes of a declaration: one, or all that its patterns bind. */
function declaredNames(syntax: Syntax, declaration: number): number[] {
  if (syntax.is(declaration, 'ambient_declaration'))
    return syntax.children(declaration).flatMap((inner) => declaredNames(syntax, inner))
  const name = syntax.child(declaration, 'name')
  if (name !== none) return [name]
  return syntax
    .children(declaration)
    .filter((child) => syntax.is(child, 'variable_declarator'))
    .flatMap((declarator) => boundNames(syntax, syntax.child(declarator, 'name')))
}

function boundNames(syntax: Syntax, pattern: number): number[] {
  if (syntax.is(pattern, 'identifier', 'shorthand_property_identifier_pattern')) return [pattern]
  if (syntax.is(pattern, 'pair_pattern')) return boundNames(syntax, syntax.child(pattern, 'value'))
  if (syntax.is(pattern, 'assignment_pattern', 'object_assignment_pattern'))
    return boundNames(syntax, syntax.child(pattern, 'left'))
  if (syntax.is(pattern, 'object_pattern', 'array_pattern', 'rest_pattern'))
    return syntax.children(pattern).flatMap((part) => boundNames(syntax, part))
  return []
}

/** `module.exports = …`, `module.exports.x = …`, `exports.x = …`. */
export function commonJsExport(syntax: Syntax, node: number): ExportFact[] {
  const statement = syntax.parent(node)
  if (!syntax.is(syntax.parent(statement), 'program')) return []
  const left = syntax.text(syntax.child(node, 'left'))
  const right = syntax.child(node, 'right')
  const line = syntax.startLine(node)
  const named = /^(?:module\.)?exports\.([\w$]{1,200})$/.exec(left)
  if (named?.[1] !== undefined)
    return [
      { exported: named[1], local: syntax.is(right, 'identifier') ? syntax.text(right) : named[1], line },
    ]
  if (left !== 'module.exports') return []
  if (syntax.is(right, 'identifier')) return [{ exported: 'default', local: syntax.text(right), line }]
  return syntax.is(right, 'object') ? syntax.children(right).flatMap((part) => member(syntax, part)) : []
}

function member(syntax: Syntax, part: number): ExportFact[] {
  const line = syntax.startLine(part)
  if (syntax.is(part, 'shorthand_property_identifier'))
    return [{ exported: syntax.text(part), local: syntax.text(part), line }]
  const key = syntax.child(part, syntax.is(part, 'pair') ? 'key' : 'name')
  if (!syntax.is(key, 'property_identifier', 'string')) return []
  const exported = unquote(syntax.text(key))
  const value = syntax.child(part, 'value')
  return [{ exported, local: syntax.is(value, 'identifier') ? syntax.text(value) : exported, line }]
}
