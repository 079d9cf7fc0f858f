/** Foreign patterns run in linear time or not at all. */
import { expect, test } from 'vitest'
import { UserError } from '../../src/base/errors.ts'
import { compileLinear } from '../../src/tools/grep.ts'
import { cpuMilliseconds } from '../helpers/cpu-time.ts'

test('finds every match with its place, up to the limit', () => {
  const pattern = compileLinear('b+', 'x.yaml:1')
  expect(pattern.test('abba')).toBe(true)
  expect(pattern.test('aa')).toBe(false)
  expect(pattern.findAll('abba b 😀b', 10)).toEqual([
    { start: 1, end: 3 },
    { start: 5, end: 6 },
    { start: 9, end: 10 },
  ])
  expect(pattern.findAll('bbb b b', 2)).toHaveLength(2)
  expect(compileLinear('todo', 'x.yaml:1', { ignoreCase: true }).test('TODO')).toBe(true)
})

test('a match of nothing does not go on for ever', () => {
  expect(compileLinear('x*', 'x.yaml:1').findAll('aaa', 100).length).toBeLessThanOrEqual(4)
})

test.each([
  ['(?=a)b', 'look-around'],
  ['(?<!a)b', 'look-around'],
  ['(a)\\1', 'back-reference'],
  ['(?<n>a)\\k<n>', 'back-reference'],
  ['a++', 'possessive'],
  ['(?>a)', 'possessive'],
  ['a(', 'cannot be read'],
  ['a'.repeat(1_001), 'more than 1000 characters'],
])('%s is refused, and says why and where', (source, words) => {
  const refused = () => compileLinear(source, 'rules/mine.yaml:7')
  expect(refused).toThrow(UserError)
  expect(refused).toThrow(words)
  expect(refused).toThrow('rules/mine.yaml:7')
})

test('escaped signs are no unsupported syntax', () => {
  expect(compileLinear('\\(\\?=', 'x.yaml:1').test('(?=')).toBe(true)
  expect(compileLinear('[(?=]+', 'x.yaml:1').test('?')).toBe(true)
  expect(compileLinear('a+\\++b*[+]+', 'x.yaml:1').test('aa+++')).toBe(true)
})

test('patterns that take other engines for ever take time in proportion to the text', () => {
  const short = 'a'.repeat(20_000)
  const time = (pattern: string, text: string): number => {
    const compiled = compileLinear(pattern, 'x.yaml:1')
    const started = cpuMilliseconds()
    compiled.test(`${text}!`)
    return cpuMilliseconds() - started
  }
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^([a-z]+)*b$', '(.*)*x']) {
    time(pattern, short)
    const once = Math.max(time(pattern, short), 1)
    const tenfold = time(pattern, short.repeat(10))
    expect(tenfold / once, pattern).toBeLessThan(60)
  }
})
