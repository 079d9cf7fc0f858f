/** A plane that the change gives nothing to do is not asked, and code decides that. */
import { expect, test } from 'vitest'
import { listModelPlanes } from '../../../src/pipeline/reviewer/panel/model-planes.ts'
import { deepPanel, onePanel, withoutIdlePlanes } from '../../../src/pipeline/reviewer/panel/panels.ts'
import { contextOf, createWorld } from '../validation/world.ts'

const planes = listModelPlanes().filter(({ byDefault }) => byDefault)
const source = { 'src/a.ts': 'export const one = 1\n' }
const untested = contextOf(createWorld({}, source).change)
const told = { ...untested, request: { ...untested.request, title: 'Round prices', body: '' } }
const silent = { ...untested, request: { ...untested.request, title: '', body: ' ' } }
const tests = [{ path: 'test/a.test.ts', changed: false }]

test('where nobody says what the change is for, and no test uses it, nobody is asked about either', () => {
  const { panel, idle } = withoutIdlePlanes(deepPanel(planes), silent, [])
  expect(panel.planes.map(({ name }) => name)).toEqual(['correctness', 'contract', 'security', 'performance'])
  expect(idle).toEqual([
    { plane: 'intent', reason: 'the change has no title, description, commit message or ticket' },
    { plane: 'tests', reason: 'the change has no test, and no test uses what it changes' },
  ])
})

test.each([
  ['a title', told],
  ['a commit message', { ...silent, request: { ...silent.request, messages: ['Prices are rounded.'] } }],
  ['a description', { ...told, request: { ...told.request, title: '', body: 'Prices are rounded.' } }],
])('%s is enough for the comparison with it', (_name, context) => {
  expect(withoutIdlePlanes(deepPanel(planes), context, []).idle.map(({ plane }) => plane)).toEqual(['tests'])
})

test.each([
  ['a changed test', { ...told, ...contextOf(createWorld({}, { 'test/a.test.ts': 'one()\n' }).change) }, []],
  ['a test of a changed symbol', { ...told, tests: [{ symbol: 'one', path: 'src/a.ts', tests }] }, []],
  ['a finding of code about tests', told, [{ category: 'tests' as const }]],
])('%s is enough for the plane of tests', (_name, context, candidates) => {
  const { idle } = withoutIdlePlanes(deepPanel(planes), context, candidates)
  expect(idle.map(({ plane }) => plane)).not.toContain('tests')
})

test('somebody is asked in any case: a plane that is asked for alone, the one reviewer of the other depths', () => {
  const alone = deepPanel(planes.filter(({ name }) => name === 'intent'))
  expect(withoutIdlePlanes(alone, silent, [])).toEqual({ panel: alone, idle: [] })
  expect(withoutIdlePlanes(onePanel('standard'), silent, []).idle).toEqual([])
})
