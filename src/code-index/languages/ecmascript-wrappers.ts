/** The function around a whole script that is called at once: what it declares at its top is what the module declares. */
import { none, type Syntax } from '../extraction/syntax.ts'
import { isFunction } from './ecmascript-definitions.ts'

/** `(function () { … }())`, `!function () { … }()`, `(() => { … })()`, `(async () => { … })().catch(stop)`. */
const around = [
  'parenthesized_expression',
  'call_expression',
  'member_expression',
  'arguments',
  'unary_expression',
  'await_expression',
] as const

/** How many nodes may be between the function and its statement. */
const deepest = 6

/**
 * The statement at the top of the file that calls the function of this body, or is given it by another function that is
 * called at once, as a factory is: `(function (root, factory) { … }(this, function () { … }))`. None for other blocks.
 */
export function callOfWrapper(syntax: Syntax, body: number): number {
  const wrapper = syntax.parent(body)
  if (!syntax.is(body, 'statement_block') || !isFunction(syntax, wrapper)) return none
  let isCalled = false
  let at = syntax.parent(wrapper)
  for (let step = 0; step < deepest && syntax.is(at, ...around); step++) {
    if (syntax.is(at, 'call_expression')) {
      if (!isCalled && !isFunction(syntax, calledFunction(syntax, at))) return none
      isCalled = true
    }
    at = syntax.parent(at)
  }
  const isStatement = syntax.is(at, 'expression_statement') && syntax.is(syntax.parent(at), 'program')
  return isCalled && isStatement ? at : none
}

/** What a call calls, without brackets and `.call`. */
function calledFunction(syntax: Syntax, call: number): number {
  let at = syntax.child(call, 'function')
  for (let step = 0; step < deepest; step++)
    if (syntax.is(at, 'parenthesized_expression')) at = syntax.firstChild(at)
    else if (syntax.is(at, 'member_expression')) at = syntax.child(at, 'object')
    else break
  return at
}

/** Directives and lone semicolons that may be beside the one statement of a script. */
const mostBeside = 8

/** Whether the body is that of a function around everything in its file. */
export function isModuleBody(syntax: Syntax, body: number): boolean {
  const statement = callOfWrapper(syntax, body)
  if (statement === none) return false
  const program = syntax.parent(statement)
  let beside = 0
  for (let child = program + 1; child < syntax.after(program); child = syntax.after(child)) {
    if (child === statement || syntax.isComment(child)) continue
    if (++beside > mostBeside || !isIdle(syntax, child)) return false
  }
  return true
}

function isIdle(syntax: Syntax, statement: number): boolean {
  if (syntax.is(statement, 'empty_statement', 'hash_bang_line')) return true
  return syntax.is(statement, 'expression_statement') && syntax.is(syntax.firstChild(statement), 'string')
}
