/** Rust. */
import type { LanguageTable } from '../extraction/table.ts'
import { docBefore } from './doc-comment.ts'
import { isTest, visibility } from './rust-parts/conventions.ts'
import { implementation } from './rust-parts/definitions.ts'
import { externCrate, moduleFile, useDeclaration } from './rust-parts/imports.ts'
import { constructed, parameters } from './rust-parts/parameters.ts'
import { looseReceiver, places } from './rust-parts/places.ts'

export const rust: LanguageTable = {
  id: 'rust',
  grammar: 'rust',
  comments: ['line_comment', 'block_comment'],
  names: {
    identifier: 'read',
    type_identifier: 'type',
    field_identifier: 'property',
    shorthand_field_identifier: 'property',
  },
  places,
  scopes: {
    function_item: 'function',
    closure_expression: 'function',
    function_signature_item: 'block',
    block: 'block',
    match_arm: 'block',
    if_expression: 'block',
    while_expression: 'block',
    for_expression: 'block',
    impl_item: 'block',
    trait_item: 'block',
    struct_item: 'block',
    enum_item: 'block',
    union_item: 'block',
    type_item: 'block',
    field_declaration_list: 'class',
    enum_variant_list: 'class',
    'impl_item.body': 'class',
    'trait_item.body': 'class',
    'mod_item.body': 'module',
  },
  receivers: { field_expression: 'value', scoped_identifier: 'path', scoped_type_identifier: 'path' },
  looseReceiver,
  calls: { call_expression: 'arguments' },
  definitions: {
    function_item: { kind: 'function', inClass: 'method' },
    function_signature_item: { kind: 'function', inClass: 'method' },
    struct_item: { kind: 'struct' },
    union_item: { kind: 'struct' },
    enum_item: { kind: 'enum' },
    enum_variant: { kind: 'enumerator' },
    trait_item: { kind: 'interface' },
    impl_item: implementation,
    mod_item: { kind: 'module' },
    macro_definition: { kind: 'macro' },
    const_item: { kind: 'constant', body: 'value', result: 'type' },
    static_item: { kind: 'constant', body: 'value', result: 'type' },
    type_item: { kind: 'type' },
    associated_type: { kind: 'type' },
    field_declaration: { kind: 'field', result: 'type' },
  },
  variable: () => null,
  leading: ['attribute_item'],
  parameters,
  typed: {
    let_declaration: { name: 'pattern', type: 'type', value: 'value' },
    parameter: { name: 'pattern', type: 'type' },
    field_declaration: { name: 'name', type: 'type' },
    const_item: { name: 'name', type: 'type' },
    static_item: { name: 'name', type: 'type' },
  },
  transparentTypes: ['Box', 'Rc', 'Arc', 'std::rc::Rc', 'std::sync::Arc'],
  constructed,
  imports: {
    use_declaration: useDeclaration,
    extern_crate_declaration: externCrate,
    mod_item: moduleFile,
  },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\/\/(?!\/)|\*\*)/),
}
