/** Who says whether a finding means a known fault: lines can meet by accident, and a fault can be reported from elsewhere. */
import { z } from 'zod'

/** Null `file` and lines when a list of faults names none. */
export const JudgedText = z.object({
  file: z.string().nullable(),
  startLine: z.number().int().nullable(),
  endLine: z.number().int().nullable(),
  text: z.string(),
})
export type JudgedText = z.infer<typeof JudgedText>

export const JudgeQuestion = z.object({
  /** The case; only to name the call. */
  id: z.string(),
  faults: z.array(JudgedText),
  findings: z.array(JudgedText),
})
export type JudgeQuestion = z.infer<typeof JudgeQuestion>

export const CaseJudgement = z.object({
  /** One for each finding, in order, by index into the question's lists. */
  findings: z.array(
    z.object({
      /** The fault it describes; null when none. */
      fault: z.number().int().nonnegative().nullable(),
      /** An earlier finding that says the same; null when none. */
      duplicateOf: z.number().int().nonnegative().nullable(),
    }),
  ),
})
export type CaseJudgement = z.infer<typeof CaseJudgement>

export interface Judge {
  /** Names prompt and model, such as `eval-judge@1 by anthropic/…`; judgements of two names are never mixed. */
  readonly name: string
  /** Null when no judgement was to be had, and then nothing is counted. Rejects only after an abort. */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<CaseJudgement | null>
}
