/** The planes spelled out for a fast start are those that there are. */
import { expect, test } from 'vitest'
import { planeNames } from '../../src/cli/input/choices.ts'
import { listPlaneNames } from '../../src/index.ts'

test('options offer the planes that there are, in their order', () => {
  expect(planeNames).toEqual(listPlaneNames())
})
