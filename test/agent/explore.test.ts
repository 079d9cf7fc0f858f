/** The loop against models that never stop, repeat themselves, lie, ramble or fail: every limit ends it. */
import { expect, test } from 'vitest'
import { textOf } from '../../src/agent/answer.ts'
import type { LoopLimits, ToolAnswer, ToolCall } from '../../src/agent/contract.ts'
import { accountFor, explore } from '../../src/agent/explore.ts'
import { adaptLimits, defaultLimits, iterationsFor } from '../../src/agent/limits.ts'
import { wireSchema } from '../../src/llm/answers/wire-schema.ts'
import { scriptedToolbox } from '../helpers/scripted-toolbox.ts'
import { type Said, scriptedScout } from './scripted-scout.ts'

const look = (at: string) => ({ tool: 'look', args: { at, times: null } })

async function run(
  say: (turn: number) => Said,
  {
    limits = {},
    answer = (at: string) => `seen ${at}`,
    more = {},
    seed = [],
    seconds = () => 0,
    wait = async () => {},
    signal = new AbortController().signal,
  }: {
    limits?: Partial<LoopLimits>
    answer?: (at: string) => string
    more?: Readonly<Record<string, Partial<ToolAnswer>>>
    seed?: ToolCall[]
    seconds?: (iteration: number) => number
    wait?: (at: string) => Promise<void>
    signal?: AbortSignal
  } = {},
) {
  const gateway = scriptedScout(say)
  const toolbox = scriptedToolbox(answer, wait, more)
  const exploration = await explore({
    gateway,
    toolbox,
    limits: { ...defaultLimits, ...limits },
    prompt: 'explore@1',
    instructions: 'Gather.',
    change: 'the change',
    seed,
    fence: (origin, text) => `<${origin}>${text}</>`,
    elapsedSeconds: async (iteration) => seconds(iteration),
    signal,
  })
  const lastTurns = () =>
    gateway.questions.at(-1)?.turns.map(({ parts }) => parts.map(({ text }) => text).join('')) ?? []
  return { exploration, gateway, toolbox, lastTurns }
}

test('asks, reads the answer, asks again and is done', async () => {
  const { exploration, toolbox, lastTurns } = await run((turn) =>
    turn === 1 ? { reasoning: 'first', tools: [look('a'), look('b')] } : { reasoning: 'enough', done: true },
  )
  expect(exploration.end).toBe('done')
  expect(exploration.detail).toBe('enough')
  expect(exploration.iterations.map(({ number, reasoning }) => [number, reasoning])).toEqual([
    [1, 'first'],
    [2, 'enough'],
  ])
  expect(toolbox.ran.map(({ args }) => args.at)).toEqual(['a', 'b'])
  expect(lastTurns()[2]).toMatch(
    /^<answer of look::{"at":"a"}>seen a<\/>\n\n<answer of look::{"at":"b"}>seen b<\/>\n\nThis is round 2 of 5: /,
  )
})

test('the seed runs before the model sees anything, and is not asked again', async () => {
  const { exploration, lastTurns } = await run(() => ({ tools: [look('a')] }), {
    seed: [{ tool: 'look', args: { at: 'a' } }],
  })
  expect(lastTurns()[0]).toContain('seen a')
  expect(exploration.iterations[0]?.number).toBe(0)
  expect(exploration.iterations[1]?.dropped).toEqual([
    { tool: 'look', fault: 'repeated', detail: 'look::{"at":"a"}' },
  ])
  expect(exploration.end).toBe('nothing-new')
})

test('an endless asker is stopped by the iterations, then by the calls', async () => {
  const endless = (turn: number) => ({ tools: Array.from({ length: 3 }, (_, at) => look(`${turn} ${at}`)) })
  const byIterations = await run(endless)
  expect([byIterations.exploration.end, byIterations.toolbox.ran.length]).toEqual(['iterations', 15])
  const byCalls = await run(endless, { limits: { iterations: 100, calls: 10 } })
  expect([byCalls.exploration.end, byCalls.toolbox.ran.length]).toEqual(['calls', 10])
})

