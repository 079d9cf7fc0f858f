/** Schemas that have a name: JSON Schema by `$id`, Avro by full name. */
import { isLockPath, isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import type { ContractKind, Provided, SourceTree } from '../../contract.ts'
import { avroPath, avroSchemas } from './avro.ts'
import { type SchemaBreak, schemaBreaks } from './breaks.ts'
import { jsonSchemas, schemaMark, schemaPath } from './json-documents.ts'
import { judgeSchema } from './judge.ts'
import type { SchemaShape, SchemaUse } from './shape.ts'
import { schemaUses } from './uses.ts'

const codePath = /\.(?:[cm]?[jt]sx?|py|go|java|kt|rb)$/
const isSchemaPath = (path: string): boolean => avroPath.test(path) || schemaPath.test(path)

export const schemaContracts: ContractKind<SchemaShape, SchemaUse, SchemaBreak> = {
  kind: 'schema',
  mayProvide: (path) => isSchemaPath(path) && !isVendoredPath(path) && !isLockPath(path) && !isTestPath(path),
  mayUse: (path) =>
    (isSchemaPath(path) || codePath.test(path)) &&
    !isVendoredPath(path) &&
    !isLockPath(path) &&
    !isTestPath(path),
  cue: /\$(?:ref|id|schema)|"fields"|"symbols"|[aA]vro|[sS]chema|[eE]vent/,
  provided,
  uses: schemaUses,
  breaks: schemaBreaks,
  judge: (broken, use) => judgeSchema(broken.shape, use.shape),
}

async function provided(paths: readonly string[], tree: SourceTree): Promise<Provided<SchemaShape>[]> {
  const found: Provided<SchemaShape>[] = []
  for (const { path, text } of await tree.read(paths)) {
    if (avroPath.test(path)) found.push(...avroSchemas(path, text))
    else if (schemaMark.test(text)) found.push(...(await jsonSchemas(path, text, tree)))
  }
  return found
}
