/** The rules plane on whole changes. */
import { expect, test } from 'vitest'
import { Config } from '../../../../src/config/schema.ts'
import { rulesPlane } from '../../../../src/pipeline/planes/rules/plane.ts'
import { createRepo } from '../../../helpers/git-repo.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange, reviewCommit } from '../review-commit.ts'

const review = (before: Texts, after: Changed, config: unknown = {}) =>
  reviewChange(rulesPlane, before, after, { config: Config.parse(config) })

const bug = 'if (a.kind === a.kind) stop()\n'

test('a built-in rule on an added line, with evidence, claim and the captured words', async () => {
  const { findings, evidence, limits } = await review(
    { 'src/a.ts': 'start()\n' },
    { 'src/a.ts': `start()\n${bug}` },
  )
  expect(limits).toEqual([])
  expect(findings).toMatchObject([
    {
      rule: 'js/self-comparison',
      severity: 'high',
      title: '`a.kind` is compared with itself',
      startLine: 2,
      claims: [{ kind: 'rule-matches', rule: 'js/self-comparison', path: 'src/a.ts', line: 2 }],
      preExisting: false,
    },
  ])
  expect(evidence[0]).toMatchObject({ source: 'diff', startLine: 2, text: bug.trim() })
})

test.each([
  ['stood there before', { 'src/a.ts': bug }, { 'src/a.ts': `${bug}more()\n` }],
  ['was re-indented', { 'src/a.ts': bug }, { 'src/a.ts': `if (x) {\n    ${bug}}\n` }],
  ['moved inside the file', { 'src/a.ts': `${bug}b()\nc()\nd()\n` }, { 'src/a.ts': `b()\nc()\nd()\n${bug}` }],
  [
    'moved to another file',
    { 'src/a.ts': `${bug}export {}\n`, 'src/b.ts': 'export {}\n' },
    { 'src/a.ts': 'export {}\n', 'src/b.ts': `export {}\n${bug}` },
  ],
  ['went away', { 'src/a.ts': `${bug}b()\n` }, { 'src/a.ts': 'b()\n' }],
  ['stands in vendored code', { 'vendor/x/a.ts': 'export {}\n' }, { 'vendor/x/a.ts': bug }],
  ['stands in a test', {}, { 'test/a.test.ts': bug }],
])('silent when the code %s', async (_, before, after) => {
  expect(outcomesOf(await review(before, after))).toEqual([])
})

const waits = (body: string, callee = 'items.forEach') =>
  `async function run(items) {\n  ${callee}(async (item) => {\n    ${body}\n  })\n}\n`
const executor = (body: string) =>
  `export const load = () =>\n  new Promise(async (resolve) => {\n    const one = await first()\n    ${body}\n  })\n`

test.each([
  [
    'a callback that was async before',
    { 'src/a.js': waits('await save(item)') },
    { 'src/a.js': waits('await store(item, 1)') },
  ],
  [
    'an executor above the changed line',
    { 'src/a.ts': executor('resolve(one)') },
    { 'src/a.ts': executor('resolve(one + 1)') },
  ],
])('silent on %s, whose body alone changed', async (_, before: Texts, after: Changed) => {
  expect(outcomesOf(await review(before, after))).toEqual([])
})

test('silent on an executor in a file that was renamed, whose body alone changed', async () => {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': executor('resolve(one)') })
  repo.commit({ 'src/a.ts': null, 'src/b.ts': executor('resolve(one + 1)') })
  expect(outcomesOf(await reviewCommit(rulesPlane, repo.path))).toEqual([])
})

test('what a rule is about may be in the line that changed, in the body, or in another place', async () => {
  const became = await review(
    { 'src/a.js': waits('await save(item)').replace('async (item)', '(item)') },
    { 'src/a.js': waits('await save(item)') },
  )
  expect(outcomesOf(became)).toEqual(['src/a.js:2 js/async-for-each'])
  const waitsNow = await review(
    { 'src/a.js': waits('save(item)') },
    { 'src/a.js': waits('await save(item)') },
  )
  expect(outcomesOf(waitsNow)).toEqual(['src/a.js:3 js/async-for-each'])
  const other = await review(
    { 'src/a.js': waits('await save(item)') },
    { 'src/a.js': `${waits('save(item)')}${waits('await store(item)').replace('run', 'walk')}` },
  )
  expect(outcomesOf(other)).toEqual(['src/a.js:7 js/async-for-each'])
})