test('calls beyond the width of an iteration are dropped, and the model is told', async () => {
  const wide = (turn: number) =>
    turn === 1 ? { tools: Array.from({ length: 20 }, (_, at) => look(`${at}`)) } : { done: true }
  const { exploration, toolbox, lastTurns } = await run(wide)
  expect(toolbox.ran).toHaveLength(8)
  expect(exploration.iterations[0]?.dropped).toHaveLength(12)
  expect(lastTurns()[2]).toContain('too many calls')
})

test('a repeater: every duplicate is dropped before it runs, in one turn and over turns', async () => {
  const { exploration, toolbox } = await run((turn) => ({
    tools: [
      look('same'),
      look('same'),
      { tool: 'look', args: { times: null, at: 'same' } },
      look(`new ${turn}`),
    ],
  }))
  expect(toolbox.ran.filter(({ args }) => args.at === 'same')).toHaveLength(1)
  expect(exploration.iterations[1]?.dropped).toHaveLength(3)
})

test('time is looked at after every iteration and stops the loop in mid-plan', async () => {
  const { exploration, gateway } = await run((turn) => ({ tools: [look(`${turn}`)] }), {
    seconds: (iteration) => (iteration - 1) * 16,
  })
  expect([exploration.end, gateway.questions.length]).toEqual(['seconds', 2])
})

test('evidence never outgrows its limit', async () => {
  const { exploration } = await run((turn) => ({ tools: [look(`${turn}a`), look(`${turn}b`)] }), {
    answer: () => 'x'.repeat(400),
    limits: { evidenceBytes: 1000, iterations: 50 },
  })
  const bytes = exploration.iterations
    .flatMap(({ answers }) => answers)
    .reduce((sum, answer) => sum + textOf(answer).length, 0)
  expect(exploration.end).toBe('evidence')
  expect(bytes).toBe(800)
})

test('what fits in a turn stays, what does not is dropped; with hardly any room left the loop ends', async () => {
  const two = (turn: number) => ({ tools: [look(`${turn}a`), look(`${turn}b`)] })
  const answer = () => 'x'.repeat(400)
  const half = await run(two, { answer, limits: { evidenceBytes: 600, iterations: 50 } })
  // One line cannot be cut, and both have an equal claim on the room: the first has too little, the second all of it.
  expect(half.exploration.iterations.map(({ answers, dropped }) => [answers.length, dropped])).toEqual([
    [1, [{ tool: 'look', fault: 'no-room', detail: 'look::{"at":"1a"}' }]],
  ])
  const full = await run(two, { answer, limits: { evidenceBytes: 900, iterations: 50 } })
  expect([full.exploration.end, full.gateway.questions.length]).toEqual(['evidence', 1])
})

const manyLines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')

test('the last round is whole: small answers as they are, large ones cut to an equal share, with where to go on', async () => {
  const { exploration } = await run(
    () => ({ tools: ['small 1', 'small 2', 'large 1', 'large 2', 'large 3'].map(look) }),
    {
      answer: (at) => manyLines(at.startsWith('small') ? 10 : 2_000),
      limits: { evidenceBytes: 8_000, iterations: 1 },
    },
  )
  const [last] = exploration.iterations
  const accounts = last ? accountFor(last) : []
  expect(accounts.map(({ call, outcome }) => `${call} ${outcome}`)).toEqual([
    'look::{"at":"small 1"} whole',
    'look::{"at":"small 2"} whole',
    'look::{"at":"large 1"} cut',
    'look::{"at":"large 2"} cut',
    'look::{"at":"large 3"} cut',
  ])
  expect(accounts[2]?.detail).toMatch(/^\d+ of 2000 lines are left out; narrow it$/)
  const sizes = (last?.answers ?? []).map((answer) => textOf(answer).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8_000)
  expect(Math.min(...sizes.slice(2))).toBeGreaterThan(2_000)
})

