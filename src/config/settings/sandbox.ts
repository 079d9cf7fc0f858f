/**
 * The operator's section `sandbox`: tests that a review may run, which it may not unless they stand here, and whether
 * language servers need one.
 */
import { z } from 'zod'

const TestCommand = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .meta({ description: 'Program and arguments; no shell reads them.' }),
  seconds: z.int().min(1).max(1800).default(120),
})

export const SandboxSettings = z.strictObject({
  tests: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), TestCommand)
    .default({})
    .meta({ description: 'Test commands by name. None means that the tool is not offered.' }),
  readOnlyPaths: z
    .array(z.string().startsWith('/'))
    .default([])
    .meta({ description: 'Absolute folders that the tests can read, such as a tool chain.' }),
  memoryMb: z.int().min(64).max(65_536).default(1024),
  languageServers: z.enum(['required', 'optional']).default('required').meta({
    description:
      'Whether language servers run only in a sandbox. With `optional`, on a machine without one, code under review can make them read any file of yours.',
  }),
  image: z
    .string()
    .optional()
    .meta({ description: 'Container image to run in where bubblewrap does not work.' }),
})
export type SandboxSettings = z.infer<typeof SandboxSettings>