test('what a test holds is judged, what tests are tried on is not', async () => {
  const compared = 'def test_one():\n    if 786 is 786:\n        return True\n'
  expect(outcomesOf(await review({}, { 'tests/test_one.py': compared }))).toEqual([
    'tests/test_one.py:2 py/identity-with-literal',
  ])
  const severityIn = async (path: string) => (await review({}, { [path]: compared })).findings[0]?.severity
  expect([await severityIn('one.py'), await severityIn('tests/test_one.py')]).toEqual(['high', 'medium'])
  const data = compared.replace('test_one', 'compared')
  expect(outcomesOf(await review({}, { 'tests/functional/compared.py': data }))).toEqual([])
})

test('a copy of old code is new', async () => {
  const told = await review({ 'src/a.ts': bug }, { 'src/a.ts': `${bug}more()\n${bug}` })
  expect(told.findings).toHaveLength(1)
})

test('few places are told one by one, many together', async () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, i) => `if (x${i}.y === x${i}.y) f()\n`).join('')
  expect((await review({}, { 'src/a.ts': lines(3) })).findings).toHaveLength(3)
  const { findings } = await review({}, { 'src/a.ts': lines(60) })
  expect(findings).toHaveLength(1)
  expect(findings[0]?.title).toContain('(60 places)')
  expect(findings[0]).toMatchObject({ startLine: 1, endLine: 1 })
  expect(findings[0]?.explanation).toMatch(/\n\nOn lines 1, 2, 3, .*, 20 and 40 more lines\.$/)
})

