/** Which planes there are, in the order of their weight: on a tie the earlier one's finding stands. */
import { UserError } from '../../base/errors.ts'
import { brokenCallersPlane } from './broken-callers/plane.ts'
import { coChangePlane } from './co-change/plane.ts'
import type { Plane } from './contract.ts'
import { duplicatePlane } from './duplicate/plane.ts'
import { hiddenTextPlane } from './hidden-text/plane.ts'
import { instructionsPlane } from './instructions/plane.ts'
import { rulesPlane } from './rules/plane.ts'
import { secretsPlane } from './secrets/plane.ts'
import { testsPlane } from './tests/plane.ts'

const planes: readonly Plane[] = [
  secretsPlane,
  hiddenTextPlane,
  instructionsPlane,
  brokenCallersPlane,
  rulesPlane,
  testsPlane,
  coChangePlane,
  duplicatePlane,
]

export const planeNames: readonly string[] = planes.map((plane) => plane.name)

/** Throws `config-invalid` for a name that no plane has; an empty `only` means all. */
export function choosePlanes(choice: { disable: readonly string[]; only: readonly string[] }): Plane[] {
  const unknown = [...choice.disable, ...choice.only].find((name) => !planeNames.includes(name))
  if (unknown !== undefined)
    throw new UserError(
      'config-invalid',
      `there is no plane \`${unknown}\`; there are ${planeNames.join(', ')}`,
    )
  return planes.filter(
    ({ name }) => !choice.disable.includes(name) && (choice.only.length === 0 || choice.only.includes(name)),
  )
}
