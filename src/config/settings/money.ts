/** The operator's section `money`: what a run may cost. US dollars. */
import { z } from 'zod'

export const MoneySettings = z.strictObject({
  perRun: z
    .number()
    .positive()
    .default(2)
    .meta({ description: 'A run stops before it spends more; what was confirmed by then is kept.' }),
  askAbove: z
    .number()
    .nonnegative()
    .default(0.5)
    .meta({ description: 'On a terminal, a run that is estimated to cost more asks first.' }),
  unknownPrice: z
    .enum(['allow', 'refuse'])
    .default('allow')
    .meta({ description: 'What to do with a model whose price is not known, and so cannot be counted.' }),
})
export type MoneySettings = z.infer<typeof MoneySettings>
