/** What may be asked for, and what a second look makes of the first. */
import { describe, expect, test } from 'vitest'
import { checkRequests, type RequestRules } from '../../../src/pipeline/reviewer/follow-up/check-request.ts'
import { mergeAnswers, trackFindings } from '../../../src/pipeline/reviewer/follow-up/merge-answers.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { codeThatSays } from '../refutation/world.ts'
import { wireFinding, wireRequest } from './wire.ts'

const long = Array.from({ length: 400 }, (_, index) => `const value${index} = ${index}`).join('\n')
const store = [
  'export class Store {',
  '  load(id: string) {',
  '    return this.all.get(id)',
  '  }',
  '  save(id: string) {',
  '    this.all.set(id, 1)',
  '  }',
  '}',
  '',
].join('\n')
const head = memorySnapshot({
  'src/a.ts': `${long}\n`,
  'src/store.ts': store,
  'src/other.ts': 'export function save() {\n  return 1\n}\n',
  'src/crlf.ts': 'a\r\nb\r\nc\r\n',
  'lib/places.dart':
    'final places = Places();\n\nabstract class Places {\n  Places(this.root);\n\n  String rename() {\n    return root;\n  }\n}\n\nvoid main() {}\n',
  'lib/plug.ex': 'defmodule Plug do\n  def call_next(conn) do\n    conn\n  end\n\n  def other, do: 1\nend\n',
  'docs/places.md': 'class Places of the manual\n',
  'src/Supervisor.cs': 'class Supervisor {\n  Supervisor(int limit) {\n  }\n}\n',
})
const rules = { head, facts: sharedFacts(), maxTokens: 2000 }
const checkRequest = async (request: ReturnType<typeof wireRequest>, under: RequestRules = rules) =>
  (await checkRequests([request], under))[0]
