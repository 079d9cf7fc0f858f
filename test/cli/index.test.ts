/** sightline index as a shell sees it, and questions that use what it built. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { type CliResult, sightline } from '../helpers/sightline.ts'

function shop(): { repo: TestRepo; ask: (...args: string[]) => Promise<CliResult>; cache: string } {
  const repo = createRepo()
  repo.commit({
    'price.py': 'def parse_price(text):\n    return int(text)\n',
    'shop.ts': 'export const sell = () => 1\n',
    'README.md': 'parse_price reads prices.\n',
  })
  const cache = temporaryFolder()
  const ask = (...args: string[]) => sightline(args, { cwd: repo.path, env: { XDG_CACHE_HOME: cache } })
  return { repo, ask, cache }
}

test('builds, refreshes, and says what it did', async () => {
  const { repo, ask } = shop()
  const first = await ask('index')
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('3 files: 2 indexed, 1 text only, 0 no text\n')
  expect(first.stdout).toMatch(/ {2}python {2}1 file, 0\.0 kB, 1 symbol, \d+ references\n/)
  expect(first.stdout).toContain('0 files were already indexed, 3 were read\n')
  repo.commit({ 'price.py': 'def parse_price(text):\n    return float(text)\n' })
  const second = await ask('index', '--json')
  const report = JSON.parse(second.stdout)
  expect(report).toMatchObject({
    files: 3,
    indexed: 2,
    reused: 2,
    read: 1,
    notKept: null,
    failures: [],
    absent: [],
  })
  expect(report.languages.map(({ language }: { language: string }) => language)).toEqual([
    'python',
    'typescript',
  ])
})

test('--status reads and writes nothing', async () => {
  const { repo, ask, cache } = shop()
  const none = await ask('index', '--status')
  expect(none.stdout).toMatch(/^Not indexed: 3 files, 0\.1 kB, are not indexed; run `sightline index`/)
  expect(existsSync(join(cache, 'sightline', 'trees'))).toBe(false)
  await ask('index')
  expect((await ask('index', '--status')).stdout).toContain('Indexed.\n3 files')
  repo.commit({ 'new.py': 'x = 1\n' })
  expect(JSON.parse((await ask('index', '--status', '--json')).stdout)).toMatchObject({
    state: 'partial',
    missing: { files: 1 },
    report: null,
  })
  expect((await ask('index', '--status', '--at', 'HEAD~1')).stdout).toContain('Indexed.')
})

test('--collect-garbage is for all repositories', async () => {
  const { ask } = shop()
  await ask('index')
  const { code, stdout } = await ask('index', '--collect-garbage', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { removedFiles: 0, keptFiles: 2 }])
  expect((await ask('index', '--collect-garbage', '--status')).code).toBe(2)
})

test('questions give the same bytes from an index, from one they build, and after it is gone', async () => {
  const { repo, ask, cache } = shop()
  const questions = [
    ['def', 'parse_price', '--json'],
    ['refs', 'parse_price', '--json'],
    ['callers', 'sell', '--json'],
    ['impact', 'parse_price', '--json'],
    ['outline', 'price.py', '--json'],
  ]
  for (const question of questions) {
    rmSync(join(cache, 'sightline'), { recursive: true, force: true })
    const built = await ask(...question)
    const found = await ask(...question)
    expect(found).toEqual(built)
    expect([built.code, built.stderr]).toEqual([0, ''])
    // Work that is not committed is answered from the index, too, and is not kept.
    repo.write({ 'wip.py': 'from price import parse_price\n\nparse_price("1")\n' })
    const uncommitted = await ask(...question, '--uncommitted')
    expect(uncommitted.code).toBe(0)
    if (question[0] === 'refs') expect(uncommitted.stdout).toContain('wip.py')
    repo.write({ 'wip.py': null })
  }
})
