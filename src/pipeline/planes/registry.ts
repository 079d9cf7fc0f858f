/** All planes of code, in order of weight: of two equal findings, the one of the earlier plane is kept. */
import { acrossPlane } from './across/plane.ts'
import { contractPlane } from './contract/plane.ts'
import type { Plane } from './contract.ts'
import { duplicatePlane } from './duplicate/plane.ts'
import { hiddenTextPlane } from './hidden-text/plane.ts'
import { instructionsPlane } from './instructions/plane.ts'
import { lintersPlane } from './linters/plane.ts'
import { newCodePlane } from './new-code/plane.ts'
import { rulesPlane } from './rules/plane.ts'
import { secretsPlane } from './secrets/plane.ts'
import { testsPlane } from './tests/plane.ts'
import { ticketPlane } from './ticket/plane.ts'

export const planes: readonly Plane[] = [
  secretsPlane,
  hiddenTextPlane,
  instructionsPlane,
  contractPlane,
  acrossPlane,
  newCodePlane,
  rulesPlane,
  lintersPlane,
  testsPlane,
  duplicatePlane,
  ticketPlane,
]

export const planeNames: readonly string[] = planes.map(({ name }) => name)

/** Planes that are no more, which settings may still turn off. */
export const formerPlaneNames: readonly string[] = ['co-change']
