/** The description of the API in the documentation is that of the code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiReference, apiReferenceText } from '../../../scripts/api-reference.ts'

test('schema/openapi.json is current (node scripts/api-reference.ts)', () => {
  expect(readFileSync(apiReference, 'utf8') === apiReferenceText()).toBe(true)
})
