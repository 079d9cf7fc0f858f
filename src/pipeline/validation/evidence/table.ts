/** Evidence by id, as the bundle has it. */
import type { Evidence } from '../../../domain/evidence.ts'

export type EvidenceTable = ReadonlyMap<string, Evidence>
