/** Every row of docs/tools-by-example.md: the call as a model makes it, its answer as a model reads it, and the command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { scoutCall } from '../helpers/scout-call.ts'
import { root } from '../helpers/sightline.ts'
import { emptyAnswer } from './quick-world.ts'
import { toolsWorld } from './tools-world.ts'

type Row = { tool: string; args: object; answer: string[]; commands: string[] }

/** The rows with a call, as the page has them: all that is between backticks. */
const rows: Row[] = readFileSync(join(root, 'docs/tools-by-example.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const cells = line.replace(/^\| | \|$/g, '').split(' | ')
    const [, tool, args] = /^`([a-z_]+) (\{.*\})`$/.exec(cells[0] ?? '') ?? []
    if (!tool || !args) return []
    return [{ tool, args: JSON.parse(args), answer: spansOf(cells[1]), commands: spansOf(cells[2]) }]
  })

function spansOf(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
}

/** Names of commits, days, times and versions differ from day to day and between machines. */
function shapeOf(text: string): string {
  return text
    .replace(/\b(?:[0-9a-f]{10}|[0-9a-f]{12})\b/g, 'COMMIT')
    .replace(/\b20\d\d-\d\d-\d\d\b/g, 'DAY')
    .replace(/\b\d+\.\d+ ?s\b/g, 'TIME')
    .replace(/\b\d+\.\d+\.\d+\b/g, 'VERSION')
    .replace(/\s+/g, ' ')
}

/** What each command of the page prints about the same. */
const printed: Record<string, RegExp[]> = {
  'sightline show RUN/explore/iter-1': [/read_file/, /get_pr_discussion/, /search_developer_memory/],
  'sightline search "rate limit of a user"': [
    /app\/limit\.py:6-7 {2}function hits/,
    /lexical and structural/,
  ],
  'sightline refs allow': [/app\/view\.py:5 {2}call in show/],
  'sightline experts app/limit.py': [/ada {2}3 commits/],
  'sightline related': [
    /People to ask for a review:\n {2}bob {2}1 review/,
    /#38 .*Limit requests/,
    /origin\/by-address .*\(same lines: app\/limit\.py:6\)/,
  ],
  'sightline context': [/sentry:API-1/, /linear:ENG-42/],
  'sightline memory search "rate limiting strategy"': [/rate-limit/, /sliding window of one minute/],
}

test('each call of the page answers as it says, and each of its commands runs', async (context) => {
  expect(rows.length).toBeGreaterThanOrEqual(13)
  const canTest = (await findSandbox(undefined, context.signal)) !== null
  const asked = rows.filter(({ tool }) => canTest || tool !== 'run_tests')
  const tools = asked.map(({ tool, args }) => {
    const call = scoutCall(tool, {})
    return { ...call, args: { id: null, ...(canTest ? { command: null } : {}), ...call.args, ...args } }
  })
  const step = (round: string, some: object[], done: boolean) => ({
    answer: 'good' as const,
    when: { contains: `This is round ${round} of` },
    value: { reasoning: 'look', tools: some, done },
    times: 'always' as const,
  })
  const model = await startFakeProvider('anthropic', {
    steps: [
      step('1', tools, false),
      step('2', [], true),
      { answer: 'good', times: 'always', value: { ...emptyAnswer, findings: [] } },
    ],
  })
  const { url, run } = await toolsWorld(model)
  // Open change requests are read within a few seconds, which may not do on a busy machine; what was read is kept.
  let read: string[] = []
  let mistakes: string[] = []
  for (let attempt = 1; attempt === 1 || (mistakes.length > 0 && attempt <= 5); attempt++) {
    const [calls, before] = [model.calls.length, model.mistakes.length]
    const reviewed = await run('review', url, '--depth', 'standard', '--json', '--quiet')
    mistakes = model.mistakes.slice(before)
    if (mistakes.length === 0) expect(reviewed).toMatchObject({ code: 0, stderr: '' })
    read = model.calls.slice(calls + 1).map(({ call }) => shapeOf(call.prompt.replace(/^ *\d+\| /gm, '')))
  }
  expect(mistakes).toEqual([])
  for (const { tool, answer } of asked)
    for (const part of answer) expect(read.join('\n'), `${tool}: ${part}`).toContain(shapeOf(part))

  const commands = [...new Set(rows.flatMap((row) => row.commands))].filter((one) =>
    one.startsWith('sightline'),
  )
  expect(commands.sort()).toEqual(Object.keys(printed).sort())
  for (const command of commands) {
    const words = command.match(/"[^"]*"|\S+/g)?.slice(1) ?? []
    const args = words.map((word) => word.replaceAll('"', '').replace(/^RUN/, 'last'))
    // A clone says of itself which change is meant.
    const about = ['related', 'context'].includes(args[0] ?? '') ? ['--base', 'origin/main'] : []
    const { code, stdout, stderr } = await run(...args, ...about)
    expect([code, stderr], command).toEqual([0, expect.any(String)])
    for (const part of printed[command] ?? []) expect(stdout, command).toMatch(part)
  }
}, 600_000)
