/** A plane that the change gives nothing to do is not asked, and code decides that. */
import { describe, expect, test } from 'vitest'
import type { FileChange } from '../../../src/domain/change-set.ts'
import { listModelPlanes } from '../../../src/pipeline/reviewer/panel/model-planes.ts'
import { deepPanel, onePanel, withoutIdlePlanes } from '../../../src/pipeline/reviewer/panel/panels.ts'
import type { Texts } from '../../helpers/in-memory/change.ts'
import { contextOf, createWorld, symbol, symbolChange } from '../validation/world.ts'

const planes = listModelPlanes().filter(({ byDefault }) => byDefault)
const source = { 'src/a.ts': 'export const one = 1\n' }
const untested = contextOf(createWorld({}, source).change)
const told = { ...untested, request: { ...untested.request, title: 'Round prices', body: '' } }
const silent = { ...untested, request: { ...untested.request, title: '', body: ' ' } }
const noSign = 'no changed line, function or path has a sign of input, output, data, rights or secrets'
const nothing = { candidates: [], leaveOut: [] }
const tests = [{ path: 'test/a.test.ts', changed: false }]

test('where nobody says what the change is for, and no test names it, nobody is asked about either', () => {
  const { panel, idle } = withoutIdlePlanes(deepPanel(planes), silent, nothing)
  expect(panel.planes.map(({ name }) => name)).toEqual(['correctness', 'contract', 'performance'])
  expect(idle).toEqual([
    { plane: 'security', reason: noSign },
    { plane: 'tests', reason: 'the change has no test, and no test names what it changes' },
    { plane: 'intent', reason: 'the change has no title, description, commit message or ticket' },
  ])
})

test.each([
  ['a title', told],
  ['a commit message', { ...silent, request: { ...silent.request, messages: ['Prices are rounded.'] } }],
  ['a description', { ...told, request: { ...told.request, title: '', body: 'Prices are rounded.' } }],
])('%s is enough for the comparison with it', (_name, context) => {
  expect(withoutIdlePlanes(deepPanel(planes), context, nothing).idle.map(({ plane }) => plane)).toEqual([
    'security',
    'tests',
  ])
})

test('without the words of the author, the comparison with them is asked only for a ticket', () => {
  const leaveOut = ['author'] as const
  const idle = (context: typeof told) =>
    withoutIdlePlanes(deepPanel(planes), context, { candidates: [], leaveOut }).idle.map(({ plane }) => plane)
  expect(idle(told)).toContain('intent')
  const words = { title: 'Round', body: '', labels: [], linkedBy: 'Fixes #1', criteria: [], cut: null }
  const tickets = [{ id: 'github:acme/shop#1', state: 'open' as const, ...words }]
  expect(idle({ ...told, request: { ...told.request, tickets } })).not.toContain('intent')
})

describe('security', () => {
  const isAsked = (before: Texts, after: Texts, options: Parameters<typeof createWorld>[2] = {}) => {
    const context = contextOf(createWorld(before, after, options).change)
    const { panel } = withoutIdlePlanes(deepPanel(planes), { ...context, request: told.request }, nothing)
    return panel.planes.some(({ name }) => name === 'security')
  }

  test.each<[string, Texts, Texts]>([
    ['arithmetic', {}, { 'src/sum.ts': 'export const twice = (a: number) => a * 2\n' }],
    ['a label', { 'src/label.ts': "const a = 'One'\n" }, { 'src/label.ts': "const a = 'Two'\n" }],
    ['a style', { 'src/a.css': 'a { color: red }\n' }, { 'src/a.css': 'a { color: blue }\n' }],
    ['a test', {}, { 'test/a.test.ts': "login('password')\n" }],
  ])('is not asked about %s', (_, before, after) => {
    expect(isAsked(before, after)).toBe(false)
  })
  test.each<[string, Texts, Texts]>([
    ['a removed condition', { 'src/a.ts': 'if (a > b) c()\nd()\n' }, { 'src/a.ts': 'd()\n' }],
    ['input', {}, { 'src/a.ts': 'go(query)\n' }],
    ['a path that says so', {}, { 'src/auth/a.ts': 'const a = 1\n' }],
    ['a name made of several words', {}, { 'src/a.ts': 'const a = newSessionOf(b)\n' }],
    ['a document that steers models', {}, { 'AGENTS.md': 'Be kind.\n' }],
    ['a style that loads', {}, { 'src/a.css': 'a { background: url(//a.b/c) }\n' }],
  ])('is asked about %s', (_, before, after) => {
    const [path = ''] = Object.keys(after)
    const files = path.endsWith('.md') ? { [path]: { role: 'docs' as const } } : {}
    expect(isAsked(before, after, { files })).toBe(true)
  })
  test.each<[string, Partial<FileChange>]>([
    ['a language where any line may matter', { language: 'c' }],
    ['an unknown language', { language: null }],
    ['configuration', { role: 'config' }],
    ['data', { role: 'data' }],
    ['a file of which lines are missing', { omitted: 'only the first 500 hunks' }],
    ['a file that may be run now', { oldMode: '100644', newMode: '100755' }],
  ])('is asked about %s', (_, file) => {
    const after = { 'src/a.ts': 'const a = 1\n' }
    expect(isAsked({}, after)).toBe(false)
    expect(isAsked({}, after, { files: { 'src/a.ts': file } })).toBe(true)
  })
  test('is asked where code found something, where a changed function takes input, and where files are not listed', () => {
    const { change } = createWorld({}, { 'src/a.ts': 'const a = 1\n' })
    const quiet = { ...contextOf(change), request: told.request }
    const asked = (context: typeof quiet, candidates: { category: 'security' }[] = []) =>
      withoutIdlePlanes(deepPanel(planes), context, { candidates, leaveOut: [] }).panel.planes.some(
        ({ name }) => name === 'security',
      )
    expect(asked(quiet)).toBe(false)
    expect(asked(quiet, [{ category: 'security' }])).toBe(true)
    expect(asked({ ...quiet, change: { ...quiet.change, overflow: ['z.ts'] } })).toBe(true)
    const login = symbolChange({ kind: 'added', after: { path: 'src/a.ts', symbol: symbol('login', 1) } })
    expect(asked({ ...quiet, symbols: [login] })).toBe(true)
  })
})

test.each([
  ['a changed test', { ...told, ...contextOf(createWorld({}, { 'test/a.test.ts': 'one()\n' }).change) }, []],
  ['a test of a changed symbol', { ...told, tests: [{ symbol: 'one', path: 'src/a.ts', tests }] }, []],
  ['a finding of code about tests', told, [{ category: 'tests' as const }]],
])('%s is enough for the plane of tests', (_name, context, candidates) => {
  const { idle } = withoutIdlePlanes(deepPanel(planes), context, { candidates, leaveOut: [] })
  expect(idle.map(({ plane }) => plane)).not.toContain('tests')
})

test('somebody is asked in any case: a plane that is asked for alone, the one reviewer of the other depths', () => {
  const alone = deepPanel(planes.filter(({ name }) => name === 'intent'))
  expect(withoutIdlePlanes(alone, silent, nothing)).toEqual({ panel: alone, idle: [] })
  expect(withoutIdlePlanes(onePanel('standard'), silent, nothing).idle).toEqual([])
})