test('every call is accounted for once, whatever became of it', async () => {
  const { exploration } = await run(
    () => ({
      tools: [
        look('found'),
        look('none'),
        look('open'),
        look('broken'),
        look('found'),
        { tool: 'shell' },
      ].map(({ tool, args = {} }: { tool: string; args?: object }) => ({
        tool,
        args: { at: null, times: null, ...args },
      })),
    }),
    { limits: { iterations: 1 }, more: answersByName },
  )
  expect(exploration.iterations.flatMap((one) => accountFor(one))).toEqual([
    { call: 'look::{"at":"found"}', outcome: 'whole', detail: '' },
    { call: 'look::{"at":"none"}', outcome: 'empty', detail: 'there is none' },
    { call: 'look::{"at":"open"}', outcome: 'left-out', detail: 'some files could not be parsed' },
    { call: 'look::{"at":"broken"}', outcome: 'left-out', detail: 'no answer: it broke' },
    { call: 'look::{"at":"found"}', outcome: 'left-out', detail: 'it was answered before' },
    { call: 'shell', outcome: 'left-out', detail: 'there is no such tool' },
  ])
})

const empty = { lines: [], total: 0 }
const answersByName: Readonly<Record<string, Partial<ToolAnswer>>> = {
  none: { ...empty, remarks: ['there is none'], isConclusive: true },
  open: { ...empty, remarks: ['some files could not be parsed'] },
  broken: { ...empty, remarks: ['it broke'], isError: true },
}

test('each round says which it is and what is left; the last one says that its answers are not seen', async () => {
  const { gateway } = await run((turn) => ({ tools: [look(`${turn}`)] }), {
    limits: { iterations: 2, calls: 5 },
  })
  const [first, second] = gateway.questions.map(({ turns }) => turns.at(-1)?.parts.at(-1)?.text ?? '')
  expect(first).toContain('This is round 1 of 2: at most 5 calls; 60 of 60 KB of evidence left.')
  expect(first).not.toContain('the last one')
  expect(second).toContain('This is round 2 of 2, the last one: at most 4 calls')
  expect(second).toContain('You will not see its answers')
})

test('the seed is no evidence: it leaves all the room to what is asked for', async () => {
  const { exploration } = await run(() => ({ tools: [look('asked')] }), {
    seed: [{ tool: 'look', args: { at: 'seed' } }],
    answer: () => manyLines(100),
    limits: { evidenceBytes: 1_024, iterations: 1 },
  })
  expect(exploration.iterations.flatMap((one) => accountFor(one)).map(({ outcome }) => outcome)).toEqual([
    'left-out',
    'whole',
  ])
})

test('the wire names the tools; a call of another one costs itself only', async () => {
  const { gateway, exploration } = await run(() => ({ tools: [{ tool: 'shell', args: {} }, look('a')] }), {
    limits: { iterations: 1 },
  })
  const question = gateway.questions[0]
  expect(question && JSON.stringify(wireSchema(question.answer))).toContain(
    '"tool":{"type":"string","enum":["look"]}',
  )
  expect(exploration.iterations[0]?.answers.map(({ call }) => call.args)).toEqual([{ at: 'a' }])
})

test('calls of a turn run side by side and are answered in their order; turns follow each other', async () => {
  let running = 0
  const peaks: number[] = []
  const { exploration, toolbox } = await run(
    (turn) => ({ tools: [look(`${turn} slow`), look(`${turn} b`), look(`${turn} c`)] }),
    {
      limits: { iterations: 2 },
      wait: async (at) => {
        peaks.push(++running)
        await new Promise((resolve) => setTimeout(resolve, at.endsWith('slow') ? 60 : 20))
        running--
      },
    },
  )
  expect(peaks).toEqual([1, 2, 3, 1, 2, 3])
  expect(exploration.iterations.map(({ answers }) => answers.map((answer) => textOf(answer)))).toEqual([
    ['seen 1 slow', 'seen 1 b', 'seen 1 c'],
    ['seen 2 slow', 'seen 2 b', 'seen 2 c'],
  ])
  // Nulls stand for what was left out; a tool never sees them.
  expect(toolbox.checked.map(({ args }) => Object.keys(args))).toEqual(Array(6).fill(['at']))
})

test('the seed is no turn of the model', async () => {
  const { gateway } = await run((turn) => ({ tools: [look(`${turn}`)] }), {
    seed: [{ tool: 'look', args: { at: 'seed' } }],
    limits: { iterations: 2 },
  })
  expect(gateway.questions).toHaveLength(2)
})

