/** What names are in shell scripts. */
import { none } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** `local x=1` and `declare x=1` bind in a function; `export x=1` and `readonly x=1` do not. */
const declaredIn: PlaceRule = (syntax, name, command) => {
  const inFunction = syntax.ancestor(name, 'function_definition') !== none
  const binds = /^(?:local|declare|typeset)\b/.test(syntax.text(command).slice(0, 20))
  return binds && inFunction ? 'local hoisted' : 'variable'
}

/** `local y=$x` declares `y` and reads `x`. */
const assigned: PlaceRule = (syntax, name, assignment) =>
  syntax.is(syntax.parent(assignment), 'declaration_command') ? 'climb' : written(syntax, name, assignment)

const written: PlaceRule = (syntax, name) => {
  const inFunction = syntax.ancestor(name, 'function_definition') !== none
  return inFunction || syntax.is(syntax.parent(name), 'subscript') ? 'write' : 'variable'
}

/** Numbers and signs are the arguments of the script or function. */
const expanded: PlaceRule = (syntax, name) =>
  /^[\d_]*[A-Za-z]\w*$/.test(syntax.text(name)) ? 'read' : 'ignore'

/** Words that are known before the script runs: not `"$command"`, not `./run.sh`. */
const command: PlaceRule = (syntax, name) =>
  /^[A-Za-z_][\w.:+-]*$/.test(syntax.text(name).slice(0, 100)) ? 'call' : 'ignore'

export const places: LanguageTable['places'] = {
  'command.name': command,
  'variable_assignment.name': assigned,
  'subscript.name': 'climb',
  'declaration_command.*': declaredIn,
  'unset_command.*': 'ignore',
  'for_statement.variable': 'local hoisted',
  'simple_expansion.*': expanded,
}
