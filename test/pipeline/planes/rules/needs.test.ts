/** Which rules are asked about a text at all. That no match is lost, the tests of the built-in rules show. */
import { expect, test } from 'vitest'
import { matchText, planSearch } from '../../../../src/pipeline/planes/rules/engine/match-text.ts'
import { factsOf, needsOf } from '../../../../src/pipeline/planes/rules/engine/needs.ts'
import { wholeText } from '../../../../src/pipeline/planes/rules/engine/protocol.ts'

const leaf = (kind: string, text: string, pattern = 'terminal', isNamed = true) => ({
  kind,
  isNamed,
  text,
  pattern,
  children: [],
})

/** Patterns as the engine prints them. */
const patterns: Record<string, object> = {
  'stop($A)': {
    kind: 'call_expression',
    isNamed: true,
    pattern: 'internal',
    children: [
      leaf('identifier', 'stop'),
      leaf('(', '(', 'terminal', false),
      leaf('identifier', '$A', 'metaVar'),
      leaf(')', ')', 'terminal', false),
      leaf('comment', '// never', 'terminal'),
    ],
  },
  $A: leaf('program', '$A', 'metaVar'),
  debugger: leaf('debugger', 'debugger', 'terminal', false),
  '$A = $A': {
    kind: 'assignment_expression',
    isNamed: true,
    pattern: 'internal',
    children: [leaf('identifier', '$A', 'metaVar'), leaf('=', '=', 'terminal', false)],
  },
}
const engine = { dumpPattern: (_language: string, pattern: string) => patterns[pattern] }
const mayMatch = (rule: unknown, text: string, kinds: string[] | null = null) =>
  needsOf(engine, 'javascript', rule).mayMatch(factsOf(text, kinds && new Set(kinds)))

test.each([
  ['the name in a pattern', { pattern: 'stop($A)' }, 'stop(1)', 'go(1)'],
  ['the name in a context', { pattern: { context: 'stop($A)' } }, 'stop(1)', 'go(1)'],
  ['all parts', { all: [{ pattern: 'stop($A)' }, { kind: 'call_expression' }] }, 'stop(1)', 'go(x)'],
  ['one alternative', { any: [{ pattern: 'stop($A)' }, { pattern: 'stop($A)' }] }, 'stop(1)', 'go(1)'],
  [
    'what is around it',
    { pattern: '$A', inside: { pattern: 'stop($A)', stopBy: 'end' } },
    'stop(1)',
    'go(1)',
  ],
])('%s must be in the text', (_, rule, withIt, without) => {
  expect(mayMatch(rule, withIt)).toBe(true)
  expect(mayMatch(rule, without)).toBe(false)
})

test.each([
  ['a kind', { kind: 'call_expression' }],
  ['the kind of a pattern', { pattern: 'stop($A)' }],
  ['a kind inside', { pattern: '$A', has: { kind: 'call_expression' } }],
])('%s must be among the nodes, if they are known', (_, rule) => {
  expect(mayMatch(rule, 'stop()', ['call_expression'])).toBe(true)
  expect(mayMatch(rule, 'stop()', ['identifier'])).toBe(false)
  expect(mayMatch(rule, 'stop()', null)).toBe(true)
})

test.each([
  ['of a kind', { kind: 'if_statement' }, 'if (a) b()', 'a()'],
  ['of a kind inside', { pattern: '$A', inside: { kind: 'switch_case' } }, 'case a:', 'a'],
  ['of a pattern', { pattern: 'stop($A)' }, 'stop(1)', 'stop'],
  ['of a pattern of one token', { pattern: 'debugger' }, 'debugger', 'a'],
  ['of an assignment', { pattern: '$A = $A' }, 'a =>\nb = b', '() => a'],
  [
    'of a pattern compared exactly',
    { pattern: { context: 'stop($A)', strictness: 'cst' } },
    'stop()',
    'stop',
  ],
])('the token %s must be in the text', (_, rule, withIt, without) => {
  expect(mayMatch(rule, withIt)).toBe(true)
  expect(mayMatch(rule, without)).toBe(false)
})

test.each([
  ['what must not match', { pattern: '$A', not: { pattern: 'stop($A)' } }],
  ['an alternative without needs', { any: [{ pattern: 'stop($A)' }, { matches: 'helper' }] }],
  ['a pattern of any node', { pattern: '$A' }],
  ['a pattern whose tokens may be skipped', { pattern: { context: 'debugger', strictness: 'ast' } }],
  ['a selector of several nodes', { kind: 'call_expression > identifier' }],
  ['a pattern that is compared by kinds only', { pattern: { context: '$A', strictness: 'signature' } }],
  ['a helper', { matches: 'helper' }],
])('%s asks for nothing', (_, rule) => {
  expect(mayMatch(rule, '', [])).toBe(true)
})

test.each([
  ['^(it|test)(\\.concurrent)?\\.only$|^(fit|fdescribe)$', 'it.only(a)', 'it.skip(a)'],
  ['^typeof\\b', 'typeof a', 'type of a'],
  ['\\.(query|raw)$', 'db.raw', 'db.all'],
  ['ab+c?d', 'abbd', 'bbd'],
  ['(?is)^["]select\\s.*\\[from\\]', 'SELECT [FROM]', 'SELECT (FROM)'],
  ['(?i)kiss', 'K\u212aIſſ kIſS', 'kis'],
  ['a{2}b', 'b', 'aa'],
  ['[^]x]y[[:alpha:]z]w', 'yw', 'xz'],
  ['\\x{41}q\\p{Greek}r\\dz', 'qrz', '41qz'],
  ['(?P<name>one)(?:two)', 'two one', 'two'],
])('words of the expression %s', (regex, withThem, without) => {
  expect(mayMatch({ regex }, withThem)).toBe(true)
  expect(mayMatch({ regex }, without)).toBe(false)
})

test.each([
  'a|b|',
  'x*',
  '(abc)?',
  '(?x) a b',
  'a(?i)b',
  '(?i:a)',
  'a)b',
  '(a',
  '[a',
  '\\w+',
  'é',
  'a+*',
  `${'('.repeat(99)}a`,
])('the expression %s asks for nothing that is certain', (regex) => {
  expect(mayMatch({ regex }, regex === '(?i:a)' ? 'A' : '')).toBe(true)
})

test('a rule is compiled only for texts in which it may match', () => {
  const asked: string[] = []
  const node = (kind: string) => ({ kind: () => kind, free: () => {} })
  const root = {
    text: () => 'go(1)',
    findAll: ({ rule }: { rule: { any?: object[] } }) => {
      asked.push(JSON.stringify(rule))
      return rule.any ? [node('identifier')] : []
    },
    free: () => {},
  }
  const parse = () => ({ root: () => root, free: () => {} })
  const fake = { ...engine, parse } as unknown as Parameters<typeof matchText>[0]
  const question = (rule: Record<string, unknown>) => ({
    id: 'x',
    matcher: { rule },
    captures: [],
    fix: null,
  })
  const search = planSearch(fake, 'javascript', [
    question({ pattern: 'stop($A)' }),
    question({ kind: 'string' }),
    null,
  ])
  matchText(fake, 'javascript', search, wholeText('go(1)'), 5)
  expect(asked).toEqual(['{"any":[{"kind":"call_expression"},{"kind":"string"}]}'])
})
