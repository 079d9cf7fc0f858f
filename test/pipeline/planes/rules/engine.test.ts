/** The matching child process: what it survives, and what it gives up. */
import { expect, test, vi } from 'vitest'
import { Parser, Tree } from 'web-tree-sitter'
import { ChildWorker } from '../../../../src/base/child-worker.ts'
import { loadEngine } from '../../../../src/pipeline/planes/rules/engine/load-engine.ts'
import { wholeText } from '../../../../src/pipeline/planes/rules/engine/protocol.ts'
import { runFairly, runQuestions } from '../../../../src/pipeline/planes/rules/engine/run-questions.ts'

const signal = new AbortController().signal
const limits = { startMs: 60_000, textMs: 60_000, totalMs: 60_000, mostMatches: 500 }
const question = (rule: Record<string, unknown>) => ({
  id: 'x',
  matcher: { rule },
  captures: ['A'],
  fix: null,
})

/**
 * Every node looks through all around it: time grows with the square of the depth. A class of letters, since a question whose
 * words are not in the text is not asked.
 */
const slow = question({ kind: 'identifier', inside: { stopBy: 'end', regex: '[#]' } })
const long = `f(${'a+'.repeat(60_000)}a)`

test('tells lines, text and captures, also behind characters outside the basic plane', async () => {
  const { texts } = await runQuestions(
    'python',
    [question({ pattern: 'f($A)' })],
    [wholeText('s = "😀é"; f(\n  1)\nf(2)\n')],
    signal,
  )
  expect(texts).toEqual([
    {
      type: 'matched',
      omitted: 0,
      skipped: [],
      matches: [
        {
          question: 0,
          startLine: 1,
          endLine: 2,
          text: 'f(\n  1)',
          frame: 'f(\n  1)',
          scope: '',
          captures: { A: '1' },
          replacement: null,
        },
        {
          question: 0,
          startLine: 3,
          endLine: 3,
          text: 'f(2)',
          frame: 'f(2)',
          scope: '',
          captures: { A: '2' },
          replacement: null,
        },
      ],
    },
  ])
})

test('the child of one batch answers the next ones too, also in another language', async () => {
  const ask = async (language: string, pattern: string, text: string) => {
    const { texts } = await runQuestions(language, [question({ pattern })], [wholeText(text)], signal)
    return texts.map((one) => (one.type === 'matched' ? one.matches.map((match) => match.text) : one.reason))
  }
  expect(await ask('python', 'f($A)', 'f(1)\n')).toEqual([['f(1)']])
  const start = vi.spyOn(ChildWorker, 'start')
  expect(await ask('python', 'g($A)', 'f(1)\ng(2)\n')).toEqual([['g(2)']])
  expect(await ask('go', 'f($A)', 'package a\nfunc b() { f(3) }\n')).toEqual([['f(3)']])
  expect(await ask('python', 'f($A)', 'f(4)\n')).toEqual([['f(4)']])
  expect(start).not.toHaveBeenCalled()
  start.mockRestore()
})

test('a text that takes too long is given up, and the next one is searched', async () => {
  const { texts } = await runQuestions(
    'javascript',
    [slow, question({ pattern: 'stop($A)' })],
    [long, 'stop(1)'].map(wholeText),
    signal,
    {
      ...limits,
      textMs: 150,
    },
  )
  expect(texts[0]).toEqual({ type: 'failed', reason: 'timeout' })
  expect(texts[1]).toMatchObject({ type: 'matched', matches: [{ question: 1, text: 'stop(1)' }] })
})

