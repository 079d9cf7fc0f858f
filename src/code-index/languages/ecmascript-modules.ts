/** Every way a module names another: import, export from, require and import(). */
import type { ExportFact, ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import { isFunction } from './ecmascript-definitions.ts'
import { callOfWrapper } from './ecmascript-wrappers.ts'

export function importStatement(syntax: Syntax, node: number): ImportFact[] {
  const clause = syntax.childOf(node, 'import_clause', 'import_require_clause')
  const source = sourceOf(syntax, node) ?? sourceOf(syntax, clause)
  if (source === null) return []
  const typeOnly = /^import\s+type\s+(?:[{*]|(?!from\b)[\w$])/.test(syntax.text(node).slice(0, 200))
  const base = { source, reexport: false, typeOnly }
  if (clause === none) return [{ ...base, line: syntax.startLine(node), imported: '*', local: null }]
  const whole = syntax.is(clause, 'import_require_clause')
  return syntax.children(clause).flatMap((part): ImportFact[] => {
    const line = syntax.startLine(part)
    if (syntax.is(part, 'identifier'))
      return [{ ...base, line, imported: whole ? '*' : 'default', local: syntax.text(part) }]
    if (syntax.is(part, 'namespace_import'))
      return [{ ...base, line, imported: '*', local: syntax.text(syntax.childOf(part, 'identifier')) }]
    if (!syntax.is(part, 'named_imports')) return []
    return syntax.children(part).map((specifier) => specifierFact(syntax, specifier, base))
  })
}

/** `export … from`; an export without a source is no import. */
export function exportFrom(syntax: Syntax, node: number): ImportFact[] {
  const source = sourceOf(syntax, node)
  if (source === null) return []
  const typeOnly = /^export\s+type\s*[{*]/.test(syntax.text(node).slice(0, 200))
  const base = { source, reexport: true, typeOnly }
  const clause = syntax.childOf(node, 'export_clause')
  if (clause !== none)
    return syntax.children(clause).map((specifier) => specifierFact(syntax, specifier, base))
  const alias = syntax.childOf(syntax.childOf(node, 'namespace_export'), 'identifier', 'string')
  const local = alias === none ? null : syntax.text(alias)
  return [{ ...base, line: syntax.startLine(node), imported: '*', local }]
}

function specifierFact(
  syntax: Syntax,
  specifier: number,
  base: Omit<ImportFact, 'line' | 'imported' | 'local'>,
): ImportFact {
  const { name, alias, isType } = specifierNames(syntax, specifier)
  return {
    ...base,
    line: syntax.startLine(specifier),
    imported: name,
    local: alias,
    typeOnly: base.typeOnly || isType,
  }
}

/** By the text: in the grammar of JavaScript the word `default` is no name. The alias is the name where there is none. */
function specifierNames(syntax: Syntax, specifier: number): { name: string; alias: string; isType: boolean } {
  const written =
    /^(type\s+(?!as\b(?!\s+as\b)))?("[^"]*"|'[^']*'|\S+)(?:\s+as\s+("[^"]*"|'[^']*'|\S+))?$/.exec(
      withoutComments(syntax.text(specifier)).trim(),
    )
  const [, type, name = '', alias = name] = written ?? []
  return { name: unquote(name), alias: unquote(alias), isType: type !== undefined }
}

/** Of one specifier. That a name in quotes holds the signs of a comment is not foreseen. */
function withoutComments(text: string): string {
  let left = ''
  for (let at = 0; at < text.length; ) {
    const ending = text.startsWith('/*', at) ? '*/' : text.startsWith('//', at) ? '\n' : null
    if (ending === null) left += text[at++]
    else {
      const end = text.indexOf(ending, at + 2)
      left += ' '
      at = end < 0 ? text.length : end + ending.length
    }
  }
  return left
}

/**
 * `require('./x')` and `import('./x')` with a plain string, and the names their result is given. `import()` is a promise:
 * its members are not the module's before it was awaited, or handed to the function in its `then`.
 */
export function callImport(syntax: Syntax, node: number): ImportFact[] {
  const source = requiredSource(syntax, node)
  if (source === null) return []
  const base = { source, reexport: false, typeOnly: false, line: syntax.startLine(node) }
  let value = node
  let imported = '*'
  let isModule = !syntax.is(syntax.child(node, 'function'), 'import')
  for (let up = syntax.parent(value); ; up = syntax.parent(value)) {
    if (syntax.is(up, 'await_expression')) isModule = true
    else if (syntax.is(up, 'member_expression') && syntax.field(value) === 'object' && imported === '*') {
      const property = syntax.text(syntax.child(up, 'property'))
      // Anything else stands in a type: `import('./x').Shape`.
      if (!isModule && ofPromise.has(property)) return fromCallback(syntax, up, base)
      imported = property
    } else if (!syntax.is(up, 'parenthesized_expression', 'as_expression')) break
    value = up
  }
  const holder = syntax.parent(value)
  const target = isModule && syntax.is(holder, 'variable_declarator') ? syntax.child(holder, 'name') : none
  if (syntax.is(target, 'identifier')) return [{ ...base, imported, local: syntax.text(target) }]
  const names = imported === '*' ? patternNames(syntax, target) : []
  return names.length > 0 ? names.map((name) => ({ ...base, ...name })) : [{ ...base, imported, local: null }]
}

const ofPromise: ReadonlySet<string> = new Set(['then', 'catch', 'finally'])

/** `import('./x').then((m) => m.load())`, `import('./x').then(({ load }) => …)`: what the function takes of the module. */
function fromCallback(
  syntax: Syntax,
  member: number,
  base: Omit<ImportFact, 'imported' | 'local'>,
): ImportFact[] {
  const whole = [{ ...base, imported: '*', local: null }]
  const call = syntax.parent(member)
  const [callback] = syntax.children(syntax.child(call, 'arguments'))
  if (syntax.text(syntax.child(member, 'property')) !== 'then' || callback === undefined) return whole
  const list = syntax.child(callback, 'parameters')
  const [first] = list === none ? [syntax.child(callback, 'parameter')] : syntax.children(list)
  const pattern = syntax.is(first ?? none, 'required_parameter')
    ? syntax.child(first ?? none, 'pattern')
    : (first ?? none)
  const names = patternNames(syntax, pattern)
  if (names.length > 0) return names.map((name) => ({ ...base, ...name, local: null }))
  const body = syntax.child(callback, 'body')
  const taken = syntax.is(pattern, 'identifier') ? membersTaken(syntax, body, syntax.text(pattern)) : []
  return taken.length > 0 ? taken.map((imported) => ({ ...base, imported, local: null })) : whole
}

/** `m.load` of a body that is an expression; none when the module is also used in another way. */
function membersTaken(syntax: Syntax, body: number, module: string): string[] {
  const inside = syntax.source.slice(syntax.start(body), syntax.end(body))
  if (syntax.is(body, 'statement_block')) return []
  const uses = [...inside.matchAll(/(?<![\w$.])([\w$]+)(?:\s*\.\s*([\w$]+))?/g)].filter(
    ([, root]) => root === module,
  )
  const members = uses.flatMap(([, , member]) => member ?? [])
  return members.length === uses.length ? [...new Set(members)] : []
}

function patternNames(syntax: Syntax, pattern: number): { imported: string; local: string }[] {
  if (!syntax.is(pattern, 'object_pattern')) return []
  return syntax.children(pattern).flatMap((part) => patternName(syntax, part))
}

/** What `require('…')` or `import('…')` asks for, or null when the node is neither. */
export function requiredSource(syntax: Syntax, call: number): string | null {
  if (!syntax.is(call, 'call_expression')) return null
  const callee = syntax.child(call, 'function')
  if (!syntax.is(callee, 'import') && syntax.text(callee) !== 'require') return null
  const [source] = syntax.children(syntax.child(call, 'arguments'))
  return source !== undefined && syntax.is(source, 'string') ? unquote(syntax.text(source)) : null
}

function patternName(syntax: Syntax, part: number): { imported: string; local: string }[] {
  if (syntax.is(part, 'pair_pattern')) {
    const local = syntax.child(part, 'value')
    const imported = syntax.text(syntax.child(part, 'key'))
    return syntax.is(local, 'identifier') ? [{ imported, local: syntax.text(local) }] : []
  }
  const name = syntax.is(part, 'object_assignment_pattern') ? syntax.child(part, 'left') : part
  if (!syntax.is(name, 'shorthand_property_identifier_pattern')) return []
  return [{ imported: syntax.text(name), local: syntax.text(name) }]
}

function sourceOf(syntax: Syntax, node: number): string | null {
  const source = syntax.child(node, 'source')
  return source === none ? null : unquote(syntax.text(source))
}

export function unquote(text: string): string {
  return /^['"`]/.test(text) ? text.slice(1, -1) : text
}

// What a module offers: export statements, and CommonJS assignments at the top of the file.

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
      const { name, alias } = specifierNames(syntax, specifier)
      return { exported: alias, local: name, line: syntax.startLine(specifier) }
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
  if (!isAtTop(syntax, syntax.parent(node))) return []
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
  if (isFunction(syntax, right)) return [{ exported: 'default', local: 'default', line }]
  return syntax.is(right, 'object') ? syntax.children(right).flatMap((part) => member(syntax, part)) : []
}

/** In the file, or in the body of a function that it calls at once. */
function isAtTop(syntax: Syntax, statement: number): boolean {
  const holder = syntax.parent(statement)
  return syntax.is(holder, 'program') || callOfWrapper(syntax, holder) !== none
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
