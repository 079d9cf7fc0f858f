import { describe, expect, test } from 'vitest'
import { finding, run, standingIds } from './parts.ts'

const security = { plane: 'security', category: 'security' } as const
const claim = (symbol: string, kind: 'no-test-calls' | 'caller-not-updated' = 'no-test-calls') =>
  kind === 'no-test-calls'
    ? ({ kind, symbol, path: 'src/parse.ts', line: 12 } as const)
    : ({ kind, symbol, definedIn: 'src/parse.ts', path: 'src/app.ts', line: 4 } as const)

describe('one fault in two words', () => {
  test('the same line, the same quote, the same cause: told once, with the evidence of both', () => {
    const other = finding('C2', {
      ...security,
      title: 'When it is empty, the text is parsed twice',
      evidence: [
        { evidence: 'E1', quote: 'const result = parse(input)' },
        { evidence: 'E2', quote: 'parse(text)' },
      ],
    })
    const result = run([finding('C1'), other])
    expect(standingIds(result)).toEqual(['C1'])
    const [winner] = result.verdicts
    expect(winner?.finding?.evidence.map(({ evidence }) => evidence)).toEqual(['E1', 'E2'])
    expect(winner?.finding?.explanation).toContain('Related, from the security plane: When it is empty')
    expect(result.verdicts[1]).toMatchObject({
      outcome: 'dropped',
      step: 'duplicates',
      reason: 'It says the same as C1 in other words',
    })
  })
  test('the same claims, and a word in common', () => {
    const pair = [
      finding('C1', { title: 'Nothing calls `parse` in a test', claims: [claim('parse')] }),
      finding('C2', { ...security, title: '`parse` is untested', claims: [claim('parse')] }),
    ]
    expect(standingIds(run(pair))).toEqual(['C1'])
  })
})

describe('a second fault of the same line is not swallowed', () => {
  test.each([
    ['another cause', 'The text is trusted and may hold a query'],
    [
      'another name of the code',
      'The `strict` is parsed twice when it is empty',
      'The `text` is parsed twice when it is empty',
    ],
    ['another number', 'The text is parsed 2 times when empty', 'The text is parsed 3 times when empty'],
    ['the opposite', 'The first text is parsed twice when empty', 'The last text is parsed twice when empty'],
    ['a word in common', 'The text grows without end'],
    ['two words in common', 'The empty text reaches a shell unescaped'],
  ])('%s', (_name, title, first = 'The text is parsed twice when it is empty') => {
    expect(
      standingIds(run([finding('C1', { title: first }), finding('C2', { ...security, title })])),
    ).toEqual(['C1', 'C2'])
  })
  test('another claim, however alike the words', () => {
    const pair = [
      finding('C1', { claims: [claim('parse')] }),
      finding('C2', { ...security, claims: [claim('parse', 'caller-not-updated')] }),
    ]
    expect(standingIds(run(pair))).toHaveLength(2)
    const symbols = [
      finding('C1', { claims: [claim('parse')] }),
      finding('C2', { ...security, claims: [claim('read')] }),
    ]
    expect(standingIds(run(symbols))).toHaveLength(2)
  })
  test.each([
    ['other lines', { startLine: 40, endLine: 41 }],
    ['another file', { anchor: { path: 'src/other.ts', tags: ['L12#abc'] } }],
    ['the other side', { side: 'old' as const }],
    ['another quote', { evidence: [{ evidence: 'E2', quote: 'something else entirely' }] }],
    ['one that stood there before', { preExisting: true }],
  ])('%s', (_name, overrides) => {
    expect(standingIds(run([finding('C1'), finding('C2', { ...security, ...overrides })]))).toHaveLength(2)
  })
})

test('evidence and words that are taken over stay within their limits', () => {
  const many = Array.from({ length: 18 }, (_, at) => ({
    evidence: `E${at + 1}`,
    quote: 'const result = parse(input)',
  }))
  const others = many.map(({ evidence }) => ({ evidence, quote: 'parse(input) again' }))
  const [verdict] = run([
    finding('C1', { evidence: many, explanation: 'x'.repeat(3990) }),
    finding('C2', { ...security, evidence: [...others, ...many] }),
  ]).verdicts
  expect(verdict?.finding?.evidence).toHaveLength(20)
  expect(verdict?.finding?.explanation).toHaveLength(3990)
})
