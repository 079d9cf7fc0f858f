/**
 * Guesses tokens from bytes. Exact counts of current models do not exist offline, and counting is slow on odd lines; a
 * third of a token for a byte of UTF-8 errs to the safe side, and real usage corrects it model by model.
 */

const firstRatio = 1 / 3
/** How much of each new observation is believed. */
const weight = 0.3
/** No model has more tokens than bytes; texts below a tenth of a token a byte do not exist. */
const [lowest, highest] = [0.1, 1]
/** Shorter prompts are mostly what the provider adds around them. */
const fewestBytes = 200

export type Observation = { model: string; bytes: number; tokens: number }

export interface TokenEstimator {
  /** Tokens of so many bytes for this model, rounded up, as it is known by now. */
  estimate(model: string, bytes: number): number
  /** As it was known when the run began: the same however the calls of the run interleave. */
  estimateAtStart(model: string, bytes: number): number
  learn(observation: Observation): void
}

/** `seen`: what earlier runs took, oldest first, such as their recorded calls. */
export function createTokenEstimator(seen: readonly Observation[] = []): TokenEstimator {
  const now = new Map<string, number>()
  const learn = ({ model, bytes, tokens }: Observation): void => {
    if (bytes < fewestBytes || tokens <= 0) return
    const ratio = Math.min(highest, Math.max(lowest, tokens / bytes))
    const before = now.get(model) ?? firstRatio
    now.set(model, before + weight * (ratio - before))
  }
  for (const observation of seen) learn(observation)
  const start = new Map(now)
  const by = (ratios: ReadonlyMap<string, number>) => (model: string, bytes: number) =>
    Math.ceil(bytes * (ratios.get(model) ?? firstRatio))
  return { estimate: by(now), estimateAtStart: by(start), learn }
}