const ask = (changes: object) => checkRequest(wireRequest({ line_start: 10, line_end: 20, ...changes }))

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
    ['absent', { file: '../../etc/passwd' }],
    ['absent', { file: '.git/config' }],
    ['absent', { file: '' }],
    ['no-range', { line_end: 0 }],
    ['no-range', { line_start: 0 }],
    ['no-range', { line_start: 1.5 }],
    ['no-range', { line_start: 20, line_end: 10 }],
    ['no-range', { line_start: 401, line_end: 402 }],
    ['absent', { file: 'src/gone.ts' }],
  ])('%s: %o', async (kind, changes) => {
    expect(await ask(changes)).toMatchObject({ refused: { kind } })
  })

  test('for all of a short file gets it', async () => {
    expect(await ask({ file: 'src/crlf.ts', line_start: 1, line_end: 100 })).toMatchObject({
      startLine: 1,
      endLine: 3,
      cut: null,
    })
  })

  test('for all of a longer file gets as much as fits, and is told so', async () => {
    for (const line_end of [400, 100_000])
      expect(await ask({ line_start: 1, line_end })).toMatchObject({
        startLine: 1,
        endLine: 296,
        cut: 'the first 296 of 400 lines',
      })
  })

  test('for a symbol gets its definition, in the file or wherever the only one is', async () => {
    const definition = { path: 'src/store.ts', startLine: 2, endLine: 4, cut: null }
    const symbol = { line_start: 0, line_end: 0 }
    expect(await ask({ ...symbol, file: 'src/store.ts', symbol: 'load' })).toMatchObject(definition)
    expect(await ask({ ...symbol, file: '', symbol: 'Store.load' })).toMatchObject(definition)
    expect(await ask({ ...symbol, file: '', symbol: 'save' })).toMatchObject({
      refused: { kind: 'ambiguous', detail: expect.stringContaining('`src/store.ts:5`') },
    })
    expect(await ask({ ...symbol, file: '', symbol: 'nowhere' })).toMatchObject({
      refused: { kind: 'unknown-symbol' },
    })
  })

  test('for a file that is not where it is said to be gets the one that is meant', async () => {
    const symbol = { line_start: 0, line_end: 0 }
    expect(await ask({ file: 'store.ts', line_start: 2, line_end: 3 })).toMatchObject({
      path: 'src/store.ts',
    })
    expect(await ask({ file: 'lib/store.ts', symbol: 'load' })).toMatchObject({
      path: 'src/store.ts',
      startLine: 2,
    })
    expect(await ask({ ...symbol, file: 'src/gone.ts', symbol: 'save' })).toMatchObject({
      refused: { kind: 'ambiguous' },
    })
    expect(await ask({ ...symbol, file: 'src/gone.ts', symbol: 'gone' })).toMatchObject({
      refused: { kind: 'unknown-symbol' },
    })
  })

  test('for a class gets the class, though its constructor has its name', async () => {
    expect(await ask({ line_start: 0, line_end: 0, file: '', symbol: 'Supervisor' })).toMatchObject({
      path: 'src/Supervisor.cs',
      startLine: 1,
      endLine: 4,
    })
  })

  test('for a symbol of a language that is read as text gets what looks like its definition', async () => {
    const symbol = { line_start: 0, line_end: 0, file: '' }
    expect(await ask({ ...symbol, symbol: 'Places' })).toMatchObject({
      ...{ path: 'lib/places.dart', startLine: 3, endLine: 9 },
    })
    expect(await ask({ ...symbol, file: 'lib/plug.ex', symbol: 'Plug.call_next' })).toMatchObject({
      text: '  def call_next(conn) do\n    conn\n  end',
    })
    expect(await ask({ ...symbol, symbol: 'root' })).toMatchObject({ refused: { kind: 'unknown-symbol' } })
  })

  test('for a definition that is too long gets its beginning, and the cut is said', async () => {
    const body = Array.from({ length: 500 }, (_, at) => `  step(${at})`).join('\n')
    const whole = memorySnapshot({ 'src/long.ts': `export function long() {\n${body}\n}\n` })
    const request = wireRequest({ file: 'src/long.ts', symbol: 'long' })
    const answer = await checkRequest(request, { ...rules, head: whole, maxTokens: 100 })
    expect(answer).toMatchObject({
      startLine: 1,
      cut: expect.stringMatching(/^its first \d+ of 502 lines$/),
    })
    expect(answer && 'text' in answer && Buffer.byteLength(answer.text)).toBeLessThanOrEqual(300)
  })

  test('for more lines than fit gets the first of them, and the cut is said', async () => {
    const answer = await ask({ line_start: 2, line_end: 400 })
    expect(answer).toMatchObject({ startLine: 2, cut: expect.stringMatching(/^the first \d+ of 399 lines$/) })
    const { text, endLine } = answer as { text: string; endLine: number }
    expect(text.split('\n')).toHaveLength(endLine - 1)
  })

  test('three places share the tokens: small ones are whole, larger ones get as much as each other; a fourth is refused', async () => {
    const place = (line_start: number, line_end: number) => wireRequest({ line_start, line_end })
    const asked = [place(1, 90), place(10, 20), place(101, 190), place(1, 1)]
    const answers = await checkRequests(asked, { ...rules, maxTokens: 500 })
    expect(answers).toMatchObject([
      { startLine: 1, cut: expect.stringMatching(/^the first 3\d of 90 lines$/) },
      { startLine: 10, endLine: 20, cut: null },
      { startLine: 101, cut: expect.stringMatching(/^the first 3\d of 90 lines$/) },
      { refused: { kind: 'limit' } },
    ])
  })

  test('for lines that end in a definition goes on to its end, if that is near, and not to that of its type', async () => {
    const body = (lines: number) => Array.from({ length: lines }, (_, at) => `    step(${at})`)
    const code = ['class Big {', '  near() {', ...body(41), '  }', '  far() {', ...body(60), '  }', '}', '']
    const whole = { ...rules, head: memorySnapshot({ 'src/big.ts': code.join('\n') }) }
    const endOf = async (line_end: number) => {
      const answer = await checkRequest(wireRequest({ file: 'src/big.ts', line_start: 2, line_end }), whole)
      return answer && 'text' in answer ? answer.endLine : null
    }
    expect(await endOf(4)).toBe(44)
    expect(await endOf(3)).toBe(3)
    expect(await endOf(50)).toBe(50)
    expect(await endOf(90)).toBe(106)
    expect(await endOf(107)).toBe(107)
  })

  test('exactly the allowed length is granted, one token more is not', async () => {
    const text = `${'x'.repeat(2999)}\nend\n`
    const exact = { ...rules, head: memorySnapshot({ a: text }) }
    const request = wireRequest({ file: 'a', line_start: 1, line_end: 1 })
    expect(await checkRequest(request, { ...exact, maxTokens: 1000 })).toHaveProperty('text')
    expect(await checkRequest(request, { ...exact, maxTokens: 999 })).toMatchObject({
      refused: { kind: 'too-long' },
    })
  })
})

