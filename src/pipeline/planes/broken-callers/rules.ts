/** The stable ids of the checks. */
import type { Failure } from './sides.ts'
import type { Subject } from './subject.ts'

export function ruleFor(subject: Subject, failure: Failure): string {
  if (failure === 'arity') return 'contract/signature-arity'
  if (failure === 'keyword') return 'contract/removed-parameter'
  if (failure === 'required') return 'contract/required-parameter'
  if (failure === 'hidden') return 'contract/visibility-reduced'
  if (failure === 'implement') return 'contract/implementer-not-updated'
  if (failure === 'override') return 'contract/override-not-updated'
  if (failure === 'module') return 'contract/missing-module'
  if (subject.kind !== 'symbol' || subject.fate === 'changed') return 'contract/import-not-exported'
  return `contract/${subject.fate}-symbol`
}
