/** The operator's section `languageServers`: servers by name, beside those that are found by themselves. */
import { z } from 'zod'
import { variableName } from './fields.ts'

export const LanguageServerEntry = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: '`false` turns this server off.' }),
  command: z.array(z.string().min(1)).min(1).max(64).optional().meta({
    description: 'Program (absolute path or name on the PATH) and arguments. No shell is used.',
  }),
  languages: z
    .array(z.string().regex(/^[a-z]+$/))
    .min(1)
    .optional()
    .meta({ description: 'Languages it supports, such as `python` or `ruby`.' }),
  projectFiles: z.array(z.string().min(1).max(200)).max(32).default([]).meta({
    description:
      'Globs of other files that it may read, such as `**/Gemfile`. Do not list files that the server would execute.',
  }),
  initializationOptions: z
    .json()
    .optional()
    .meta({ description: 'Passed to the server unchanged when it starts.' }),
  passEnvironment: z
    .array(variableName)
    .max(32)
    .default([])
    .meta({ description: 'Environment variables to pass to the server, by name. No others are passed.' }),
  readOnlyPaths: z.array(z.string().startsWith('/')).max(32).default([]).meta({
    description:
      'Absolute paths of files and folders that it can read in its sandbox in addition to the code, such as libraries or a module cache. Reviewed code can make the server read them.',
  }),
  memoryMb: z.int().min(64).max(65_536).optional().meta({
    description: 'Memory limit for the server and its child processes; it is killed above this limit.',
  }),
})
export type LanguageServerEntry = z.infer<typeof LanguageServerEntry>

export const LanguageServerSettings = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), LanguageServerEntry)
  .default({})
export type LanguageServerSettings = z.infer<typeof LanguageServerSettings>
