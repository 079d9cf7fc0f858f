/**
 * The operator's section `linters`: commands whose results become evidence of a review. They run on reviewed code, so a
 * repository can neither name nor change them.
 */
import { z } from 'zod'

const LinterCommand = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: '`false` turns this linter off.' }),
  command: z.array(z.string().min(1).max(4096)).min(1).max(64).meta({
    description:
      'Program and arguments; no shell is used. `{files}` stands for the changed files, `{report}` for the file that results are read from. Without `{report}`, they are read from its output.',
  }),
  format: z
    .enum(['sarif', 'rdjson', 'checkstyle'])
    .optional()
    .meta({ description: 'Format of its results. Default: recognized by the content.' }),
  languages: z
    .array(z.string().regex(/^[a-z]+$/))
    .max(50)
    .default([])
    .meta({
      description:
        'It runs only if a changed file is in one of these languages, such as `python`. Default: any.',
    }),
  paths: z.array(z.string().min(1).max(200)).max(50).default([]).meta({
    description: 'It runs only if a changed file matches one of these globs, such as `src/**`. Default: any.',
  }),
  packages: z
    .array(z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$)).+$/))
    .max(20)
    .default([])
    .meta({
      description:
        'Folders of your checkout with installed packages that it can read in the same place, such as `node_modules`.',
    }),
  seconds: z.int().min(1).max(1800).default(60).meta({ description: 'Time limit for one run.' }),
})
export type LinterCommand = z.infer<typeof LinterCommand>

export const LinterSettings = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), LinterCommand)
  .default({})
export type LinterSettings = z.infer<typeof LinterSettings>
