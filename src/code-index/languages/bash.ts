/** Shell scripts, as Bash reads them, and Bats. */
import type { ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type LanguageTable,
  type Level,
  type PlaceRule,
} from '../extraction/table.ts'
import { docBefore, titledTest } from './shared-readers.ts'

// What names are in shell scripts.

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

const places: LanguageTable['places'] = {
  'command.name': command,
  'variable_assignment.name': assigned,
  'subscript.name': 'climb',
  'declaration_command.*': declaredIn,
  'unset_command.*': 'ignore',
  'for_statement.variable': 'local hoisted',
  'simple_expansion.*': expanded,
}

// What shell scripts define besides functions: variables of the script, tests of Bats.

/** The first assignment outside of functions; `readonly` and `declare -r` make a constant. */
function variable(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
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

/** A script that takes this one in sees its variables too; a program that it starts only those that are exported. */
const seenBy: LanguageTable['visibility'] = ({ syntax, definition: { kind, nameNode } }) => {
  if (kind !== 'variable' && kind !== 'constant') return 'exported'
  const command = syntax.ancestor(nameNode, 'declaration_command')
  const words = command === none ? '' : syntax.text(command).slice(0, 40)
  return /^(?:export\b|(?:declare|typeset)\s+-\w*x)/.test(words) ? 'exported' : 'internal'
}

/** How many commands a test may hold. */
const longestTest = 2_000

/** `@test "adds" {`, to the grammar a command, and so is the bracket that closes it. */
const batsTest: DefinitionReader = (syntax, node, level) => {
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

// Scripts that a script takes in.

/** `source x`, `. x` and Bats's `load x`, when the path is written out. */
function sourced(syntax: Syntax, node: number): ImportFact[] {
  if (!/^(?:source|\.|load)$/.test(syntax.text(syntax.child(node, 'name')))) return []
  const path = syntax.children(node, 'argument')[0] ?? none
  const source = syntax.text(path).replace(/^(["'])(.*)\1$/, '$2')
  if (path === none || source.includes('$') || source.includes('`')) return []
  return [
    { line: syntax.startLine(node), source, imported: '*', local: null, reexport: true, typeOnly: false },
  ]
}

export const bash: LanguageTable = {
  id: 'bash',
  grammar: 'bash',
  comments: ['comment'],
  names: { variable_name: 'read', command_name: 'call' },
  places,
  // Subshells and blocks share the variables of the function around them, as far as a reader is concerned.
  scopes: { function_definition: 'function' },
  receivers: {},
  calls: {
    command: (syntax: Syntax, call: number) => {
      const listed = syntax.children(call, 'argument')
      // An unquoted expansion may be any number of words.
      const isPlain = (argument: number): boolean =>
        syntax.is(argument, 'word', 'string', 'raw_string', 'number') && !syntax.text(argument).includes('@')
      return listed.every(isPlain) ? listed : null
    },
  },
  callsIgnoreLocals: true,
  definitions: { function_definition: { kind: 'function' }, command: batsTest },
  variable,
  parameters: () => [],
  typed: {},
  constructed: () => null,
  imports: { command: sourced },
  exports: {},
  visibility: seenBy,
  isTest: ({ syntax, definition: { name, node } }) => syntax.is(node, 'command') || /^test_/.test(name),
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^#(?!!|\s*shellcheck\b)/),
}
