/** What may be asked for, and what a second look makes of the first. */
import { describe, expect, test } from 'vitest'
import { checkRequest } from '../../../src/pipeline/reviewer/follow-up/check-request.ts'
import { mergeAnswers, trackFindings } from '../../../src/pipeline/reviewer/follow-up/merge-answers.ts'
import { memorySnapshot } from '../validation/memory-snapshot.ts'
import { wireFinding } from './wire.ts'

const long = Array.from({ length: 400 }, (_, index) => `const value${index} = ${index}`).join('\n')
const head = memorySnapshot({
  'src/a.ts': `${long}\n`,
  'src/secret.ts': 'hidden\n',
  'src/crlf.ts': 'a\r\nb\r\nc\r\n',
})
const rules = { scope: new Set(['src/a.ts', 'src/gone.ts', 'src/crlf.ts']), head, maxTokens: 2000 }
const ask = (changes: object) =>
  checkRequest({ file: 'src/a.ts', line_start: 10, line_end: 20, reason: 'to see', ...changes }, rules)

describe('a request', () => {
  test('for some lines of a file in scope is granted, read at the head', async () => {
    expect(await ask({})).toMatchObject({
      path: 'src/a.ts',
      startLine: 10,
      endLine: 20,
      text: long.split('\n').slice(9, 20).join('\n'),
    })
    expect(await ask({ file: './src/a.ts', line_start: 390, line_end: 999 })).toMatchObject({ endLine: 400 })
    expect(await ask({ file: 'src/crlf.ts', line_start: 2, line_end: 3 })).toMatchObject({ text: 'b\nc' })
  })

  test.each([
    ['out-of-scope', { file: 'src/secret.ts' }],
    ['out-of-scope', { file: '../../etc/passwd' }],
    ['out-of-scope', { file: '' }],
    ['no-range', { line_start: null }],
    ['no-range', { line_end: null }],
    ['no-range', { line_start: 0 }],
    ['no-range', { line_start: 1.5 }],
    ['no-range', { line_start: 20, line_end: 10 }],
    ['no-range', { line_start: 401, line_end: 402 }],
    ['absent', { file: 'src/gone.ts' }],
    ['whole-file', { line_start: 1, line_end: 400 }],
    ['whole-file', { line_start: 1, line_end: 100_000 }],
    ['whole-file', { file: 'src/crlf.ts', line_start: 1, line_end: 3 }],
    ['too-long', { line_start: 2, line_end: 400 }],
  ])('%s: %o', async (kind, changes) => {
    expect(await ask(changes)).toMatchObject({ refused: { kind } })
  })

  test('nothing is read of a file out of scope', async () => {
    const read: string[] = []
    const watched = {
      read: async (path: string) => {
        read.push(path)
        return head.read(path)
      },
    }
    await checkRequest(
      { file: 'src/secret.ts', line_start: 1, line_end: 1, reason: '' },
      { ...rules, head: watched },
    )
    expect(read).toEqual([])
  })

  test('exactly the allowed length is granted, one token more is not', async () => {
    const text = `${'x'.repeat(2999)}\nend\n`
    const exact = { scope: new Set(['a']), head: memorySnapshot({ a: text }) }
    const request = { file: 'a', line_start: 1, line_end: 1, reason: '' }
    expect(await checkRequest(request, { ...exact, maxTokens: 1000 })).toHaveProperty('text')
    expect(await checkRequest(request, { ...exact, maxTokens: 999 })).toMatchObject({
      refused: { kind: 'too-long' },
    })
  })
})

describe('the merge', () => {
  const one = wireFinding({ tags: ['L1#aaa'], title: 'one' })
  const two = wireFinding({ tags: ['L2#bbb'], title: 'two' })
  const tracked = trackFindings([one, two], false)
  const verdict = (finding: string, said: 'confirmed' | 'dismissed', reason = 'because') => ({
    finding,
    verdict: said,
    reason,
  })
  const merge = (verdicts: ReturnType<typeof verdict>[], findings = [] as (typeof one)[]) =>
    mergeAnswers(tracked, { verdicts, findings }, false)

  test('keeps what is confirmed, drops what is dismissed, adds what is new', () => {
    const third = wireFinding({ tags: ['L3#ccc'], title: 'three' })
    const { tracked: all, counts } = merge([verdict('F1', 'confirmed'), verdict('f2 ', 'dismissed')], [third])
    expect(counts).toEqual({ confirmed: 1, dismissed: 1, added: 1, unmentioned: 0 })
    expect(all.map(({ id, withdrawn }) => [id, withdrawn])).toEqual([
      ['F1', null],
      ['F2', 'because'],
      ['F3', null],
    ])
  })

  test('keeps what is not mentioned', () => {
    const { tracked: all, counts } = merge([])
    expect(all).toEqual(tracked)
    expect(counts).toEqual({ confirmed: 0, dismissed: 0, added: 0, unmentioned: 2 })
  })

  test('keeps what is both confirmed and dismissed, and what is dismissed without a reason', () => {
    const { tracked: all } = merge([
      verdict('F1', 'dismissed'),
      verdict('F1', 'confirmed'),
      verdict('F2', 'dismissed', ' '),
    ])
    expect(all.every(({ withdrawn }) => withdrawn === null)).toBe(true)
  })

  test('takes a finding that is said again for a confirmation, not for a new one', () => {
    const again = wireFinding({ tags: ['[L1#aaa]'], title: 'one, in other words' })
    const { tracked: all, counts } = merge([], [again])
    expect(all).toHaveLength(2)
    expect(counts).toEqual({ confirmed: 1, dismissed: 0, added: 0, unmentioned: 1 })
  })

  test('adds the better version of what it dismisses', () => {
    const better = wireFinding({ tags: ['L1#aaa'], title: 'one, but right' })
    const { counts } = merge([verdict('F1', 'dismissed')], [better])
    expect(counts).toMatchObject({ dismissed: 1, added: 1 })
  })

  test('counts verdicts on findings that there are not, and never revives a dismissed one', () => {
    const { tracked: all } = merge([verdict('F1', 'dismissed')])
    const { tracked: later, strange } = mergeAnswers(
      all,
      { verdicts: [verdict('F1', 'confirmed'), verdict('F9', 'dismissed')], findings: [] },
      false,
    )
    expect(strange).toEqual(['F1', 'F9'])
    expect(later[0]?.withdrawn).toBe('because')
  })
})
