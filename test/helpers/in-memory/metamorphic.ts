/** Reviews of the changes of the evaluation's worlds, and of their mutants, before and after rewrites that change no meaning. */
import { seedMutants } from '../../../evals/mutants/seed-mutants.ts'
import { readWorlds } from '../../../evals/worlds/read-worlds.ts'
import { Random } from '../random.ts'
import type { Texts } from './change.ts'
import { factsInProcess } from './facts.ts'
import { reviewTexts } from './review.ts'
import { rewrites } from './rewrites.ts'

type Case = { name: string; base: Texts; head: Texts }

export type Metamorphic = {
  /** Changes that were drawn from. */
  changes: number
  played: number
  /** Runs in which the review had any finding to lose. */
  withFindings: number
  differences: { name: string; lost: string[]; gained: string[] }[]
}

export async function playMetamorphic(runs: number, seed: number): Promise<Metamorphic> {
  const random = new Random(seed)
  const facts = factsInProcess()
  const cases = casesOf(seed)
  const known = new Map<Case, string[]>()
  const result: Metamorphic = { changes: cases.length, played: 0, withFindings: 0, differences: [] }
  while (result.played < runs) {
    const one = random.pick(cases)
    const rewrite = random.pick(rewrites)
    const rewritten = rewrite.apply(one, random)
    if (!rewritten) continue
    const before = known.get(one) ?? (await findingsOf(one))
    known.set(one, before)
    const after = await findingsOf(rewritten)
    result.played++
    if (before.length > 0) result.withFindings++
    const lost = before.filter((words) => !after.includes(words))
    const gained = after.filter((words) => !before.includes(words))
    if (lost.length + gained.length > 0 || before.length !== after.length)
      result.differences.push({ name: `${one.name}: ${rewrite.name}`, lost, gained })
  }
  return result

  /** Severity, rule and title, without lines and folders, which are what a rewrite changes. */
  async function findingsOf({ base, head }: Pick<Case, 'base' | 'head'>): Promise<string[]> {
    const { verdicts } = await reviewTexts({ base, head }, facts)
    return verdicts
      .flatMap(({ finding }) => (finding ? [`${finding.severity} ${finding.rule} ${finding.title}`] : []))
      .map((words) => words.replaceAll('inner/', '').replace(/:\d+/g, ''))
      .sort()
  }
}

function casesOf(seed: number): Case[] {
  return readWorlds().flatMap((world) => {
    const texts = (at: number): Texts => Object.fromEntries(world.commits[at]?.files ?? [])
    const clean = world.commits.slice(1).map((_, at) => ({
      name: `${world.name} ${at + 1}`,
      base: texts(at),
      head: texts(at + 1),
    }))
    const faulty = seedMutants(world, seed).map(({ operator, mutation, change }) => ({
      name: `${world.name} ${change} ${operator.name}`,
      base: texts(change - 1),
      head: { ...texts(change), ...Object.fromEntries(mutation.files) },
    }))
    return [...clean, ...faulty]
  })
}
