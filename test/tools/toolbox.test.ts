/** The one place that checks calls: nothing gets out of the tree, nothing crashes, answers are kept by tree. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { textOf } from '../../src/agent/answer.ts'
import { defineTool } from '../../src/tools/contract.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'
import { Random } from '../helpers/random.ts'
import { noTalk, toolboxOf } from './open-toolbox.ts'

test('paths that leave the repository are refused before anything runs', async () => {
  const { ask } = await toolboxOf()
  for (const path of [
    '/etc/passwd',
    '../x',
    'src/../../x',
    'C:/x',
    'a\\b',
    '-rf',
    '.git/config',
    'a/.GIT/x',
    'x\0y',
    '..',
  ])
    for (const tool of ['read_file', 'list_dir', 'outline_symbols', 'grep', 'get_file_history'])
      expect((await ask(tool, { path, query: 'x' })).text, `${tool} ${path}`).toMatch(
        /^\[bad-arguments\] path: /,
      )
})

test('flags and shell words as arguments are texts, or refused', async () => {
  const { ask } = await toolboxOf()
  expect((await ask('grep', { query: '--help' })).text).toContain('no match (this is conclusive)')
  expect((await ask('find_definition', { symbol: '--exec=sh' })).text).toContain('[bad-arguments] symbol')
  expect((await ask('find_definition', { symbol: '$(id)' })).text).toContain('[bad-arguments] symbol')
  expect((await ask('shell', { command: 'id' })).text).toBe('[unknown-tool] there is no tool shell')
})

test('nulls count as left out, unknown keys are dropped, wrong types are told', async () => {
  const { toolbox } = await toolboxOf()
  expect(toolbox.check({ tool: 'list_dir', args: { path: null, host: 'x' } })).toEqual({
    ok: true,
    call: { tool: 'list_dir', args: { path: '' } },
  })
  expect(toolbox.check({ tool: 'find_callers', args: { symbol: 'a', depth: 9 } })).toMatchObject({
    fault: 'bad-arguments',
  })
  expect(toolbox.check({ tool: 'read_file', args: { path: ['a'] } })).toMatchObject({
    fault: 'bad-arguments',
  })
})

test('the guide and the argument types name every tool and argument once', async () => {
  const { toolbox } = await toolboxOf()
  expect(toolbox.guide).toContain('`read_file(path, line_start?, line_end?, side?)` [fair; 400 lines, 16 KB]')
  expect(Object.keys(toolbox.argumentTypes)).toEqual([
    'case_sensitive',
    'depth',
    'glob',
    'line',
    'line_end',
    'line_start',
    'path',
    'query',
    'regex',
    'side',
    'symbol',
  ])
  expect(toolbox.argumentTypes).toMatchObject({ depth: 'number', regex: 'flag', path: 'text' })
})

test('answers are kept by tree and call; failures and answers of more than the tree are not', async () => {
  const kept = new Map<string, string>()
  const cache = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => void kept.set(key, value),
  }
  const { ask } = await toolboxOf(undefined, { cache })
  const first = await ask('list_dir', { path: 'src' })
  const again = await ask('list_dir', { path: './src/' })
  expect([first.cached, again.cached, again.text === first.text]).toEqual([false, true, true])
  await ask('read_file', { path: 'none' })
  await ask('get_file_history', { path: 'src/cart.ts' })
  expect(kept.size).toBe(1)
})

test('a tool that hangs or breaks is told as failed', async () => {
  const tool = (name: string, run: () => Promise<never>) =>
    defineTool({
      name,
      cost: 'cheap',
      about: '',
      args: z.object({}),
      limits: { lines: 1, lineLength: 1, bytes: 1 },
      narrow: '',
      version: 1,
      keeps: false,
      run,
    })
  const { head } = await toolboxOf()
  const toolbox = createToolbox({
    tools: [
      tool('hangs', () => new Promise(() => {})),
      tool('breaks', () => Promise.reject(new Error('disk on fire'))),
    ],
    scope: {
      ...noTalk,
      head,
      base: head,
      surroundings: { changed: [], related: [] },
      history: { recent: async () => ({ commits: [], complete: true }) },
      tree: fail,
      search: fail,
    },
    seconds: 0.05,
  })
  const { signal } = new AbortController()
  expect(textOf(await toolbox.run({ tool: 'hangs', args: {} }, signal))).toContain(
    'it took longer than 0.05 s',
  )
  expect(textOf(await toolbox.run({ tool: 'breaks', args: {} }, signal))).toBe(
    '(the tool failed: disk on fire)',
  )
})

const fail = () => Promise.reject(new Error('not opened'))

/** `SIGHTLINE_FUZZ=100000` runs it at full size. */
test('fuzzed arguments: every call is refused or answered from the tree, and none escapes', async () => {
  const seed = Number(process.env.SIGHTLINE_SEED ?? 20_261_121)
  const cases = Number(process.env.SIGHTLINE_FUZZ ?? 400)
  console.log(`fuzzed tool arguments: ${cases} cases, seed ${seed}`)
  const random = new Random(seed)
  const { ask, head, toolbox } = await toolboxOf()
  const inTree = new Set((await head.list()).map(({ path }) => path))
  const pieces = [
    'src',
    'price.ts',
    '..',
    '/',
    '\\',
    '-',
    '--',
    '.git',
    '\0',
    '\n',
    'round',
    '$(id)',
    '`',
    ';',
    '*',
    '~',
    '%2e%2e',
    '\u202e',
    'C:',
    '//',
    'docs/notes.txt',
    'é',
    'x'.repeat(300),
  ]
  const tools = [
    'read_file',
    'grep',
    'find_definition',
    'find_references',
    'list_dir',
    'outline_symbols',
    'find_callers',
    'get_file_history',
  ]
  const value = (): unknown => {
    const kind = random.between(0, 7)
    if (kind === 0) return random.between(0, 999) - 500
    if (kind === 1) return random.between(0, 1) === 0
    if (kind === 2) return [random.pick(pieces)]
    if (kind === 3) return { path: random.pick(pieces) }
    return Array.from({ length: 1 + random.between(0, 3) }, () => random.pick(pieces)).join(
      random.pick(['', '/', ' ']),
    )
  }
  for (let at = 0; at < cases; at++) {
    const args = Object.fromEntries(
      Object.keys(toolbox.argumentTypes)
        .filter(() => random.between(0, 2) > 0)
        .map((name) => [name, value()]),
    )
    const { text, evidence } = await ask(random.pick(tools), args)
    expect(text).not.toContain('root:')
    for (const { path } of evidence) if (path !== null) expect(inTree.has(path)).toBe(true)
  }
})
