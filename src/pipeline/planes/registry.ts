/** Which planes there are, in the order of their weight: on a tie the earlier one's finding stands. */
import { brokenCallersPlane } from './broken-callers/plane.ts'
import { coChangePlane } from './co-change/plane.ts'
import type { Plane } from './contract.ts'
import { duplicatePlane } from './duplicate/plane.ts'
import { hiddenTextPlane } from './hidden-text/plane.ts'
import { instructionsPlane } from './instructions/plane.ts'
import { rulesPlane } from './rules/plane.ts'
import { secretsPlane } from './secrets/plane.ts'
import { testsPlane } from './tests/plane.ts'
import { ticketPlane } from './ticket/plane.ts'

export const planes: readonly Plane[] = [
  secretsPlane,
  hiddenTextPlane,
  instructionsPlane,
  brokenCallersPlane,
  rulesPlane,
  testsPlane,
  coChangePlane,
  duplicatePlane,
  ticketPlane,
]

export const planeNames: readonly string[] = planes.map(({ name }) => name)
