/** A plane that the change gives nothing to do is not asked, and code decides that. */
import { expect, test } from 'vitest'
import { listModelPlanes } from '../../../src/pipeline/reviewer/panel/model-planes.ts'
import { deepPanel, onePanel, withoutIdlePlanes } from '../../../src/pipeline/reviewer/panel/panels.ts'

const planes = listModelPlanes().filter(({ byDefault }) => byDefault)
const silent = { title: '', body: ' ' }

test('where nobody says what the change is for, nobody compares it with that', () => {
  const { panel, idle } = withoutIdlePlanes(deepPanel(planes), silent)
  expect(panel.planes.map(({ name }) => name)).not.toContain('intent')
  expect(panel.planes).toHaveLength(planes.length - 1)
  expect(idle).toEqual([{ plane: 'intent', reason: 'the change has no title, description or ticket' }])
})

test.each([
  ['a title', { title: 'Round prices', body: '' }],
  ['a description', { title: '', body: 'Prices are rounded.' }],
])('%s is enough', (_name, request) => {
  expect(withoutIdlePlanes(deepPanel(planes), request)).toMatchObject({ idle: [], panel: { planes } })
})

test('the one reviewer of the other depths is always asked', () => {
  expect(withoutIdlePlanes(onePanel('standard'), silent).idle).toEqual([])
})
