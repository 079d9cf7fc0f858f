/** Rule files as people write them, well and badly. */
import { expect, test } from 'vitest'
import { formatProblem, readRules } from '../../../../src/pipeline/planes/rules/format/read-rules.ts'

const problemsOf = (text: string): string[] => readRules(text, 'x.yaml', false).problems.map(formatProblem)

test('a rule with everything, and what it becomes', () => {
  const { rules, problems } = readRules(
    `# a comment
id: no-eval
language: [TypeScript, js]
severity: error
category: security
message: 'eval of $CODE'
note: Runs any text.
remedy: Parse it.
url: https://example.org/eval
rule: { pattern: 'eval($CODE)' }
constraints:
  CODE: { not: { kind: string } }
fix: parse($CODE)
appliesTo: product-code
files: ['src/**']
ignores: ['src/old/**']
metadata: { team: core }
tests:
  valid: [parse(x)]
  invalid: [eval(x)]
`,
    'x.yaml',
    false,
  )
  expect(problems).toEqual([])
  expect(rules).toEqual([
    {
      id: 'no-eval',
      languages: ['typescript', 'javascript'],
      severity: 'high',
      category: 'security',
      message: 'eval of $CODE',
      note: 'Runs any text.\n\nSee https://example.org/eval',
      remedy: 'Parse it.',
      matcher: {
        rule: { pattern: 'eval($CODE)' },
        constraints: { CODE: { not: { kind: 'string' } } },
      },
      fix: 'parse($CODE)',
      audience: 'product-code',
      files: ['src/**'],
      ignores: ['src/old/**'],
      tests: { valid: ['parse(x)'], invalid: ['eval(x)'] },
      builtIn: false,
      place: { file: 'x.yaml', line: 10 },
    },
  ])
})

test('several documents in one file; one that is broken does not take the others with it', () => {
  const good = (id: string) => `id: ${id}\nlanguage: go\nmessage: m\nrule: { kind: identifier }\n`
  const { rules, problems } = readRules(
    `${good('one')}---\nid: two\nlanguage: go\n---\n# nothing here\n---\n${good('three')}`,
    'x.yaml',
    false,
  )
  expect(rules.map(({ id, place }) => [id, place.line])).toEqual([
    ['one', 4],
    ['three', 14],
  ])
  expect(problems.map(formatProblem)).toEqual([
    'x.yaml:6:1 message: is missing.',
    'x.yaml:6:1 rule: is missing.',
  ])
})

test('a rule that is off is left out', () => {
  const text = 'id: a\nlanguage: go\nmessage: m\nseverity: off\nrule: { kind: identifier }\n'
  expect(readRules(text, 'x.yaml', false)).toEqual({ rules: [], problems: [] })
})

test('all problems at once, each with its place and what would be right', () => {
  expect(
    problemsOf(`id: my rule
language: cobol
severity: fatal
mesage: hello
transform: {}
rule:
  any:
    - patern: a
    - kind: [b]
  inside: { stopBy: never, kind: c }
`),
  ).toEqual([
    'x.yaml:1:1 message: is missing.',
    'x.yaml:1:5 id: `my rule`: an id has letters, digits and - _ . / only.',
    'x.yaml:2:11 language: there are no rules for the language `cobol`; known are typescript, tsx, javascript, python, go, rust, java.',
    'x.yaml:3:11 severity: `fatal` is not allowed; allowed are critical, high, medium, low, error, warning, info, hint, off.',
    'x.yaml:4:1 There is no key `mesage` here; did you mean `message`?',
    'x.yaml:5:1 `transform` is a key of ast-grep that is not supported here.',
    'x.yaml:8:7 There is no key `patern` here; did you mean `pattern`?',
    'x.yaml:9:13 rule.any.1.kind: a list is not a text.',
    'x.yaml:10:21 rule.inside.stopBy: `never` is of the wrong kind.',
  ])
})

test.each([
  ['an empty matcher', 'rule: {}', 'would match everything'],
  ['a fix with many captures', 'rule: { kind: identifier }\nfix: f($$$A)', 'not supported'],
  ['a message of two lines', 'rule: { kind: identifier }\nnote: |\n  ok\nmessage: "a\\n\\nb"', 'one line'],
])('%s', (_, lines, words) => {
  const message = lines.includes('message:') ? '' : 'message: m\n'
  expect(problemsOf(`id: a\nlanguage: go\n${message}${lines}\n`).join()).toContain(words)
})

test('files made to do harm are refused in words', () => {
  const bomb = `a: &a [x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c]\n`
  expect(problemsOf(bomb)[0]).toContain('x.yaml:')
  expect(problemsOf('['.repeat(5_000))[0]).toContain('x.yaml:1:1')
  expect(problemsOf(`id: ${'a'.repeat(100_000)}`)[0]).toContain('x.yaml:1:1')
  expect(problemsOf('id: !!js/function "x"')[0]).toContain('x.yaml:1')
  expect(problemsOf('just words')).toEqual([
    'x.yaml:1:1 The rule: `just words` is not a set of keys (`name: value` lines).',
  ])
})

test('a deep matcher is a problem, not a crash', () => {
  const deep = (levels: number): string =>
    `rule:\n${Array.from({ length: levels }, (_, i) => `${'  '.repeat(i + 1)}not:`).join('\n')} { kind: a }\n`
  expect(problemsOf(`id: a\nlanguage: go\nmessage: m\n${deep(20)}`)).toEqual([])
  expect(() => problemsOf(`id: a\nlanguage: go\nmessage: m\n${deep(900)}`)).not.toThrow()
})
