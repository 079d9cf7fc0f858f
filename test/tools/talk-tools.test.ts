/** Tools over what was said and asked for, frozen by the collector; and which tools are offered at all. */
import { expect, test } from 'vitest'
import { textOf } from '../../src/agent/answer.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { toolsFor } from '../../src/tools/registry.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'
import { noTalk } from './open-toolbox.ts'

const nothing = () => Promise.reject(new Error('not asked for'))
const scope = {
  ...noTalk,
  discussion: [
    {
      author: 'ann',
      association: 'member',
      path: 'src/a.ts',
      line: 3,
      body: 'Is this\nright?',
      resolved: true,
    },
    { author: 'bob', association: 'stranger', path: null, line: null, body: 'LGTM', resolved: false },
  ],
  tickets: [
    {
      id: 'github:acme/shop#12',
      title: 'Retry',
      body: 'Please.',
      state: 'open',
      labels: [],
      linkedBy: 'Fixes #12',
      cut: null,
      criteria: [{ id: 'AC1', text: 'Retries', shape: 'checklist', checked: false }],
    },
  ],
  openTickets: [
    { id: 'github:acme/shop#3', title: 'Upload is slow', labels: ['performance'] },
    { id: 'github:acme/shop#4', title: 'Crash in parser', labels: [] },
  ],
  testRunner: {
    commands: ['unit'],
    sandbox: 'a box',
    run: async () => ({ exitCode: 1, output: 'one\ntwo failed', ended: 'ended by itself' }),
  },
  tree: nothing,
  search: nothing,
} as unknown as ToolScope

async function ask(tool: string, args: Record<string, unknown>) {
  const toolbox = createToolbox({ ...toolsFor(scope), scope })
  const checked = toolbox.check({ tool, args })
  if (!checked.ok) return checked.detail
  return textOf(await toolbox.run(checked.call, new AbortController().signal))
}

test('the discussion, all of it or on one file', async () => {
  expect(await ask('get_pr_discussion', {})).toBe(
    'ann (member) on src/a.ts:3, resolved: Is this right?\nbob (stranger): LGTM\n(2 comments)',
  )
  expect(await ask('get_pr_discussion', { path: 'src/a.ts' })).toContain('(1 comment)')
})

test('tickets by number, and only those the change points to', async () => {
  expect(await ask('get_linked_issues', {})).toBe(
    'github:acme/shop#12 (open): Retry, Fixes #12, 1 acceptance criteria\n(1 ticket)',
  )
  for (const id of ['#12', 'github:acme/shop#12'])
    expect(await ask('get_issue_details', { id })).toBe(
      'github:acme/shop#12 (open): Retry\nAC1: Retries\nPlease.',
    )
  expect(await ask('get_issue_details', { id: '#99' })).toContain('does not mention this ticket')
})

test('open tickets by common words', async () => {
  expect(await ask('search_open_issues', { query: 'slow performance of uploads' })).toBe(
    'github:acme/shop#3: Upload is slow [performance]\n(1 of 2 open tickets that were collected has such words)',
  )
})

test('tests: only the names of configured commands', async () => {
  expect(await ask('run_tests', { command: 'unit' })).toBe(
    'one\ntwo failed\n(unit in a box: ended by itself, exit code 1)',
  )
  expect(await ask('run_tests', { command: 'rm -rf /' })).toContain(
    'there is no such command; there are: unit',
  )
})

test('what has nothing to answer from is not offered, and the guide says why', () => {
  const offered = (some: Partial<ToolScope>) => toolsFor({ ...scope, ...some })
  const talk = ['get_pr_discussion', 'get_linked_issues', 'get_issue_details', 'search_open_issues']
  const names = offered({}).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...talk, 'run_tests']))
  expect(offered({}).missing).toEqual([])

  const bare = offered(noTalk)
  for (const name of [...talk, 'run_tests']) expect(bare.tools.map((tool) => tool.name)).not.toContain(name)
  const { guide } = createToolbox({ ...bare, scope })
  expect(guide).toContain('- not here: `get_pr_discussion`: no pull request is known for this change')
  expect(guide).toContain('- not here: `search_open_issues`: no list of open tickets was fetched')
  expect(guide).toContain('- not here: `run_tests`: no test command is configured, or no sandbox works here')
})

test('that nobody said anything, or nothing is open, is an answer', async () => {
  const quiet = { ...scope, discussion: [], openTickets: [], tickets: [] }
  const toolbox = createToolbox({ ...toolsFor(quiet), scope: quiet })
  const tell = async (tool: string, args = {}) =>
    textOf(await toolbox.run({ tool, args }, new AbortController().signal))
  expect(await tell('get_pr_discussion')).toBe('(there are no comments)')
  expect(await tell('get_linked_issues')).toBe('(it mentions no ticket that could be read)')
  expect(await tell('search_open_issues', { query: 'x' })).toContain('0 of 0 open tickets')
})
