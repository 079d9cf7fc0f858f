/** outline, def, refs, callers and impact as a shell sees them. */
import { expect, test } from 'vitest'
import { describeRanges } from '../../src/cli/questions/describe.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { type CliResult, sightline } from '../helpers/sightline.ts'

function shop(): TestRepo {
  const repo = createRepo()
  repo.commit({
    'price.py':
      'def parse_price(text):\n    return int(text)\n\nclass Cart:\n    def total(self):\n        return parse_price("3")\n',
    'shop.py': 'from price import Cart\n\ndef sell(cart: Cart):\n    return cart.total()\n',
    'other.py': 'def total():\n    return 0\n',
    'README.md': 'parse_price reads prices.\n',
  })
  return repo
}

function ask(repo: TestRepo, ...args: string[]): Promise<CliResult> {
  return sightline(args, { cwd: repo.path, env: { XDG_CACHE_HOME: temporaryFolder() } })
}

test('outline', async () => {
  const { code, stdout, stderr } = await ask(shop(), 'outline', 'price.py')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(
    [
      'price.py  python, 6 lines',
      '  1-2  exported function  def parse_price(text)',
      '  4-6  exported class  class Cart',
      '    5-6  exported method  def total(self)',
      '',
    ].join('\n'),
  )
  expect((await ask(shop(), 'outline', 'README.md')).stdout).toContain('text only')
  expect((await ask(shop(), 'outline', 'absent.py')).code).toBe(2)
})

test('ranges of lines: a single line is one number, and of many the first are listed', () => {
  const ranges = Array.from({ length: 30 }, (_, at) => ({
    startLine: at * 4 + 1,
    endLine: at * 4 + 1 + (at % 2),
  }))
  expect(describeRanges(ranges)).toMatch(/^1, 5-6, 9, .*, 77-78, 10 more; --json has all$/)
  expect(describeRanges(ranges.slice(0, 2))).toBe('1, 5-6')
})

test('why nothing was found is said once', async () => {
  const repo = createRepo()
  repo.commit({
    'a.ts': 'export class A {\n  stop(): void {}\n}\nexport class B {\n  stop(): void {}\n}\n',
    'b.ts': "import { B } from './a'\n\nexport function halt(b: B): void {\n  b.stop()\n}\n",
  })
  const { stdout } = await ask(repo, 'refs', 'A.stop')
  expect(stdout.split('give to another definition: b.ts:4')).toHaveLength(2)
})

test('def', async () => {
  const repo = shop()
  const { code, stdout } = await ask(repo, 'def', 'total', '--json')
  expect(code).toBe(0)
  const answer = JSON.parse(stdout)
  expect(
    answer.definitions.map(({ path, line }: { path: string; line: number }) => `${path}:${line}`),
  ).toEqual(['other.py:1', 'price.py:5'])
  const none = await ask(repo, 'def', 'nowhere')
  expect(none).toMatchObject({ code: 2, stderr: '' })
  expect(none.stdout).toContain('This is conclusive.')
})

test('refs and callers of one definition', async () => {
  const repo = shop()
  const refs = await ask(repo, 'refs', 'parse_price')
  expect([refs.code, refs.stderr]).toEqual([0, ''])
  expect(refs.stdout).toContain('price.py:6  call in Cart.total  [same file, ')
  expect(refs.stdout).toContain('Text only, not searched (1):\n  README.md')
  const callers = JSON.parse((await ask(repo, 'callers', 'price.py:5', '--json')).stdout)
  expect(callers.callers).toMatchObject([
    { path: 'shop.py', symbol: { name: 'sell' }, uses: [{ line: 4, role: 'call' }], how: 'receiver type' },
  ])
})

test('refs of a name that means something else in other places', async () => {
  const repo = createRepo()
  repo.commit({
    'store.py':
      'class Store:\n    def clone(self):\n        return Store()\n\ndef copy(store: Store):\n    return store.clone()\n',
    'page.py':
      'class Page:\n    def clone(self):\n        return Page()\n\ndef again(page: Page):\n    return page.clone()\n',
  })
  const { code, stdout, stderr } = await ask(repo, 'refs', 'store.py:2')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('store.py:6  call in copy')
  const { references, elsewhere } = JSON.parse((await ask(repo, 'refs', 'store.py:2', '--json')).stdout)
  expect([references.length, elsewhere]).toEqual([1, 1])
})

