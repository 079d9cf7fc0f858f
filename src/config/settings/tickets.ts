/** The operator's section `tickets`: which tickets a change under review may point to. */
import { z } from 'zod'
import { isRepositoryName } from '../../domain/repository-name.ts'

export const TicketSettings = z.strictObject({
  repositories: z
    .array(z.string().refine(isRepositoryName, { error: 'must be written owner/repo' }))
    .max(100)
    .default([])
    .meta({
      description:
        'Repositories beside the reviewed one whose tickets are read, with your token, when a change points to them.',
    }),
})
export type TicketSettings = z.infer<typeof TicketSettings>