test('places far apart are no span of lines', async () => {
  const apart = Array.from({ length: 5 }, () => `${bug}one()\ntwo()\n`).join('')
  const { findings } = await review({}, { 'src/a.ts': apart })
  expect(findings.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([[1, 1]])
  expect(findings[0]?.explanation).toContain('On lines 1, 4, 7, 10 and 13.')
})

test('a rule without a note says its message once', async () => {
  const rule = 'id: stop\nlanguage: ts\nmessage: Calls stop\nrule: { pattern: stop() }\n'
  const { findings } = await review({ '.sightline/rules/stop.yaml': rule }, { 'src/a.ts': 'stop()\n' })
  expect(findings.map(({ title, explanation }) => [title, explanation])).toEqual([['Calls stop', '']])
})

test('each language has its own rules', async () => {
  const told = await review(
    {},
    {
      'a.py': 'def f(x=[]):\n    x.append(1)\n',
      'a.go': 'package a\n\nfunc f() { time.Sleep(5) }\n',
      'src/lib.rs': 'fn f(a: A) -> bool { a.x == a.x }\n',
      'A.java': 'class A { boolean f(String s) { return s == "a"; } }\n',
      'a.jsx': 'const a = <b>{x === NaN}</b>\n',
      'a.tsx': 'const a = <b>{x === NaN}</b>\n',
      'a.ts': 'const a = <T>(x: T) => x === NaN\n',
      // What a test compares with does not run.
      'test/samples/block/expected.tsx': 'const a = <b>{x === NaN}</b>\n',
    },
  )
  expect(outcomesOf(told).sort()).toEqual([
    'A.java:1 java/string-identity',
    'a.go:3 go/sleep-without-unit',
    'a.jsx:1 js/compare-nan',
    'a.py:1 py/mutable-default',
    'a.ts:1 js/compare-nan',
    'a.tsx:1 js/compare-nan',
    'src/lib.rs:1 rust/self-comparison',
  ])
})

const own = `id: no-moment
language: [typescript, tsx]
severity: warning
message: '\`$NAME\` comes from moment'
note: We use the standard library.
rule:
  kind: import_statement
  pattern: import $NAME from 'moment'
fix: import $NAME from './time.ts'
files: ['src/**']
`

test('own rules are read from the base, never from the change', async () => {
  const use = "import moment from 'moment'\n"
  const path = '.sightline/rules/moment.yaml'
  const { findings } = await review({ [path]: own }, { [path]: null, 'src/a.ts': use, 'lib/a.ts': use })
  expect(findings.map(({ anchor, rule, severity }) => [anchor.path, rule, severity])).toEqual([
    ['src/a.ts', 'no-moment', 'medium'],
  ])
  expect((await review({}, { [path]: own, 'src/a.ts': use })).findings).toEqual([])
})

test('a fix becomes a suggestion where it names what it changes', async () => {
  const rule = own.replace("'./time.ts'", "'moment'").replace('import $NAME from', 'import * as $NAME from')
  const swapped = rule.replace('pattern: import * as $NAME', 'pattern: import $NAME')
  const { findings } = await review(
    { '.sightline/rules/a.yml': swapped.replace('fix: import $NAME', 'fix: import * as $NAME') },
    { 'src/a.ts': "x()\nimport moment from 'moment'\n" },
  )
  expect(findings[0]?.suggestion).toEqual({
    path: 'src/a.ts',
    startLine: 2,
    endLine: 2,
    replacement: "import * as moment from 'moment'",
  })
})

test('broken rules are named, with file and line, and the others go on', async () => {
  const { findings, limits } = await review(
    {
      '.sightline/rules/a.yaml': 'id: a\nlanguage: ts\nmessage: m\nrule:\n  patern: x\n',
      '.sightline/rules/b.yaml': 'id: b\nlanguage: ts\nmessage: m\nrule:\n  kind: no_such_kind\n',
      '.sightline/rules/c.yaml':
        'id: c\nlanguage: ts\nmessage: m\nrule:\n  all: [{ regex: "(?=x)" }, { kind: identifier }]\n',
      '.sightline/rules/d.yaml': 'id: d\nlanguage: ts\nmessage: a call of stop\nrule:\n  pattern: stop()\n',
      '.sightline/rules/e.yaml': 'id: js/debugger\nlanguage: ts\nmessage: m\nrule: { kind: identifier }\n',
    },
    { 'src/a.ts': 'stop()\n' },
  )
  expect(findings.map(({ rule }) => rule)).toEqual(['d'])
  expect(limits).toHaveLength(4)
  expect(limits[0]).toBe(
    'rule left out: .sightline/rules/a.yaml:5:3 There is no key `patern` here; did you mean `pattern`?',
  )
  expect(limits[1]).toContain('.sightline/rules/e.yaml:4 the id `js/debugger` is taken')
  expect(limits[2]).toMatch(/b\.yaml:4 `b`: .*Kind `no_such_kind` is invalid/)
  expect(limits[3]).toMatch(/c\.yaml:4 `c`: .*look-around/)
})

test('a rule that would compare too many cases is named, and the others go on', async () => {
  const cases = Array.from({ length: 900 }, (_, at) => `case ${at}: break\n`).join('')
  const told = await review({}, { 'src/a.ts': `switch (x) {\n${cases}}\n${bug}` })
  expect(outcomesOf(told)).toEqual(['src/a.ts:903 js/self-comparison'])
  expect(told.limits).toEqual([
    'src/a.ts: rule `js/duplicate-case` would take too long: too many nodes in one row',
  ])
})

test('rules and folders of rules can be switched', async () => {
  const files = { 'src/a.ts': `${bug}stop()\n` }
  const disable = { rules: { disable: ['js/self-comparison'] } }
  expect((await review({}, files, disable)).findings).toEqual([])
  const stop = 'id: stop\nlanguage: ts\nmessage: stops\nrule: { pattern: stop() }\n'
  const moved = { rules: { paths: ['lint/rules/'], disable: ['js/self-comparison'] } }
  const { findings } = await review({ 'lint/rules/deep/stop.yaml': stop }, files, moved)
  expect(findings.map(({ rule, startLine }) => `${rule}:${startLine}`)).toEqual(['stop:1', 'stop:2'])
})

test('the same review twice is the same, byte for byte', async () => {
  const files = { 'src/a.ts': `${bug}debugger\nif (b.c === b.c) x()\n`, 'a.py': 'breakpoint()\n' }
  const [first, second] = [await review({}, files), await review({}, files)]
  expect(JSON.stringify(first)).toBe(JSON.stringify(second))
  expect(first.findings).toHaveLength(4)
})

test('a long text that is hardly code is not searched, which is said; a long one with an error is', async () => {
  const long = `// ${'a word '.repeat(100)}\n`.repeat(150)
  const { findings, limits } = await review(
    {},
    {
      'src/a.ts': `${`a # ${'b'.repeat(400)} $ c\n`.repeat(260)}${bug}`,
      'src/b.ts': `${long}const = =\n${bug}`,
    },
  )
  expect(limits).toEqual(['src/a.ts: the rules were not run: most of its lines cannot be parsed'])
  expect(findings).toMatchObject([{ rule: 'js/self-comparison', anchor: { path: 'src/b.ts' } }])
})
