/** What no type or import leads to is shown where more than its name ties it to the change. */
import { expect, test } from 'vitest'
import { around } from './around.ts'

const likely = async (files: Record<string, string>, use: string) => {
  const before = 'export function run(given: any) {\n  return 0\n}\n'
  const { lists } = await around(
    { 'src/run.ts': before, ...files },
    { 'src/run.ts': before.replace('return 0', `return ${use}`) },
  )
  return lists.used
    .filter(({ title }) => title.startsWith('likely'))
    .map(({ title, path }) => `${title} ${path}`)
}

const args = 'export interface Args {\n  pollInterval: number\n}\n'

test('a member of a value of unknown type is found beside the change', async () => {
  expect(await likely({ 'src/args.ts': args }, 'given.pollInterval')).toEqual([
    'likely used by the change: Args.pollInterval src/args.ts',
  ])
})

test('elsewhere it is found only in a file that the changed one names', async () => {
  const far = { 'lib/options/args.ts': args }
  expect(await likely(far, 'given.pollInterval')).toEqual([])
  expect(await likely(far, '(given.options.pollInterval as number)')).toEqual([
    'likely used by the change: Args.pollInterval lib/options/args.ts',
  ])
})

test('a name that is everywhere says nothing', async () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`lib/f${at}.ts`, 'run({ pollInterval: 1 })\n']),
    )
  const use = 'given.pollInterval'
  expect(await likely({ 'src/args.ts': args, ...files(38) }, use)).toHaveLength(1)
  expect(await likely({ 'src/args.ts': args, ...files(39) }, use)).toEqual([])
})

test('what the diff shows whole is not shown again', async () => {
  const before = 'export function run(given: any) {\n  return 0\n}\n'
  const after = `${before.replace('return 0', 'return given.pollInterval')}\n${args}`
  const { lists } = await around({ 'src/run.ts': before }, { 'src/run.ts': after })
  expect(lists.used).toEqual([])
})

test('one of two, a local of another function, and what tests define say nothing', async () => {
  const other = 'export class Timer {\n  pollInterval = 5\n}\n'
  expect(await likely({ 'src/args.ts': args, 'src/timer.ts': other }, 'given.pollInterval')).toEqual([])
  const local = 'export function wait() {\n  function pollInterval() {}\n  pollInterval()\n}\n'
  expect(await likely({ 'src/wait.ts': local }, 'given.pollInterval')).toEqual([])
  expect(await likely({ 'src/args.test.ts': args }, 'given.pollInterval')).toEqual([])
})
