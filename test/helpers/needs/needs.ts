/**
 * What a test needs of the machine: `test('…', needs('bubblewrap'), async () => …)`, and so for `describe`. Where it is
 * missing the test is skipped, and the run ends with one list of what was left out (`left-out.ts`). Whatever the product
 * does without the thing has a test of its own, which hides it (`hide.ts`).
 */
import { inject, type TestOptions } from 'vitest'
import type { Thing } from './things.ts'

export function has(...needed: readonly Thing[]): boolean {
  return lackingOf(needed).length === 0
}

export function needs(...needed: readonly Thing[]): TestOptions {
  const lacking = lackingOf(needed)
  return lacking.length === 0 ? {} : { skip: true, meta: { lacking } }
}

function lackingOf(needed: readonly Thing[]): Thing[] {
  const here = inject('lacking')
  return needed.filter((thing) => here.includes(thing))
}
