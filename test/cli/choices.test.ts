/** The words spelled out for a fast start are those of the schemas. */
import { expect, test } from 'vitest'
import { depthNames, formatNames, planeNames, severityNames } from '../../src/cli/input/choices.ts'
import { Depth } from '../../src/domain/review.ts'
import { severities } from '../../src/domain/severity.ts'
import { formatNames as formatsThereAre, listPlaneNames } from '../../src/index.ts'

test('options offer what the schemas know, in their order', () => {
  expect(severityNames).toEqual(severities)
  expect(depthNames).toEqual(Depth.options)
  expect(formatNames).toEqual(formatsThereAre)
  expect(planeNames).toEqual(listPlaneNames())
})
