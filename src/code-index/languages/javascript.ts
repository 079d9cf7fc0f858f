/** JavaScript and JSX. */
import type { LanguageTable } from '../extraction/table.ts'
import { ecmascript, markupPlaces } from './ecmascript.ts'
import { classField } from './ecmascript-definitions.ts'

export const javascript: LanguageTable = {
  ...ecmascript,
  id: 'javascript',
  grammar: 'javascript',
  definitions: { ...ecmascript.definitions, field_definition: classField('property') },
  places: { ...ecmascript.places, ...markupPlaces, 'field_definition.property': 'ignore' },
  typed: {
    variable_declarator: { name: 'name', type: 'type', value: 'value' },
    assignment_expression: { name: 'left', type: 'type', value: 'right' },
    field_definition: { name: 'property', type: 'type', value: 'value' },
  },
}
