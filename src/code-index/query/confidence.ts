/** How far an edge can be trusted. The numbers are an order, not measured shares. */
import type { Certainty } from '../resolve/contract.ts'
import type { EdgeHow } from './contract.ts'

const byHow: Readonly<Record<EdgeHow, number>> = {
  'same file': 1,
  import: 1,
  'same package': 1,
  're-export chain': 0.95,
  'receiver type': 0.9,
  inherited: 0.85,
  'unique name': 0.5,
  ambiguous: 0.4,
  'language server': 1,
}

/** What holds by convention only counts for a tenth less. */
export function confidenceOf(how: EdgeHow, certainty: Certainty): number {
  const full = byHow[how]
  return certainty === 'certain' ? full : Math.round(full * 90) / 100
}
