/** The operator's section `journal`: where runs are kept, for how long, and with how much of their text. */
import { z } from 'zod'

export const JournalSettings = z.strictObject({
  keepDays: z
    .int()
    .min(0)
    .default(30)
    .meta({ description: 'Runs older than this are removed; 0 keeps none at all.' }),
  texts: z.enum(['full', 'hashes']).default('full').meta({
    description: '`hashes` keeps no prompt and no answer: such a run can be counted, not replayed.',
  }),
  folder: z
    .string()
    .optional()
    .meta({ description: 'Where runs are kept; the user’s state folder when not given.' }),
})
export type JournalSettings = z.infer<typeof JournalSettings>
