/** Ruby. */
import type { LanguageTable } from '../extraction/table.ts'
import { doc, isTest } from './ruby-parts/conventions.ts'
import {
  accessor,
  aliased,
  container,
  instanceVariable,
  testCall,
  variable,
} from './ruby-parts/definitions.ts'
import { parameters } from './ruby-parts/parameters.ts'
import { places } from './ruby-parts/places.ts'
import { argumentsOf, constructed, requireCall } from './ruby-parts/values.ts'
import { visibility } from './ruby-parts/visibility.ts'

export const ruby: LanguageTable = {
  id: 'ruby',
  grammar: 'ruby',
  comments: ['comment'],
  names: {
    identifier: 'read',
    constant: 'read',
    setter: 'read',
    instance_variable: 'property',
    class_variable: 'property',
    global_variable: 'read',
  },
  places,
  scopes: {
    'class.body': 'class',
    'module.body': 'class',
    'singleton_class.body': 'class',
    method: 'function',
    singleton_method: 'function',
    lambda: 'function',
    block: 'function',
    do_block: 'function',
  },
  receivers: { call: 'receiver', scope_resolution: 'scope' },
  calls: { call: argumentsOf, super: argumentsOf },
  keywordArguments: { pair: 'key' },
  spreadArguments: ['splat_argument', 'hash_splat_argument', 'forward_argument'],
  callsIgnoreLocals: true,
  definitions: {
    class: container,
    module: container,
    method: { kind: 'function', inClass: 'method' },
    singleton_method: { kind: 'function', inClass: 'method' },
    simple_symbol: accessor,
    alias: aliased,
    instance_variable: instanceVariable,
    call: testCall,
  },
  variable,
  parameters,
  typed: {
    assignment: (syntax, node) => [{ name: syntax.child(node, 'left'), value: syntax.child(node, 'right') }],
  },
  constructed,
  imports: { call: requireCall },
  exports: {},
  visibility,
  isTest,
  doc,
}
