/** The operator's section `validation`: whether reviews on this machine ask language servers. */
import { z } from 'zod'

export const ValidationSettings = z.strictObject({
  servers: z.enum(['auto', 'always', 'off']).default('auto').meta({
    description: 'Unless `auto`, it wins over `validation.servers` of a repository’s configuration.',
  }),
})
export type ValidationSettings = z.infer<typeof ValidationSettings>
