/** What names are in Ruby. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** A bare name on the left is a local, a constant defines itself, the others are written to. */
const assigned: PlaceRule = (syntax, name, assignment) => {
  if (syntax.is(name, 'identifier') && !syntax.is(syntax.parent(name), 'call')) return 'local hoisted'
  return syntax.is(name, 'constant') && syntax.parent(name) === assignment ? 'variable' : 'write'
}

/** `include A` and its kin give a class the methods of `A`. */
const mixedIn: PlaceRule = (syntax, name, list) => {
  const call = syntax.parent(list)
  if (!syntax.is(name, 'constant') || syntax.child(call, 'receiver') !== none) return 'plain'
  const isMixin = /^(?:include|extend|prepend)$/.test(syntax.text(syntax.child(call, 'method')))
  return isMixin && isClassBody(syntax, syntax.parent(call)) ? 'extends' : 'plain'
}

export function isClassBody(syntax: Syntax, node: number): boolean {
  return (
    syntax.is(node, 'body_statement') && syntax.is(syntax.parent(node), 'class', 'module', 'singleton_class')
  )
}

export const places: LanguageTable['places'] = {
  'assignment.left': assigned,
  'operator_assignment.left': assigned,
  'left_assignment_list.*': 'climb',
  'destructured_left_assignment.*': 'climb',
  'rest_assignment.*': 'climb',
  'method_parameters.*': 'local',
  'block_parameters.*': 'local',
  'lambda_parameters.*': 'local',
  'destructured_parameter.*': 'climb',
  'optional_parameter.name': 'local',
  'keyword_parameter.name': 'local',
  'splat_parameter.name': 'local',
  'hash_splat_parameter.name': 'local',
  'block_parameter.name': 'local',
  'exception_variable.*': 'local hoisted',
  'for.pattern': 'local hoisted',
  'call.method': 'call',
  'scope_resolution.name': 'climb',
  'superclass.*': 'extends',
  'argument_list.*': mixedIn,
}
