/** The explore stage over a real change: what it seeds, which limits it goes by, and how it accounts for itself. */
import { expect, test } from 'vitest'
import type { Toolbox, ToolCall } from '../../../src/agent/contract.ts'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { Config } from '../../../src/config/schema.ts'
import type { JournalNote } from '../../../src/domain/journal.ts'
import { exploreChange } from '../../../src/pipeline/explore/explore-change.ts'
import { type Said, scriptedScout } from '../../agent/scripted-scout.ts'
import { createRepo, type Files } from '../../helpers/git-repo.ts'
import { freezeHead } from '../context/frozen.ts'

const code = (name: string) => `export function ${name}(): number {\n  return 1\n}\n`
const manyFiles: Files = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [`src/part${at}.ts`, code(`part${at}`)]),
)

/** A toolbox that answers everything with a line that may be cited. */
function recordingToolbox(): Toolbox & { ran: ToolCall[] } {
  const ran: ToolCall[] = []
  return {
    ran,
    guide: '',
    argumentTypes: { path: 'text' },
    check: (call) => ({ ok: true, call }),
    async run(call) {
      ran.push(call)
      const path = String(call.args.path)
      const evidence = [
        {
          source: 'tool' as const,
          trust: 'foreign' as const,
          title: path,
          path: null,
          blob: null,
          side: null,
          startLine: null,
          endLine: null,
          text: `seen ${path}`,
        },
      ]
      return { call, text: `seen ${path}`, isError: false, evidence, cached: false, durationMs: 1 }
    },
  }
}

async function exploreHead(files: Files, say: (turn: number) => Said, explore: object = {}) {
  const repo = createRepo()
  repo.commit({ 'README.md': 'old\n', 'src/gone.ts': code('gone') })
  repo.commit(files)
  const notes: JournalNote[] = []
  const toolbox = recordingToolbox()
  const gateway = scriptedScout(say)
  const explored = await exploreChange({
    context: await freezeHead(repo.path),
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

test('six changed source files are outlined first: no deleted one, no test, no text', async () => {
  const more = { 'README.md': 'new\n', 'src/gone.ts': null, 'a.unknown': 'x\n', 'a.test.ts': code('aTest') }
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
  const texts = ['seen src/a.ts', 'seen 1a', 'seen 2a']
  const bytes = texts.join('').length
  expect(cut.evidence.map(({ text }) => text)).toEqual(texts)
  expect(cut.account).toEqual({
    name: 'explore',
    state: 'cut',
    items: 3,
    bytes,
    tokens: Math.ceil(bytes / 3),
    trimmed: 2,
  })
  expect(cut.notes.map(({ type, address }) => `${type} ${address}`)).toEqual([
    'explore-iteration explore/iter-0',
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