test.each([
  ['brackets without end', '('.repeat(100_000)],
  ['deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['a long line', `x = "${'a'.repeat(1_000_000)}"`],
  ['no text', ''],
  ['control characters', '\u0000\u001b\ufeff\ud800'],
])('survives %s, and the next text is searched', async (_, text) => {
  const { texts } = await runQuestions(
    'typescript',
    [question({ pattern: 'stop($A)' })],
    [text, 'stop(1)'].map(wholeText),
    signal,
    limits,
  )
  expect(texts).toHaveLength(2)
  expect(texts[1]).toMatchObject({ type: 'matched', matches: [{ text: 'stop(1)' }] })
})

test('more matches than the limit are counted', async () => {
  const { texts } = await runQuestions(
    'go',
    [question({ kind: 'int_literal' })],
    [wholeText(`package a\nvar x = []int{${'1,'.repeat(30)}}`)],
    signal,
    {
      ...limits,
      mostMatches: 10,
    },
  )
  expect(texts[0]).toMatchObject({ type: 'matched', omitted: 20 })
})

test('ends when it is asked to, and the next question gets its own answer', async () => {
  const controller = new AbortController()
  const asked = [question({ kind: 'identifier' })]
  const running = runQuestions('rust', asked, [wholeText('fn f() {}')], controller.signal)
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  const { texts } = await runQuestions('rust', asked, [wholeText('fn g() {}')], signal)
  expect(texts).toMatchObject([{ type: 'matched', matches: [{ text: 'g' }] }])
})

test('a question the engine cannot use is named, and the others are asked', async () => {
  const questions = [question({ kind: 'no_such_kind' }), question({ pattern: 'f($A)' })]
  const { texts, refused } = await runQuestions(
    'java',
    questions,
    [wholeText('class A { int x = f(1); }')],
    signal,
  )
  expect([...refused.keys()]).toEqual([0])
  expect(texts[0]).toMatchObject({ matches: [{ question: 1, captures: { A: '1' } }] })
})

test('when the time for all is over, the rest is given up at once', async () => {
  const texts = Array.from({ length: 50 }, () => long)
  const answers = await runQuestions('javascript', [slow], texts.map(wholeText), signal, {
    ...limits,
    totalMs: 250,
  })
  expect(answers.texts.map(({ type }) => type)).toEqual(texts.map(() => 'failed'))
})

test('slow texts take no time from the others, wherever they stand', async () => {
  const asked = [slow, question({ kind: 'debugger_statement' })]
  // The last one is no shorter than the one that takes it all.
  const texts = [long, `debugger //${' '.repeat(long.length)}`]
  const endsAt = performance.now() + 120_000
  const answers = await runFairly('javascript', asked, texts.map(wholeText), endsAt, signal, [100, 200])
  expect(answers.texts.map(({ type }) => type)).toEqual(['failed', 'matched'])
  expect(answers.texts[1]).toMatchObject({ matches: [{ question: 1, startLine: 1 }] })
})

test.each([
  ['all siblings', { kind: 'number', precedes: { stopBy: 'end', regex: '[x]' } }],
  [
    'siblings up to some node',
    { kind: 'number', follows: { stopBy: { kind: 'string' }, kind: 'identifier', regex: '[x]' } },
  ],
  [
    'the siblings of what is around it',
    { regex: '^1$', inside: { kind: 'number', follows: { stopBy: 'end', regex: '[x]' } } },
  ],
  ['any node', { regex: '^1$', not: { follows: { stopBy: 'end', regex: '1' } } }],
])('a question that would walk through %s is skipped where they are too many', async (_, rule) => {
  const asked = [question(rule), question({ kind: 'debugger_statement' })]
  const texts = [`f(${'1,'.repeat(2_000)}1)\ndebugger`, 'f(1, 2)\ndebugger']
  const answers = await runQuestions('javascript', asked, texts.map(wholeText), signal)
  expect(answers.texts).toMatchObject([
    { type: 'matched', skipped: [0], matches: [{ question: 1, startLine: 2 }] },
    { type: 'matched', skipped: [] },
  ])
})

test('many matches of one question do not hide those of the others, asked together or alone', async () => {
  const rules = [{ kind: 'debugger_statement' }, { pattern: 'f($A)' }, { kind: 'number' }, { kind: 'regex' }]
  const text = `${'f(x)\n'.repeat(30)}debugger\n1\n${'f(y)\n'.repeat(30)}/z/\n`
  const together = await runQuestions('javascript', rules.map(question), [wholeText(text)], signal)
  const alone = await Promise.all(
    rules.map((rule) => runQuestions('javascript', [question(rule)], [wholeText(text)], signal)),
  )
  const linesOf = ({ texts: [answer] }: Awaited<typeof together>, wanted: number) =>
    answer?.type === 'matched'
      ? answer.matches.filter((one) => one.question === wanted).map(({ startLine }) => startLine)
      : null
  for (const [index, one] of alone.entries()) expect(linesOf(together, index)).toEqual(linesOf(one, 0))
  expect(linesOf(together, 0)).toEqual([31])
  expect(linesOf(together, 1)).toHaveLength(60)
})

test('a text that needs too much memory is given up, and the next text is searched', async () => {
  const asked = [question({ kind: 'debugger_statement' })]
  const texts = [`debugger; const a = ${'['.repeat(400_000)}${']'.repeat(400_000)}`, 'debugger']
  const answers = await runQuestions('typescript', asked, texts.map(wholeText), signal)
  expect(answers.texts).toEqual([
    { type: 'failed', reason: 'crash' },
    expect.objectContaining({ type: 'matched', matches: [expect.objectContaining({ startLine: 1 })] }),
  ])
})

test('what was searched is not held', async () => {
  const parse = vi.spyOn(Parser.prototype, 'parse')
  const engine = await loadEngine('javascript')
  const root = engine.parse('javascript', 'f(1)\n'.repeat(10)).root()
  expect(root.findAll({ rule: { kind: 'number' } })).toHaveLength(10)
  const [parsed] = parse.mock.results.flatMap(({ value }) => (value instanceof Tree ? value : []))
  const top = parsed?.rootNode
  expect(top?.children).toHaveLength(10)
  expect(top?.children[0]).not.toBe(top?.children[0])
})
