/**
 * The configuration: one schema, from which the type, the JSON schema and the reference page derive.
 * Every key has a default, so an empty file is a valid one.
 */
import { z } from 'zod'
import { Severity } from '../domain/severity.ts'

const globs = z.array(z.string().min(1)).max(500)

export const Config = z.strictObject({
  $schema: z.string().optional().meta({ description: 'Address of the JSON schema, for editors.' }),
  review: z
    .strictObject({
      failOn: z
        .enum(['critical', 'high', 'medium', 'low', 'never'])
        .default('high')
        .meta({ description: 'Exit with code 1 when a finding of this severity or worse stands.' }),
      minSeverity: Severity.default('low').meta({ description: 'Findings milder than this are not shown.' }),
      maxInline: z
        .int()
        .min(0)
        .max(100)
        .default(8)
        .meta({ description: 'At most this many findings are shown in full; the rest are listed, folded.' }),
      requireComplete: z
        .boolean()
        .default(false)
        .meta({ description: 'Exit with code 4 when part of the change could not be looked at.' }),
    })
    .prefault({}),
  paths: z
    .strictObject({
      exclude: globs.default([]).meta({ description: 'Globs of files that are never reviewed.' }),
      generated: globs.default([]).meta({ description: 'Further globs of generated files.' }),
      tests: globs.default([]).meta({ description: 'Further globs of test files.' }),
    })
    .prefault({}),
  planes: z
    .strictObject({
      disable: z.array(z.string()).default([]).meta({ description: 'Planes to leave out, by name.' }),
    })
    .prefault({}),
  rules: z
    .strictObject({
      paths: globs
        .default(['.sightline/rules'])
        .meta({ description: 'Folders with ast-grep rules (YAML) of your own, read from the base commit.' }),
      disable: z
        .array(z.string())
        .default([])
        .meta({ description: 'Built-in or own rules to switch off, by id.' }),
    })
    .prefault({}),
  limits: z
    .strictObject({
      changedFiles: z
        .int()
        .min(1)
        .default(3000)
        .meta({ description: 'Changed files looked at; the rest are listed.' }),
      fileBytes: z
        .int()
        .min(1024)
        .default(1_048_576)
        .meta({ description: 'Larger files are listed, not read.' }),
      treeEntries: z
        .int()
        .min(1000)
        .default(1_000_000)
        .meta({ description: 'Entries read of one tree before giving up.' }),
      contextSeconds: z
        .int()
        .min(1)
        .max(3600)
        .default(60)
        .meta({ description: 'Seconds for reading and comparing the symbols of the changed files.' }),
      planeSeconds: z
        .int()
        .min(1)
        .max(3600)
        .default(120)
        .meta({ description: 'Seconds for each plane; one that takes longer is listed as failed.' }),
    })
    .prefault({}),
})
export type Config = z.infer<typeof Config>

export const defaultConfig: Config = Config.parse({})
