/** A case that was turned away now goes through. */
import type { Operator } from '../contract.ts'
import { nullCondition } from './drop-null-check.ts'
import { withoutGuards } from './guards.ts'

export const dropGuard: Operator = {
  name: 'drop-guard',
  category: 'correctness',
  severity: 'high',
  context: 'file',
  mutate: (ground) =>
    withoutGuards(
      ground,
      (condition) => !nullCondition.test(condition),
      (condition) =>
        `The check for \`${condition}\` is missing, so that the case it turned away goes through.`,
    ),
}
