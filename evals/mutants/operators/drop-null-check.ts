/** What may be absent is used without asking. */
import type { Operator } from '../contract.ts'
import { withoutGuards } from './guards.ts'

export const nullCondition = /undefined|null|nil|None|is_none|is_some|^not \w+$|^!ok$/

export const dropNullCheck: Operator = {
  name: 'drop-null-check',
  category: 'correctness',
  severity: 'high',
  context: 'file',
  mutate: (ground) =>
    withoutGuards(
      ground,
      (condition) => nullCondition.test(condition),
      (condition) =>
        `Nothing asks any more whether \`${condition}\`, so that an absent value is used as if it were there.`,
    ),
}
