/** Files that no parser should be given, and children that die: listed failures, never a hang or a crash. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FactStore, FileFacts, ParseFailure } from '../../../src/code-index/contract.ts'
import { createFactStore, type FactStoreOptions } from '../../../src/code-index/fact-store.ts'
import { defaultLimits, ParsePool } from '../../../src/code-index/parsing/pool.ts'
import { isRunning } from '../../helpers/is-running.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { source } from '../read-facts.ts'

function openStore(options: Partial<FactStoreOptions> = {}): FactStore {
  const store = createFactStore({ cacheFolder: null, ...options })
  onTestFinished(() => store.close())
  return store
}

async function outcome(path: string, text: string): Promise<FileFacts | ParseFailure['reason'] | undefined> {
  const store = sharedFacts()
  const facts = await store.facts([source(path, text)])
  return facts.get(path) ?? store.failures.find((failure) => failure.path === path)?.reason
}

describe('refused from the text alone', () => {
  test.each([
    ['100,000 open brackets', 'a.ts', '('.repeat(100_000), 'minified'],
    ['the same on lines', 'a.ts', '(\n'.repeat(100_000), 'too-deep'],
    ['100,000 levels of nesting', 'a.py', `${'[\n'.repeat(100_000)}${']\n'.repeat(100_000)}`, 'too-deep'],
    ['one line of 140 KB', 'a.js', `x = ${'a + '.repeat(35_000)}b;\n`, 'minified'],
    ['more than a mebibyte', 'a.go', 'package a\n'.repeat(110_000), 'too-large'],
  ])('%s', async (_name, path, text, reason) => {
    expect(await outcome(path, text)).toBe(reason)
  })
})

describe('hard, but read', () => {
  test.each([
    ['2,900 open brackets', 'a.ts', '(\n'.repeat(2_900)],
    ['a long chain of calls', 'a.rs', `fn f() { x${'\n.a()'.repeat(10_000)} }`],
    [
      '20,000 times else',
      'a.java',
      `class A { void f() { if (a) {} ${'else if (b) {}\n'.repeat(10_000)} } }`,
    ],
    ['NUL bytes and lone surrogates', 'a.py', `${'\0'.repeat(500)}\n${'\ud800'.repeat(500)}\nx = 1\n`],
    ['conflict markers', 'a.go', '<<<<<<< HEAD\nfoo(\n=======\nbar {\n>>>>>>> x\n'.repeat(500)],
    ['nothing', 'a.ts', ''],
    ['nothing but a byte order mark', 'a.ts', '\ufeff'],
  ])('%s', async (_name, path, text) => {
    const result = await outcome(path, text)
    expect(result).toHaveProperty('lineCount')
  })
})

describe('budgets', () => {
  test('a file that takes too many steps is a timeout, its neighbours are read', async () => {
    const store = openStore({ limits: { steps: { base: 5, perThousand: 0 } } })
    const hard = source('hard.ts', 'const a = [1, 2, 3]\n'.repeat(500))
    const facts = await store.facts([source('a.ts', 'let a'), hard, source('z.ts', 'let z')])
    expect([...facts.keys()]).toEqual(['a.ts', 'z.ts'])
    expect(store.failures).toEqual([{ path: 'hard.ts', reason: 'timeout' }])
  })

  test('a child that does not answer in time is killed; the failure is listed once', async () => {
    const store = openStore({ limits: { fileDeadlineMs: { base: 1, perThousand: 0 } } })
    const slow = source('slow.py', 'def f(a, b): return [a, b]\n'.repeat(10_000))
    expect((await store.facts([slow])).size).toBe(0)
    expect((await store.facts([slow])).size).toBe(0)
    expect(store.failures).toEqual([{ path: 'slow.py', reason: 'timeout' }])
  })

  test('a child past its memory is replaced between files, and nothing is lost', async () => {
    const store = openStore({ limits: { recycleBytes: 1, children: 1 } })
    const files = ['a', 'b', 'c'].map((name) => source(`${name}.go`, `package ${name}\n`))
    const facts = await store.facts(files)
    expect([...facts.values()].map(({ packageName }) => packageName)).toEqual(['a', 'b', 'c'])
  })

  test('a child that took no large file waits for the next ones, and does not outlive close', async () => {
    // Less than Node and a grammar take.
    const pool = new ParsePool({ ...defaultLimits, children: 1, idleBytes: 50 * 2 ** 20 })
    const children = new Set<number>()
    for (let round = 0; round < 4; round++) {
      const job = (name: string) => ({
        language: 'typescript',
        text: `export const ${name}${round} = 1\n`.repeat(50),
        variant: '',
        parsed: () => {},
        failed: (reason: string) => expect.fail(reason),
      })
      await pool.run(Array.from({ length: 50 }, (_, n) => job(`name${n}x`)))
      for (const pid of pool.pids) children.add(pid)
    }
    expect(children.size).toBe(1)
    expect(pool.pids).toEqual([...children])
    await pool.close()
    expect(pool.pids).toEqual([])
    expect([...children].filter(isRunning)).toEqual([])
  })

  test('a child that holds much more than its grammars does not wait for long', async () => {
    const pool = new ParsePool({ ...defaultLimits, idleBytes: -(2 ** 40), sweepAfterMs: 50 })
    const log: string[] = []
    const parsed = () => log.push('parsed')
    const failed = (reason: string) => log.push(reason)
    await pool.run([{ language: 'go', text: 'package a\n', variant: '', parsed, failed }])
    expect(log).toEqual(['parsed'])
    await expect.poll(() => pool.pids, { timeout: 60_000 }).toEqual([])
    await pool.close()
  })

  test('a file that takes too much memory is given up', async () => {
    const store = openStore({ limits: { giveUpBytes: 1 } })
    const facts = await store.facts([source('a.ts', 'const a = [1, 2, 3]\n'.repeat(5_000))])
    expect(facts.size).toBe(0)
    expect(store.failures).toEqual([{ path: 'a.ts', reason: 'memory' }])
  })
})

test('killed from outside in the middle of a batch: every file is still answered', async () => {
  const pool = new ParsePool({ ...defaultLimits, children: 1 })
  onTestFinished(() => pool.close())
  const log: string[] = []
  const parsed = () => log.push('parsed')
  const failed = (reason: string) => log.push(reason)
  const job = (text: string) => ({ language: 'python', text, variant: '', parsed, failed })
  const jobs = Array.from({ length: 40 }, (_, at) => job(`x${at} = [1, 2, 3]\n`.repeat(50)))
  let killed = 0
  jobs[3] = {
    ...job('y = 1\n'),
    parsed: () => {
      for (const pid of pool.pids) process.kill(pid, 'SIGKILL')
      killed++
      return log.push('parsed')
    },
  }
  await pool.run(jobs)
  expect(killed).toBe(1)
  expect(log).toEqual(Array.from({ length: 40 }, () => 'parsed'))
})

test('an idle child keeps nobody waiting and ends with its parent', async () => {
  const pool = join(import.meta.dirname, '../../../src/code-index/parsing/pool.ts')
  const script = `
    import { ParsePool } from ${JSON.stringify(pool)}
    const pool = new ParsePool()
    const answered = () => {}
    await pool.run([{ language: 'go', text: 'package a', variant: '', parsed: answered, failed: answered }])
    process.stdout.write(pool.pids.join(' '))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    script,
  ])
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(0)
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
})

test('lines end with a line feed, whatever stands before it', async () => {
  const store = sharedFacts()
  const text = 'def a():\r\n    pass\r\n\r\ndef b(): pass\n\rdef c():\r\n    return b()\n'
  const facts = (await store.facts([source('a.py', text)])).get('a.py')
  expect(facts?.symbols.map(({ name, startLine, endLine }) => [name, startLine, endLine])).toContainEqual([
    'b',
    4,
    4,
  ])
  expect(facts?.lineCount).toBe(6)
  const [b] = (facts?.references ?? []).filter(({ name }) => name === 'b')
  expect(b?.line).toBe(6)
})
