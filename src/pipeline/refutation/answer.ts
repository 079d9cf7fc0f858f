/** The shape in which a judge answers: first the words that bear on the finding, the judgement last. */
import { z } from 'zod'
import type { AnswerShape } from '../../llm/contract.ts'

const Answer = z.object({
  quotes: z.array(z.object({ id: z.string(), quote: z.string(), bears: z.enum(['against', 'for']) })),
  reason: z.string(),
  judgement: z.enum(['refuted', 'upheld', 'undecided']),
})
export type JudgeAnswer = z.infer<typeof Answer>

export const judgeAnswer: AnswerShape<JudgeAnswer> = { name: 'refutation', schema: Answer }
