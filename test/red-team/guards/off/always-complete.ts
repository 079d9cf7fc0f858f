/** What was not answered counts as read. */
import type { Coverage } from '../../../../src/domain/coverage.ts'
import {
  type CoverageInput,
  buildCoverage as realCoverage,
} from '../../../../src/pipeline/conclude/coverage.ts'

export * from '../../../../src/pipeline/conclude/coverage.ts'

export function buildCoverage(input: CoverageInput): Coverage {
  return { ...realCoverage(input), complete: true }
}