test('a liar: unknown tools and wrong arguments are dropped and counted, right ones run', async () => {
  const { exploration, lastTurns } = await run((turn) =>
    turn === 1
      ? { tools: [{ tool: 'shell', args: { at: 'rm' } }, { tool: 'look', args: { at: null } }, look('a')] }
      : { done: true },
  )
  expect(exploration.iterations[0]?.dropped.map(({ fault }) => fault)).toEqual([
    'unknown-tool',
    'bad-arguments',
  ])
  expect(lastTurns()[2]).toContain('there is no such tool')
  expect(lastTurns()[2]).toContain('`at` is missing')
})

test('an answer that cannot be used ends the loop quietly with what there is', async () => {
  for (const outcome of ['refused', 'truncated', 'unusable'] as const) {
    const { exploration } = await run((turn) => (turn === 1 ? { tools: [look('a')] } : { outcome }))
    expect([exploration.end, exploration.iterations.length]).toEqual(['unusable', 1])
  }
  expect((await run(() => ({ outcome: 'failed' }))).exploration.end).toBe('failed')
  expect((await run(() => ({ outcome: 'over-budget' }))).exploration.end).toBe('money')
})

test('an abort rejects with its reason', async () => {
  const controller = new AbortController()
  controller.abort(new Error('stop'))
  await expect(run(() => ({ done: true }), { signal: controller.signal })).rejects.toThrow('stop')
})

test('at most three marks for the cache, and short answers that were sent before stay the same', async () => {
  const { gateway } = await run((turn) => ({ tools: [look(`${turn}`)] }))
  for (const [at, question] of gateway.questions.entries()) {
    const marks = [...question.instructions, ...question.turns.flatMap(({ parts }) => parts)].filter(
      ({ stable }) => stable,
    )
    expect(marks.length).toBeLessThanOrEqual(3)
    const texts = (turns: typeof question.turns) =>
      turns.flatMap(({ parts }) => parts.map(({ text }) => text))
    const before = gateway.questions[at - 1]
    if (before)
      expect(texts(question.turns).slice(0, texts(before.turns).length)).toEqual(texts(before.turns))
  }
})

test('long answers of earlier rounds are shortened to what they hold, and all before the newest ones stays the same', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `${at + 1}: ${'x'.repeat(60)}`)
  const range = {
    title: 'read',
    at: 0,
    path: 'src/a.ts',
    blob: 'b',
    side: 'old',
    startLine: 1,
    lines,
  } as const
  const { gateway } = await run(
    (turn) => ({ tools: [look(`read${turn}`), look(`list${turn}`), look(`short${turn}`)] }),
    {
      answer: (at) => (at.startsWith('short') ? `seen ${at}` : lines.join('\n')),
      more: Object.fromEntries(
        [1, 2, 3, 4, 5].map((turn) => [
          `read${turn}`,
          { ranges: [range], remarks: ['the file has 900 lines'] },
        ]),
      ),
    },
  )
  const [, second, third, fourth] = gateway.questions.map(({ turns }) =>
    turns.map(({ parts }) => parts.map(({ text }) => text).join('')),
  )
  expect(second?.[2]?.split('xxx\n60: ').length).toBe(3)
  expect(third?.[2]).not.toContain('60: ')
  expect(third?.[2]).toContain('>src/a.ts:1-60 before the change\n(shortened here')
  expect(third?.[2]).toContain('(the file has 900 lines)')
  expect(third?.[2]).toContain('>1: xxx')
  expect(third?.[2]).toContain('>seen short1<')
  expect(third?.[4]).toContain('60: ')
  expect(fourth?.slice(0, 4)).toEqual(third?.slice(0, 4))
  const marked = gateway.questions[3]?.turns.flatMap(({ parts }, at) => (parts[0]?.stable ? [at] : []))
  expect(marked).toEqual([0, 4])
})

test('iterations follow the size of the change', () => {
  expect(iterationsFor({ files: 1, lines: 10, symbols: 1 })).toBe(2)
  expect(iterationsFor({ files: 12, lines: 240, symbols: 10 })).toBe(5)
  expect(iterationsFor({ files: 300, lines: 9000, symbols: 400 })).toBe(8)
  expect(
    adaptLimits({ ...defaultLimits, iterations: 1 }, { files: 300, lines: 1, symbols: 1 }).iterations,
  ).toBe(1)
})