describe('a request of uses', () => {
  const found = (text: string) => codeThatSays(() => text)
  const asking = async (code: ReturnType<typeof found>, changes: object, maxTokens = 2000) => {
    const tools = { open: () => code.openToolbox(), signal: new AbortController().signal }
    const [answer] = await checkRequests([wireRequest(changes)], { ...rules, maxTokens, tools })
    return answer
  }

  test('is answered by the tool that the scout has, with the file where one is named', async () => {
    const code = found('src/b.ts:9 call: load(1)')
    const answer = await asking(code, { what: 'uses', symbol: 'load', file: './src/store.ts' })
    expect(answer).toMatchObject({ uses: [{ source: 'tool', text: 'src/b.ts:9 call: load(1)' }] })
    await asking(code, { what: 'uses', symbol: 'save', file: '' })
    expect(code.calls).toEqual([
      { tool: 'find_references', args: { symbol: 'load', path: 'src/store.ts' } },
      { tool: 'find_references', args: { symbol: 'save' } },
    ])
  })

  test('of callers takes the innermost definition around the line', async () => {
    const code = found('src/b.ts:9 function f')
    await asking(code, { what: 'callers', file: 'src/store.ts', line_start: 3 })
    expect(code.calls).toEqual([{ tool: 'find_callers', args: { symbol: 'load', path: 'src/store.ts' } }])
  })

  test('is cut to the tokens that are left, and says so', async () => {
    const answer = await asking(found(long), { what: 'uses', symbol: 'load' }, 100)
    expect(answer).toMatchObject({
      uses: [{ text: expect.stringMatching(/\(\d+ lines more; they do not fit\)$/) }],
    })
  })

  test.each([
    [{ what: 'uses', symbol: ' ' }, 'unknown-symbol'],
    [{ what: 'callers', file: 'src/store.ts', line_start: 99 }, 'unknown-symbol'],
    [{ what: 'callers', file: 'src/gone.ts', line_start: 1 }, 'unknown-symbol'],
  ])('%o is refused', async (changes, kind) => {
    const code = found('')
    expect(await asking(code, changes)).toMatchObject({ refused: { kind } })
    expect(code.calls).toEqual([])
  })

  test('without tools is refused', async () => {
    const request = wireRequest({ what: 'uses', symbol: 'load' })
    expect(await checkRequests([request], rules)).toMatchObject([{ refused: { kind: 'switched-off' } }])
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

  test('puts a corrected finding in the place of the earlier one, whatever its verdict says', () => {
    const again = wireFinding({ tags: ['L9#ddd'], title: 'worse', severity: 'high', enriches: 'f2' })
    const { tracked: all, counts } = merge([verdict('F2', 'dismissed')], [again])
    expect(counts).toEqual({ confirmed: 1, dismissed: 0, added: 0, unmentioned: 1 })
    expect(all).toEqual([tracked[0], { ...tracked[1], finding: { ...again, enriches: '' } }])
  })

  test('takes a finding that corrects none for a new one', () => {
    const other = wireFinding({ tags: ['L9#ddd'], title: 'of a check', enriches: 'C3' })
    const { tracked: all, counts } = merge([], [other, { ...other, tags: ['L8#eee'], enriches: 'F7' }])
    expect(counts.added).toBe(2)
    expect(all.slice(2).map(({ finding }) => finding.enriches)).toEqual(['C3', 'F7'])
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