test('several definitions of one name are listed, and answered with --all', async () => {
  const repo = shop()
  const listed = await ask(repo, 'refs', 'total')
  expect(listed.code).toBe(2)
  expect(listed.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'other.py:1',
    'price.py:5',
    '',
  ])
  expect(listed.stderr).toContain('FILE:LINE')
  const json = await ask(repo, 'callers', 'total', '--json')
  expect([json.code, JSON.parse(json.stdout).definitions.length]).toEqual([2, 2])
  const all = await ask(repo, 'refs', 'total', '--all', '--json')
  expect([all.code, JSON.parse(all.stdout).length]).toEqual([0, 2])
})

test('impact, to a depth', async () => {
  const repo = shop()
  const { code, stdout } = await ask(repo, 'impact', 'parse_price')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}1 {2}price\.py:5 {2}method Cart\.total /m)
  expect(stdout).toMatch(/^ {2}2 {2}shop\.py:3 {2}function sell /m)
  const shallow = await ask(repo, 'impact', 'parse_price', '--depth', '1')
  expect(shallow.stdout).toContain('Not followed: depth 1')
})

test('the tree is HEAD, another commit, or the work tree', async () => {
  const repo = shop()
  repo.commit({ 'later.py': 'def later():\n    return 1\n' })
  repo.write({ 'now.py': 'def now():\n    return 1\n' })
  const found = async (...args: string[]) =>
    JSON.parse((await ask(repo, 'def', ...args, '--json')).stdout).definitions.length
  expect(await found('later')).toBe(1)
  expect(await found('later', '--ref', 'HEAD~1')).toBe(0)
  expect(await found('now')).toBe(0)
  expect(await found('now', '--uncommitted')).toBe(1)
})

test('what the user can mend is said with exit code 2', async () => {
  const repo = shop()
  for (const args of [
    ['refs', 'nowhere'],
    ['refs', 'README.md:1'],
    ['refs', 'price.py:99'],
    ['refs'],
    ['def', ''],
    ['def', 'total', '--ref', 'absent'],
    ['def', 'total', '--ref', 'HEAD', '--uncommitted'],
    ['impact', 'total', '--depth', '0'],
  ]) {
    const { code, stdout, stderr } = await ask(repo, ...args)
    expect([code, stdout], args.join(' ')).toEqual([2, ''])
    expect(stderr).not.toContain('our fault')
  }
  expect((await ask(repo, 'refs', 'README.md:1')).stderr).toContain('not indexed')
  expect((await ask(repo, 'refs', 'nowhere')).stderr).toMatch(/^sightline: No such definition: `nowhere`: /)
})

test('search', async () => {
  const repo = shop()
  const { code, stdout, stderr } = await ask(repo, 'search', 'parse', 'a', 'price')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n')[0]).toBe('price.py:1-3  function parse_price')
  expect(stdout).toContain('no embedder is configured')
  const debug = await ask(repo, 'search', 'parse_price', '--debug', '--limit', '1')
  expect(debug.stdout).toMatch(/= words #1 \+ names #1 \+ paths #1$/m)
  expect(debug.stdout).toContain('BM25 over words (5)')
  const json = JSON.parse((await ask(repo, 'search', 'parse_price', '--json')).stdout)
  expect([json.hits[0].path, json.stages]).toEqual(['price.py', undefined])
  const full = JSON.parse((await ask(repo, 'search', 'parse_price', '--json', '--debug')).stdout)
  expect(Object.keys(full.stages)).toEqual(['words', 'names', 'paths', 'meaning', 'graph', 'history'])
  expect((await ask(repo, 'search')).code).toBe(2)
  expect((await ask(repo, 'search', 'zebra')).stdout).toContain('Nothing found')
})
