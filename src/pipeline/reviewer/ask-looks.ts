/** Puts the planned questions, in an order that lets providers read most of each from their cache. */
import type { EvidenceBook } from '../../domain/evidence.ts'
import type { Gateway } from '../../llm/contract.ts'
import type { ReviewerInput } from './contract.ts'
import { begin, type Conversation } from './conversation.ts'
import { followUpRound } from './follow-up/round.ts'
import type { PlannedLook } from './plan-questions.ts'

/** Groups that are asked about side by side. */
const atOnce = 4

/**
 * In the order of `looks`. Groups go in waves, each settled before the next begins, so that what a budget allows does
 * not depend on who is faster. In a wave one plane of each group goes first, and the others when it has been answered.
 */
export async function askLooks(
  looks: readonly PlannedLook[],
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const { gateway, config, onEvent } = input
  const groups = [...Map.groupBy(looks, ({ group }) => group).values()]
  const done: Conversation[] = []
  for (let from = 0; from < groups.length; from += atOnce) {
    const wave = groups.slice(from, from + atOnce).flat()
    const tell = (answered: number): void =>
      onEvent({ type: 'stage-progress', stage: 'review', done: done.length + answered, total: looks.length })
    let talks = await askWave(wave, gateway, tell)
    // One round more than there may be follow-ups: in it, what is still wanted is refused and told.
    for (let round = 1; round <= config.review.followUps + 1; round++)
      talks = await followUpRound(talks, round, input, book)
    done.push(...talks)
  }
  return done
}

async function askWave(
  wave: readonly PlannedLook[],
  gateway: Gateway,
  tell: (answered: number) => void,
): Promise<Conversation[]> {
  const answered = new Map<PlannedLook, Conversation>()
  const first = firstOfEach(wave)
  for (const part of [first, wave.filter((look) => !first.includes(look))]) {
    const replies = await gateway.askAll(part.map(({ question }) => question))
    for (const [index, look] of part.entries()) {
      const reply = replies[index]
      if (reply) answered.set(look, begin(look, reply))
    }
    if (part.length > 0) tell(answered.size)
  }
  return wave.flatMap((look) => answered.get(look) ?? [])
}

/** Of each group, and there of each effort: what was read with one effort is not in the cache for another. */
function firstOfEach(wave: readonly PlannedLook[]): PlannedLook[] {
  const seen = new Set<string>()
  return wave.filter(({ group, plane }) => {
    const key = `${group} ${plane.effort}`
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst
  })
}
