/** The operator's section `languageServers`: servers by name, beside those that are found by themselves. */
import { z } from 'zod'

export const LanguageServerEntry = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: '`false` never starts it.' }),
  command: z.array(z.string().min(1)).min(1).max(64).optional().meta({
    description: 'The program, with its absolute path or a name on the PATH, and its arguments; no shell.',
  }),
  languages: z
    .array(z.string().regex(/^[a-z]+$/))
    .min(1)
    .optional()
    .meta({ description: 'Which languages it answers for, by our names (`python`, `ruby`).' }),
  projectFiles: z.array(z.string().min(1).max(200)).max(32).default([]).meta({
    description:
      'Globs of further files that it may read, such as `**/Gemfile`. It may run what they say: name none that it executes.',
  }),
  initializationOptions: z
    .json()
    .optional()
    .meta({ description: 'Handed to the server as it is when it starts.' }),
  passEnvironment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .max(32)
    .default([])
    .meta({ description: 'Names of environment variables that the server gets; it gets no others.' }),
  readOnlyPaths: z.array(z.string().startsWith('/')).max(32).default([]).meta({
    description:
      'Absolute files and folders that it can read in its sandbox beside the code, such as libraries or a cache of modules. What is reviewed can make it read them too.',
  }),
  memoryMb: z
    .int()
    .min(64)
    .max(65_536)
    .optional()
    .meta({ description: 'It is killed when it and its children hold more.' }),
})
export type LanguageServerEntry = z.infer<typeof LanguageServerEntry>

export const LanguageServerSettings = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), LanguageServerEntry)
  .default({})
export type LanguageServerSettings = z.infer<typeof LanguageServerSettings>
