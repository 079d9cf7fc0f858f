/** What shell scripts define besides functions: variables of the script, tests of Bats. */
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { titledTest } from '../titled-test.ts'

/** The first assignment outside of functions; `readonly` and `declare -r` make a constant. */
export function variable(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level !== 'module' || syntax.is(node, 'for_statement')) return null
  const assignment = syntax.ancestor(name, 'variable_assignment', 'declaration_command')
  const command = syntax.is(node, 'declaration_command') ? syntax.text(node).slice(0, 40) : ''
  const alone = syntax.children(node).filter((child) => !syntax.is(child, 'word')).length === 1
  return defined({
    kind: /^(?:readonly\b|(?:declare|typeset)\s+-\w*r)/.test(command) ? 'constant' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node: command !== '' && alone ? node : assignment === none ? name : assignment,
    body: syntax.is(assignment, 'variable_assignment') ? syntax.child(assignment, 'value') : none,
    level,
  })
}

/** How many commands a test may hold. */
const longestTest = 2_000

/** `@test "adds" {`, to the grammar a command, and so is the bracket that closes it. */
export const batsTest: DefinitionReader = (syntax, node, level) => {
  if (!syntax.text(node).startsWith('@test')) return null
  const [title = none, bracket = none] = syntax.children(node, 'argument')
  if (!syntax.is(title, 'string', 'raw_string') || syntax.text(bracket) !== '{') return null
  let last = syntax.after(node)
  for (let step = 0; step < longestTest && syntax.parent(last) === syntax.parent(node); step++) {
    if (syntax.is(last, 'command') && syntax.text(last) === '}') {
      const found = titledTest(syntax, { node, title, body: bracket, level })
      return found && { ...found, span: { first: node, last } }
    }
    last = syntax.after(last)
  }
  return null
}
