/** Fields that several sections of the operator's settings have. */
import { z } from 'zod'

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' })

/** `baseUrl` of a provider of models. */
export const providerAddress = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/^https?:\/\/[^/]*@/.test(url), {
    error: 'must not hold a password; name the variable that holds the key in keyFrom',
  })
  .optional()
  .meta({
    description: 'Base address, if it is not the default. The default path is added if the address has none.',
  })

/** `keyFrom` of a provider of models. */
export const providerKey = variableName.optional().meta({
  description:
    'Name of the environment variable that holds the key. The key itself must not be in this file.',
})
