/** What is shown around a change: users of the member that changed with their use, and nothing that leads astray. */
import { expect, test } from 'vitest'
import { around } from './around.ts'

const filler = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `  const ${word}${at} = ${at}\n`).join('')

test('the excerpt of a long caller holds the call, and a call at the top level is shown too', async () => {
  const rate = (by: number) => `export function rate(n: number) {\n  return n * ${by}\n}\n`
  const { shown } = await around(
    {
      'src/rate.ts': rate(2),
      'src/long.ts': `import { rate } from './rate.ts'\n\nexport function long() {\n${filler(150, 'a')}  const called = rate(1)\n${filler(150, 'b')}  return called\n}\n`,
      'src/start.ts': "import { rate } from './rate.ts'\n\nrate(7)\n",
    },
    { 'src/rate.ts': rate(3) },
  )
  const ofLong = shown.filter(({ path }) => path === 'src/long.ts').map(({ text }) => text)
  expect(ofLong.join('\n')).toContain('const called = rate(1)')
  expect(ofLong.join('\n')).toContain('return called')
  expect(ofLong.join('\n').split('\n').length).toBeLessThan(90)
  expect(shown.find(({ path }) => path === 'src/start.ts')?.text).toContain('rate(7)')
})

test('users are those of the changed member, not of the type around it', async () => {
  const store = (by: number) =>
    `export class Store {\n  one(): number {\n    return ${by}\n  }\n\n  two(): number {\n    return 5\n  }\n}\n`
  const { lists } = await around(
    {
      'src/store.ts': store(1),
      'src/uses-one.ts':
        "import { Store } from './store.ts'\n\nexport function usesOne(it: Store) {\n  return it.one()\n}\n",
      'src/holds.ts': "import { Store } from './store.ts'\n\nexport interface Holder {\n  store: Store\n}\n",
    },
    { 'src/store.ts': store(2) },
  )
  expect(lists.callers.map(({ path }) => path)).toEqual(['src/uses-one.ts'])
  expect(lists.siblings.map(({ title }) => title)).toEqual(['next to the change: Store.two'])
})

test('what the change calls is shown, and not who else calls it', async () => {
  const price = (by: number) =>
    `import { client } from './client.ts'\n\nexport function price() {\n  return client() * ${by}\n}\n`
  const { lists } = await around(
    {
      'src/client.ts': 'export function client() {\n  return 4\n}\n',
      'src/price.ts': price(1),
      'src/other.ts':
        "import { client } from './client.ts'\n\nexport function other() {\n  return client()\n}\n",
    },
    { 'src/price.ts': price(2) },
  )
  expect(lists.used.map(({ path }) => path)).toEqual(['src/client.ts'])
  const { callers, tests, neighbours } = lists
  for (const { path } of [...callers, ...tests, ...neighbours]) expect(path).not.toBe('src/other.ts')
})

test('code that names what the change removed or renamed is there, unless another definition has the name', async () => {
  const store = (first: string, second: string) =>
    `export function ${first}(id: string) {\n  return id\n}\nexport function ${second}() {\n  return 0\n}\n`
  const { lists, shown } = await around(
    {
      'src/store.ts': store('loadUser', 'close'),
      'src/page.ts': `import { loadUser } from './store.ts'\n\nexport function page() {\n${filler(90, 'a')}  return loadUser('7')\n}\n`,
      'src/door.ts': 'export function close() {}\nexport function slam() {\n  close()\n}\n',
      'test/page.test.ts': "import { loadUser } from '../src/store.ts'\n\ntest('a', () => loadUser('1'))\n",
    },
    { 'src/store.ts': store('loadAccount', 'shut') },
  )
  expect(lists.callers).toMatchObject([
    { path: 'src/page.ts', title: 'code that names loadUser, which the change removed or renamed' },
  ])
  expect(lists.tests[0]).toMatchObject({ path: 'test/page.test.ts' })
  expect(shown.map(({ text }) => text).join('\n')).toContain("return loadUser('7')")
  expect(lists.callers.some(({ path }) => path === 'src/door.ts')).toBe(false)
})

test('of a long user of a user the line that uses it is shown', async () => {
  const rate = (by: number) => `export function rate(n: number) {\n  return n * ${by}\n}\n`
  const { lists, shown } = await around(
    {
      'src/rate.ts': rate(2),
      'src/tax.ts':
        "import { rate } from './rate.ts'\n\nexport function tax(n: number) {\n  return rate(n)\n}\n",
      'src/bill.ts': `import { tax } from './tax.ts'\n\n// At the rate of today.\nexport function bill() {\n${filler(120, 'a')}  const due = tax(7)\n${filler(120, 'b')}  return due\n}\n`,
    },
    { 'src/rate.ts': rate(3) },
  )
  const bill = lists.neighbours.find(({ path }) => path === 'src/bill.ts')
  expect(bill?.focus).toEqual([125])
  expect(
    shown
      .filter(({ path }) => path === 'src/bill.ts')
      .map(({ text }) => text)
      .join('\n'),
  ).toContain('tax(7)')
})
