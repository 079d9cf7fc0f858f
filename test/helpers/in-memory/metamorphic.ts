/** Reviews of changes by code alone, before and after rewrites that change no meaning. */
import { Random } from '../random.ts'
import { factsInProcess } from './facts.ts'
import { type Case, metamorphicCases, type Sides } from './metamorphic-cases.ts'
import { reviewTexts } from './review.ts'
import { rewrites } from './rewrites.ts'

export type Metamorphic = {
  /** Changes that were drawn from. */
  changes: number
  played: number
  /** Runs in which the review had any finding to lose. */
  withFindings: number
  /** Runs by language and by rewrite. */
  counts: Record<string, number>
  differences: { name: string; lost: string[]; gained: string[] }[]
}

export async function playMetamorphic(runs: number, seed: number): Promise<Metamorphic> {
  const random = new Random(seed)
  const facts = factsInProcess()
  const cases = metamorphicCases(seed)
  const languages = [...Map.groupBy(cases, ({ language }) => language).values()]
  const known = new Map<Case, string[]>()
  const result: Metamorphic = {
    changes: cases.length,
    played: 0,
    withFindings: 0,
    counts: {},
    differences: [],
  }
  while (result.played < runs) {
    const { rewrite, one, rewritten } = draw()
    const { restore = (words) => words } = rewritten
    const before = known.get(one) ?? (await findingsOf(one))
    known.set(one, before)
    const after = (await findingsOf(rewritten)).map(restore).sort()
    result.played++
    for (const name of [one.language, rewrite.name]) result.counts[name] = (result.counts[name] ?? 0) + 1
    if (before.length > 0) result.withFindings++
    const lost = without(before, after)
    const gained = without(after, before)
    if (lost.length + gained.length > 0)
      result.differences.push({ name: `${one.name}: ${rewrite.name}`, lost, gained })
  }
  return result

  /** Each rewrite as often as each other, and of the languages that it knows each as often as each other. */
  function draw() {
    for (let tries = 0, rewrite = random.pick(rewrites); ; tries++) {
      // It may be that hardly a change has what it needs.
      if (tries % 500 === 499) rewrite = random.pick(rewrites)
      const one = random.pick(random.pick(languages))
      const rewritten = rewrite.apply(one, random)
      if (rewritten && !isSame(one, rewritten)) return { rewrite, one, rewritten }
    }
  }

  /** Severity, rule and title, without lines, which are what a rewrite changes. */
  async function findingsOf({ base, head }: Sides): Promise<string[]> {
    const { verdicts } = await reviewTexts({ base, head }, facts)
    return verdicts
      .flatMap(({ finding }) => (finding ? [`${finding.severity} ${finding.rule} ${finding.title}`] : []))
      .map((words) => words.replace(/:\d+/g, ''))
      .sort()
  }
}

function isSame(one: Sides, other: Sides): boolean {
  return JSON.stringify([one.base, one.head]) === JSON.stringify([other.base, other.head])
}

/** Each as often as the other list does not have it. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return words.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
