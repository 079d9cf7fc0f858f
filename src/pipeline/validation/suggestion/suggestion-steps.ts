/**
 * Step 5: a suggestion is code that somebody commits with one click, so it must be harmless, apply and parse. One that
 * is harmless to look at and must not be offered becomes an example; the finding itself stays in any case.
 */
import type { Candidate, Suggestion } from '../../../domain/finding.ts'
import { checkTypes } from '../checker/check-types.ts'
import { type Bench, placeOf, type StepResult, type ValidationStep, type Walk } from '../step.ts'
import { applySuggestion, doesNotApply, isIdentical } from './applies.ts'
import type { SuggestionGuard } from './contract.ts'
import { isElsewhere, isTooLarge } from './extent.ts'
import { isHidden, isOnProtectedFile, isUnnamed } from './harmless.ts'
import { doesNotParse } from './parses.ts'

/** Those that reject come first, so that nothing harmful is left as an example. */
export const suggestionSteps: readonly ValidationStep[] = [
  guard('protected files', isOnProtectedFile, 'gone'),
  guard('size of the suggestion', isTooLarge, 'gone'),
  guard('visible suggestion', isHidden, 'gone'),
  guard('foreign literals', isUnnamed, 'gone'),
  guard('place of the suggestion', isElsewhere, 'example'),
  guard('suggestion applies', doesNotApply, 'example'),
  guard('new code', isIdentical, 'example'),
  guard('suggestion parses', doesNotParse, 'example'),
  { name: 'suggestion type-checks', step: 'suggestion', run: checkTyped },
]

function guard(name: string, fault: SuggestionGuard, fate: 'gone' | 'example'): ValidationStep {
  return {
    name,
    step: 'suggestion',
    async run(walk, bench) {
      const { suggestion } = walk.candidate
      if (!suggestion) return {}
      const reason = await fault({ suggestion, walk, place: placeOf(walk) }, bench)
      return reason === null ? {} : withhold(walk.candidate, suggestion, reason, fate)
    },
  }
}

function withhold(
  candidate: Candidate,
  { replacement }: Suggestion,
  reason: string,
  fate: 'gone' | 'example',
): StepResult {
  const example = fate === 'example' && replacement.trim() !== '' ? { example: replacement } : {}
  return {
    candidate: { ...candidate, suggestion: null, ...example },
    demotions: [`suggestion ${'example' in example ? 'shown as an example only' : 'left out'}: ${reason}`],
  }
}

/** The last look, and the slowest; then it is told what was seen of the suggestion. */
async function checkTyped({ candidate }: Walk, { sources, checker }: Bench): Promise<StepResult> {
  const { suggestion } = candidate
  if (!suggestion) return {}
  const text = await applySuggestion(suggestion, sources)
  const typed = text === null ? null : await checkTypes(checker, suggestion.path, text)
  if (typed && typed.fault !== null) return withhold(candidate, suggestion, typed.fault, 'example')
  const isParsed = (await sources.facts('new', suggestion.path)) !== null
  const seen = ['applies', ...(isParsed ? ['parses'] : []), ...(typed?.verified ? [typed.verified] : [])]
  return {
    verifiedBy: [
      `the suggestion ${seen.slice(0, -1).join(', ')}${seen.length > 1 ? ' and ' : ''}${seen.at(-1)}`,
    ],
  }
}
