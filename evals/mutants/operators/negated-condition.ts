/** A condition says the opposite. */
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const turns: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ == /, ' != '],
  [/ != /, ' == '],
  [/ is not None/, ' is None'],
  [/ is None/, ' is not None'],
  [/\bif not (?=\w+:)/, 'if '],
  [/\bif \(!/, 'if ('],
  [/\bif !(?=\w)/, 'if '],
]

export const negatedCondition: Operator = {
  name: 'negated-condition',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line) => {
        const turn = turns.find(([pattern]) => pattern.test(line))
        return turn ? line.replace(turn[0], turn[1]) : null
      },
      (line) => `The condition of \`${line}\` is turned round, so that the wrong branch is taken.`,
    ),
}
