/** The tests plane on whole changes and the real index. */
import { describe, expect, test } from 'vitest'
import { testsPlane } from '../../../../src/pipeline/planes/tests/plane.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange } from '../review-commit.ts'

const sum =
  'export function sum(a: number, b: number) {\n  return a + b\n}\n\nexport const product = (a: number, b: number) => a * b\n'

const suite = `import { expect, test } from 'vitest'
import { product, sum } from '../src/sum.ts'

test('adds', () => {
  expect(sum(1, 2)).toBe(3)
  expect(sum(-1, 1)).toBe(0)
})

test('multiplies', () => {
  expect(product(2, 3)).toBe(6)
})
`

const base = { 'src/sum.ts': sum, 'test/sum.test.ts': suite }

const review = (before: Texts, after: Changed, title?: string) =>
  reviewChange(testsPlane, before, after, { title })
const outcomesOfChange = async (before: Texts, after: Changed): Promise<string[]> =>
  outcomesOf(await review(before, after))

describe('an assertion that is taken out of a test that stays', () => {
  const without = suite.replace('  expect(sum(-1, 1)).toBe(0)\n', '')

  test('is shown on the removed line, with the test that is left', async () => {
    const result = await review(base, { 'test/sum.test.ts': without })
    expect(outcomesOf(result)).toEqual(['test/sum.test.ts:6 tests/assertion-removed'])
    expect(result.findings[0]).toMatchObject({
      side: 'old',
      severity: 'medium',
      title: 'The test `adds` stays, and loses an assertion',
    })
    expect(result.findings[0]?.explanation).toContain('1 of its assertions is left')
    expect(result.evidence.map(({ side, text }) => [side, text.split('\n')[0]])).toEqual([
      ['old', '  expect(sum(-1, 1)).toBe(0)'],
      ['new', "test('adds', () => {"],
    ])
  })

  test('is found when it is only commented out', async () => {
    const silenced = suite.replace('  expect(sum(-1', '  // expect(sum(-1')
    const { findings } = await review(base, { 'test/sum.test.ts': silenced })
    expect(findings.map(({ title }) => title)).toEqual([
      'The test `adds` stays, and an assertion of it is commented out',
    ])
  })

  test.each([
    [
      'Python',
      'tests/test_sum.py',
      'from sums import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n    assert add(-1, 1) == 0\n',
      '    assert add(-1, 1) == 0\n',
    ],
    [
      'Go',
      'sum_test.go',
      'package sums\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\trequire.Equal(t, 3, Add(1, 2))\n\trequire.Equal(t, 0, Add(-1, 1))\n}\n',
      '\trequire.Equal(t, 0, Add(-1, 1))\n',
    ],
    [
      'Rust',
      'src/lib.rs',
      'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n        assert_eq!(add(-1, 1), 0);\n    }\n}\n',
      '        assert_eq!(add(-1, 1), 0);\n',
    ],
    [
      'Java',
      'src/test/java/SumTest.java',
      'class SumTest {\n  @Test\n  void adds() {\n    assertEquals(3, Sum.add(1, 2));\n    assertEquals(0, Sum.add(-1, 1));\n  }\n}\n',
      '    assertEquals(0, Sum.add(-1, 1));\n',
    ],
  ])('is found in %s', async (_, path, text, line) => {
    expect(await outcomesOfChange({ [path]: text }, { [path]: text.replace(line, '') })).toEqual([
      expect.stringMatching(/ tests\/assertion-removed$/),
    ])
  })

  const twice = suite.replace('toBe(3)\n', 'toBe(3)\n  expect(sum(1, 2)).toBe(3)\n')
  const prepared = suite.replace('  expect(product', '  prepare()\n  expect(product')

  test.each([
    ['another takes its place', suite, suite.replace('toBe(0)', 'toBeCloseTo(0)')],
    ['a helper does', suite, suite.replace('expect(sum(-1, 1)).toBe(0)', 'expectZero(sum(-1, 1))')],
    ['it stood there twice', twice, suite],
    [
      'it moves to another test',
      suite,
      suite.replace(/(\n {2}expect\(sum\(-1.*)([\s\S]*)toBe\(6\)/, '$2toBe(6)$1'),
    ],
    ['the test goes too', suite, suite.replace(/test\('multiplies'[\s\S]*$/, '')],
    [
      'it is a value that an assertion compares with',
      suite.replace(
        'toBe(6)',
        'toEqual({\n    sum: expect.any(Number),\n    product: expect.any(Number),\n  })',
      ),
      suite.replace('toBe(6)', 'toEqual({\n    sum: expect.any(Number),\n  })'),
    ],
    ['code around it goes too', prepared, prepared.replace(/ {2}prepare\(\)\n.*\n/, '')],
  ])('is left alone when %s', async (_, before, after) => {
    const outcomes = await outcomesOfChange(
      { ...base, 'test/sum.test.ts': before },
      { 'test/sum.test.ts': after },
    )
    expect(outcomes.filter((outcome) => outcome.includes('assertion-removed'))).toEqual([])
  })

  test('is left alone when other code changes too, unless it is commented out', async () => {
    const other = { 'src/area.ts': 'export const area = 2\n' }
    expect(await outcomesOfChange(base, { ...other, 'test/sum.test.ts': without })).toEqual([])
    const silenced = suite.replace('  expect(sum(-1', '  // expect(sum(-1')
    expect(await outcomesOfChange(base, { ...other, 'test/sum.test.ts': silenced })).toEqual([
      'test/sum.test.ts:6 tests/assertion-removed',
    ])
  })

  test('is left alone when what it spoke of is gone', async () => {
    const noProduct = { 'src/sum.ts': sum.replace(/\nexport const product.*\n/, '') }
    const after = suite.replace('  expect(product(2, 3)).toBe(6)\n', '').replace('product, ', '')
    expect(await outcomesOfChange(base, { ...noProduct, 'test/sum.test.ts': after })).toEqual([])
    const header = { 'src/reply.ts': "reply.header('x-powered-by', 'sums')\n" }
    const asserting = suite.replace(
      'toBe(6)\n',
      "toBe(6)\n  expect(reply.header('x-powered-by')).toBe('sums')\n",
    )
    expect(
      await outcomesOfChange(
        { ...base, ...header, 'src/other.ts': 'reply.header()\n', 'test/sum.test.ts': asserting },
        { 'src/reply.ts': 'reply.send()\n', 'test/sum.test.ts': suite },
      ),
    ).toEqual([])
  })
})

describe('a test that ran and is skipped now', () => {
  const python = 'def test_add():\n    assert add(1, 2) == 3\n'
  const go = 'package sums\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tAdd(1, 2)\n}\n'
  const rust = '#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n'
  const java = 'class SumTest {\n  @Test\n  void adds() {\n    Sum.add(1, 2);\n  }\n}\n'

  test.each([
    ['test.skip', 'a.test.ts', suite, suite.replace("test('adds'", "test.skip('adds'")],
    ['xit', 'a.test.js', "it('adds', () => { run() })\n", "xit('adds', () => { run() })\n"],
    [
      'describe.skip',
      'a.test.ts',
      "describe('sums', () => {\n  it('adds', () => run())\n})\n",
      "describe.skip('sums', () => {\n  it('adds', () => run())\n})\n",
    ],
    ['pytest.mark.skip', 'test_a.py', python, `@pytest.mark.skip\n${python}`],
    ['pytest.skip()', 'test_a.py', python, python.replace(':\n', ':\n    pytest.skip()\n')],
    ['t.Skip', 'sum_test.go', go, go.replace('{\n', '{\n\tt.SkipNow()\n')],
    ['#[ignore]', 'tests/sum.rs', rust, rust.replace('fn', '#[ignore]\nfn')],
    ['@Disabled', 'src/test/java/SumTest.java', java, java.replace('@Test', '@Test\n  @Disabled')],
  ])('is found: %s', async (_, path, before, after) => {
    expect(await outcomesOfChange({ [path]: before }, { [path]: after })).toEqual([
      expect.stringMatching(/ tests\/skipped$/),
    ])
  })

  test.each([
    ['the test is new', 'a.test.ts', suite, `${suite}\ntest.skip('divides', () => {\n  run()\n})\n`],
    ['it was skipped before', 'a.test.ts', "it.skip('a', () => { run() })\n", "xit('a', () => { run() })\n"],
    ['the place decides', 'test_a.py', python, `@pytest.mark.skipif(windows, reason="no")\n${python}`],
    [
      'the skip is conditional',
      'sum_test.go',
      go,
      go.replace('{\n', '{\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n'),
    ],
    ['it is a word in a comment', 'a.test.ts', suite, `// test.skip('adds')\n${suite}`],
    ['a reason stands beside it', 'test_a.py', python, `@unittest.skip("slow")\n${python}`],
  ])('is left alone when %s', async (_, path, before, after) => {
    expect(await outcomesOfChange({ [path]: before }, { [path]: after })).toEqual([])
  })
})

describe('a test that is deleted while its code stays', () => {
  test('is shown with the code nobody tests any more', async () => {
    const result = await review(base, {
      'test/sum.test.ts': suite.replace(/\ntest\('multiplies'[\s\S]*$/, '').replace('product, ', ''),
    })
    expect(outcomesOf(result)).toEqual(['test/sum.test.ts:9 tests/deleted'])
    expect(result.findings[0]).toMatchObject({
      title: 'The test of `product` is deleted, and no other mentions it',
      claims: [{ kind: 'no-test-calls', symbol: 'product', path: 'src/sum.ts', line: 5 }],
    })
  })

  test('is found when its whole file goes', async () => {
    const outcomes = await outcomesOfChange(
      { ...base, 'test/all.test.ts': suite.replaceAll('sum', 'total') },
      { 'test/sum.test.ts': null, 'test/all.test.ts': null },
    )
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes.every((outcome) => outcome.endsWith('tests/deleted'))).toBe(true)
  })

  test.each([
    ['another test mentions the code', { 'test/sum.test.ts': null, 'test/b.test.ts': `${suite}\n` }],
    [
      'other code uses it',
      {
        'test/sum.test.ts': null,
        'src/area.ts': "import { product, sum } from './sum.ts'\nproduct(sum(1, 2), 3)\n",
      },
    ],
    ['the code goes too', { 'test/sum.test.ts': null, 'src/sum.ts': null }],
    ['the test is renamed', { 'test/sum.test.ts': suite.replace("'multiplies'", "'takes products'") }],
  ] as [string, Changed][])('is left alone when %s', async (_, after) => {
    expect(await outcomesOfChange(base, after)).toEqual([])
  })
})

test('a commit that says so skips knowingly', async () => {
  const skipped = { 'test/sum.test.ts': suite.replaceAll("test('", "test.skip('") }
  expect(outcomesOf(await review(base, skipped, 'Skip slow tests'))).toEqual([])
})

test('several tests that a change skips have one reason, and are one finding', async () => {
  const skipped = suite.replaceAll("test('", "test.skip('")
  const result = await review(
    { ...base, 'test/b.test.ts': suite },
    { 'test/sum.test.ts': skipped, 'test/b.test.ts': skipped },
  )
  expect(outcomesOf(result)).toEqual(['test/b.test.ts:4 tests/skipped'])
  expect(result.findings[0]?.title).toBe(
    '`adds` and 3 more tests ran before this change, and are skipped now',
  )
  expect(result.findings[0]?.explanation).toContain('`test/sum.test.ts:9`')
})
