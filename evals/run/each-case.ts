/** Goes through the cases of an evaluation, several at a time, in their order. */
import type { EvalCase } from '../cases/eval-case.ts'

export type CaseProgress = { done: number; total: number; id: string; words: string }

/** `work` resolves to what is reported of the case. Rejects with the signal's reason after an abort. */
export async function eachCase(
  cases: readonly EvalCase[],
  { jobs, signal, onCase }: { jobs: number; signal: AbortSignal; onCase?: (progress: CaseProgress) => void },
  work: (one: EvalCase) => Promise<string>,
): Promise<void> {
  const waiting = [...cases]
  const total = waiting.length
  let done = 0
  const worker = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      signal.throwIfAborted()
      const words = await work(one)
      done++
      onCase?.({ done, total, id: one.id, words })
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, total) }, worker))
}
