/** Fields that several sections of the operator's settings have. */
import { z } from 'zod'

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' })

/** `keyFrom` of a provider of models. */
export const providerKey = variableName.optional().meta({
  description:
    'Name of the environment variable that holds the key. The key itself must not be in this file.',
})
