/** Shell scripts, as Bash reads them, and Bats. */
import type { Syntax } from '../extraction/syntax.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { batsTest, variable } from './bash-parts/definitions.ts'
import { places } from './bash-parts/places.ts'
import { sourced } from './bash-parts/sourced.ts'
import { docBefore } from './doc-comment.ts'

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
  visibility: () => 'exported',
  isTest: ({ syntax, definition: { name, node } }) => syntax.is(node, 'command') || /^test_/.test(name),
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^#(?!!|\s*shellcheck\b)/),
}
