/** The one turn in which a model may correct its answer. */
import type { Turn } from '../contract.ts'

/** Of a hopeless answer the beginning is enough to see what was meant. Characters. */
const longestQuoted = 60_000

/** The question's turns with the answer and what is wrong with it. An empty answer cannot stand as a turn. */
export function repairTurns(turns: readonly Turn[], text: string, problems: readonly string[]): Turn[] {
  const asked = `Your answer could not be used:\n${problems.map((one) => `- ${one}`).join('\n')}\n
Answer again with the whole JSON object of the required shape, and nothing else. Keep the parts that were right.`
  const last = turns.at(-1)
  if (text.trim() === '' && last?.from === 'user')
    return [...turns.slice(0, -1), { ...last, parts: [...last.parts, { text: asked }] }]
  return [
    ...turns,
    { from: 'model', parts: [{ text: text.slice(0, longestQuoted) }] },
    { from: 'user', parts: [{ text: asked }] },
  ]
}
