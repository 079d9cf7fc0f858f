/** The explore stage over a real change: what it seeds, which limits it goes by, and how it accounts for itself. */
import { expect, test } from 'vitest'
import type { ToolAnswer, Toolbox, ToolCall } from '../../../src/agent/contract.ts'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { Config } from '../../../src/config/schema.ts'
import type { JournalNote } from '../../../src/domain/journal.ts'
import { exploreChange } from '../../../src/pipeline/explore/explore-change.ts'
import { type Said, scriptedScout } from '../../agent/scripted-scout.ts'
import { readChange } from '../../helpers/in-memory/change.ts'
import { toolAnswer } from '../../helpers/tool-answer.ts'
import { freezeChange } from '../context/frozen.ts'

const code = (name: string) => `export function ${name}(): number {\n  return 1\n}\n`
const manyFiles: Record<string, string> = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [`src/part${at}.ts`, code(`part${at}`)]),
)

/** A toolbox that answers everything with a line that may be cited. */
function recordingToolbox(
  more: Readonly<Record<string, Partial<ToolAnswer>>>,
): Toolbox & { ran: ToolCall[] } {
  const ran: ToolCall[] = []
  return {
    ran,
    guide: '',
    names: ['look', 'outline_symbols'],
    argumentTypes: { path: 'text', side: 'text' },
    check: (call) =>
      call.args.path === 'bad'
        ? { ok: false, fault: 'bad-arguments', detail: 'path: wrong' }
        : { ok: true, call },
    async run(call) {
      ran.push(call)
      return toolAnswer(call, [`seen ${call.args.path}`], more[Object.values(call.args).join(' ')])
    },
  }
}

async function exploreHead(
  files: Record<string, string | null>,
  say: (turn: number) => Said,
  explore: object = {},
  more: Readonly<Record<string, Partial<ToolAnswer>>> = {},
) {
  const before = Object.fromEntries(Object.keys(manyFiles).map((path) => [path, '// old\n']))
  const { change } = await readChange({ ...before, 'README.md': 'old\n', 'src/gone.ts': code('gone') }, files)
  const notes: JournalNote[] = []
  const toolbox = recordingToolbox(more)
  const gateway = scriptedScout(say)
  const explored = await exploreChange({
    context: await freezeChange(change),
    change: 'the change',
    gateway,
    toolbox,
    fence: createFence('0123456789abcdef'),
    config: Config.parse({ review: { depth: 'standard' }, explore }),
    elapsedSeconds: async () => 0,
    onEvent: () => {},
    note: (note) => notes.push(note),
    signal: new AbortController().signal,
  })
  return { ...explored, toolbox, notes, turns: gateway.questions.length }
}

const look = (path: string) => ({ tool: 'look', args: { path } })
const endless = (turn: number): Said => ({ tools: [look(`${turn}a`), look(`${turn}b`)] })

test('six changed source files are outlined first: no deleted or new one, no test, no text', async () => {
  const more = {
    'README.md': 'new\n',
    'src/gone.ts': null,
    'a.unknown': 'x\n',
    'a.test.ts': code('aTest'),
    'src/new.ts': code('fresh'),
  }
  const files = { ...manyFiles, ...more }
  const { toolbox, exploration } = await exploreHead(files, () => ({ done: true }))
  expect(toolbox.ran.map(({ tool, args }) => `${tool} ${args.path}`)).toEqual(
    [0, 1, 2, 3, 4, 5].map((at) => `outline_symbols src/part${at}.ts`),
  )
  expect(exploration.iterations[0]?.number).toBe(0)
  const small = await exploreHead({ 'README.md': 'new\n', 'src/gone.ts': null }, () => ({ done: true }))
  expect(small.toolbox.ran).toEqual([])
})

test('turns follow the size of the change, and what is configured lower stays lower', async () => {
  const one = { 'src/a.ts': code('a') }
  expect((await exploreHead(one, endless)).turns).toBe(2)
  expect((await exploreHead(manyFiles, endless)).turns).toBe(4)
  expect((await exploreHead(manyFiles, endless, { iterations: 1 })).turns).toBe(1)
})

test('the account tells how the loop ended, what it holds and what was dropped', async () => {
  const one = { 'src/a.ts': code('a') }
  const cut = await exploreHead(one, endless, { callsPerIteration: 1 })
  const missing = '(not searched: the limits of the scout were reached)'
  const texts = ['seen 1a', 'seen 2a', missing, missing]
  const bytes = texts.join('').length
  expect(cut.evidence.map(({ text }) => text)).toEqual(texts)
  expect(cut.account).toEqual({
    name: 'explore',
    state: 'cut',
    items: 4,
    bytes,
    tokens: Math.ceil(bytes / 3),
    trimmed: 2,
  })
  expect(cut.notes.map(({ type, address }) => `${type} ${address}`)).toEqual([
    'explore-iteration explore/iter-1',
    'explore-iteration explore/iter-2',
    'explore-end explore',
  ])
  const states = async (say: (turn: number) => Said) => (await exploreHead(one, say)).account.state
  expect(await states(() => ({ done: true }))).toBe('gathered')
  expect(await states(() => ({ tools: [] }))).toBe('gathered')
  expect(await states(() => ({ outcome: 'unusable' }))).toBe('failed')
  expect(await states(() => ({ outcome: 'failed' }))).toBe('failed')
  expect(await states(() => ({ outcome: 'over-budget' }))).toBe('cut')
})

test('what every call came to is on record: whole, cut with where to go on, empty, left out', async () => {
  const one = { 'src/a.ts': code('a') }
  const tools = ['whole', 'cut', 'none'].map(look)
  const { notes, evidence, account } = await exploreHead(
    one,
    () => ({ tools, done: true }),
    {},
    {
      cut: { total: 75 },
      none: { lines: [], total: 0, remarks: ['nowhere'], isConclusive: true },
    },
  )
  const [iteration] = notes.flatMap(({ type, detail }) => (type === 'explore-iteration' ? [detail] : []))
  expect(iteration).toMatchObject({
    calls: [
      { outcome: 'whole', detail: '' },
      { outcome: 'cut', detail: '74 of 75 lines are left out; narrow it' },
      { outcome: 'empty', detail: 'nowhere' },
    ],
  })
  expect(evidence.map(({ text }) => text)).toEqual([
    'seen whole',
    'seen cut\n(74 of 75 lines are left out; narrow it)',
    '(nowhere)',
  ])
  expect(account.trimmed).toBe(1)
})

test('a call that failed or was not well formed reaches the reviewer, unless it was made again', async () => {
  const failed = { lines: [], total: 0, isError: true }
  const { evidence } = await exploreHead(
    { 'src/a.ts': code('a') },
    (turn) =>
      turn === 1
        ? { tools: [look('gone'), look('vague'), { tool: 'outline_symbols', args: { path: 'bad' } }] }
        : { tools: [{ tool: 'look', args: { path: 'vague', side: 'base' } }], done: true },
    {},
    {
      gone: { ...failed, remarks: ['not possible: there is no file at this path'] },
      vague: { ...failed, remarks: ['not possible: there are several'] },
    },
  )
  expect(evidence.map(({ title, text }) => `${title} ${text}`)).toEqual([
    'look::{"path":"vague","side":"base"} seen vague',
    'look::{"path":"gone"} (no answer: not possible: there is no file at this path)',
    'outline_symbols (not searched: path: wrong)',
  ])
})
