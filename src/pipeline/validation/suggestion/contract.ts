/** What a guard of suggestions is. */
import type { Suggestion } from '../../../domain/finding.ts'
import type { Place } from '../anchor/place.ts'
import type { Bench, Walk } from '../step.ts'

/** Says in words why the suggestion must not be offered; null when nothing speaks against it. */
export type SuggestionGuard = (
  offered: { suggestion: Suggestion; walk: Walk; place: Place },
  bench: Bench,
) => string | null | Promise<string | null>
