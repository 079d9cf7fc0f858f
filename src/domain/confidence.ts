/** How sure a finding is. */
import { z } from 'zod'

export const Confidence = z.enum(['certain', 'likely', 'possible'])
export type Confidence = z.infer<typeof Confidence>
