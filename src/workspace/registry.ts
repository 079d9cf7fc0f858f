/** All kinds of shared contracts. */
import type { ContractKind } from './contract.ts'

export const contractKinds: readonly ContractKind[] = []
