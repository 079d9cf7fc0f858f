/** The growth of a review's work with the size of a shape, in counted steps. */
import type { CountedWork, Counter } from '../../helpers/in-memory/count-work.ts'
import { factsInProcess } from '../../helpers/in-memory/facts.ts'
import { reviewTexts } from '../../helpers/in-memory/review.ts'
import { Random } from '../../helpers/random.ts'
import { otherFinding, type Shape } from './shapes.ts'

export type Growth = {
  name: string
  language: string
  /** For each size, the smallest first. */
  steps: number[]
  /** Of the last two doublings: 1 is linear, 2 is quadratic. */
  exponent: number
  faults: string[]
  most: CountedWork['most']
}

/** What n log n grows by at these sizes is below 1.15; what is fixed makes it look smaller, never larger. */
const mostExponent = 1.2
const doublings = 3

/** Grow faster while they are small, up to a bound that is counted. Each with its bound. */
const bounded: Readonly<Record<string, string>> = {
  'ruby: n names, renamed': 'pipeline/diff/symbols/match-content.ts: mostWork',
}

export async function measureGrowth(shape: Shape, smallest: number, counter: Counter): Promise<Growth> {
  const { name, language } = shape
  const counted: CountedWork[] = []
  const faults: string[] = []
  for (let at = 0; at <= doublings; at++) {
    const { base = {}, head = {} } = shape.make(smallest * 2 ** at)
    const texts = { base, head: { ...base, ...head } }
    let isFound = false
    // What the first review of a process loads and compiles is no part of it.
    if (at === 0) await reviewTexts(texts, factsInProcess({ indexed: true }))
    counted.push(
      await counter.count(async () => {
        const { verdicts } = await reviewTexts(texts, factsInProcess({ indexed: true }))
        isFound = verdicts.some(({ finding }) => finding && otherFinding.test(finding.title))
      }),
    )
    if (!isFound) faults.push(`the finding in the other file is lost at ${smallest * 2 ** at} bytes`)
  }
  const steps = counted.map((one) => one.steps)
  const [, second = 1, , last = 1] = steps
  const exponent = Math.log2(last / second) / 2
  if (exponent > mostExponent && !(`${language}: ${name}` in bounded))
    faults.push(`grows with the power of ${exponent.toFixed(2)}`)
  return { name, language, steps, exponent, faults, most: counted.at(-1)?.most ?? [] }
}

/** The same ones for the same seed. */
export function sampleOf<Item>(items: readonly Item[], most: number, seed: number): Item[] {
  const random = new Random(seed)
  const left = [...items]
  const taken: Item[] = []
  while (taken.length < most && left.length > 0)
    taken.push(...left.splice(random.between(0, left.length - 1), 1))
  return taken
}
