/** The operator's section `languageServers`: servers by name, beside those that are found by themselves. */
import { z } from 'zod'

export const LanguageServerSettings = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
    z.strictObject({
      command: z.array(z.string().min(1)).min(1).optional(),
      languages: z.array(z.string()).optional(),
      enabled: z.boolean().default(true),
    }),
  )
  .default({})
export type LanguageServerSettings = z.infer<typeof LanguageServerSettings>
