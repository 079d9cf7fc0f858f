/**
 * Writes schema/openapi.json, the description of the API, from the schemas that the server checks with:
 * `node scripts/api-reference.ts`. A test holds that it is current.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapiDocument } from '../src/server/api/openapi.ts'

export const apiReference = join(import.meta.dirname, '../schema/openapi.json')

export function apiReferenceText(): string {
  return `${JSON.stringify(openapiDocument(), null, 1)}\n`
}

if (import.meta.main) writeFileSync(apiReference, apiReferenceText())
