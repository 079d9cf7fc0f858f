/** Asks until an answer can be believed: servers answer while they still read, and then know only a part. */
import { type Readiness, ServerFailure } from './contract.ts'
import type { Progress } from './session/progress.ts'

export type Settled<Answer> = { answer: Answer; complete: boolean; why: string | null }

const pauseMs = 100

/** Throws `ServerFailure` when there is no answer at all. */
export async function settle<Answer>(
  ask: () => Promise<Answer>,
  progress: Progress,
  readiness: Readiness,
  withinMs: number,
): Promise<Settled<Answer>> {
  const deadline = performance.now() + withinMs
  const isQuiet = () =>
    readiness.awaitsProgress ? progress.quiet(readiness.graceMs, deadline) : Promise.resolve(true)
  let quiet = await isQuiet()
  let answer = await ask()
  let agreed = 1
  while (agreed < readiness.agreeing) {
    if (performance.now() >= deadline) return { answer, complete: false, why: 'its answers still changed' }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    quiet = await isQuiet()
    const next = await again(ask)
    if (next === null) return { answer, complete: false, why: 'it did not answer a second time' }
    agreed = JSON.stringify(next) === JSON.stringify(answer) ? agreed + 1 : 1
    answer = next
  }
  return { answer, complete: quiet, why: quiet ? null : 'it was still reading the project' }
}

/** Null when there is no answer: what was said before stands. */
async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServerFailure) return null
    throw error
  }
}
