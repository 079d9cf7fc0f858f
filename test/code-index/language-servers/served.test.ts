/** Answers of a server and the index together: what both know, what one knows, what the server denies, and silence. */
import { expect, test } from 'vitest'
import {
  serveCallers,
  serveDefinitions,
  serveReferences,
} from '../../../src/code-index/language-servers/served/serve.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { target } from '../query/open-repo.ts'
import { open, openFake } from './open-servers.ts'

const files = {
  'tsconfig.json': '{ "include": ["src"] }',
  'src/cart.ts': `export class Cart {
  countItemsInCart(): number {
    return 1
  }
}
export function each(take: (cart: Cart) => number): number {
  return take(new Cart())
}
`,
  'src/use.ts': `import { Cart, each } from './cart'
export const all = () => each((one) => one.countItemsInCart())
export const direct = (cart: Cart) => cart.countItemsInCart()
`,
  'src/other.ts': 'export const open = (box) => box.countItemsInCart()\n',
  'src/third.ts': `export function third() {
  const box = make(() => 2)
  return box.countItemsInCart()
}
const make = (countItemsInCart: () => number) => ({ countItemsInCart })
`,
  'scripts/run.ts': `import { Cart } from '../src/cart'
new Cart().countItemsInCart()
`,
}

test('each edge, caller and definition says who vouches for it; what the server takes for something else is none', async () => {
  const snapshot = memorySnapshot(files)
  const tree = await openCodeTree(snapshot, sharedFacts())
  const servers = await open(snapshot)
  const answer = await serveReferences(tree, await target(tree, 'countItemsInCart'), servers)
  expect(answer.server).toEqual({ source: 'typescript 7.0.2', state: 'complete', why: null })
  expect(
    answer.references.map(({ path, line, how, sources }) => [path, line, how, sources.join(' + ')]),
  ).toEqual([
    ['scripts/run.ts', 2, 'receiver type', 'index + typescript 7.0.2'],
    // The server knows nothing of a value of any type: the index says so alone, and how little it is sure.
    ['src/other.ts', 1, 'unique name', 'index'],
    ['src/use.ts', 2, 'unique name', 'index + typescript 7.0.2'],
    ['src/use.ts', 3, 'receiver type', 'index + typescript 7.0.2'],
  ])
  expect(answer.references.map(({ confidence }) => confidence)).toEqual([1, 0.5, 1, 1])
  expect(answer.unresolved.map(({ path, line, why }) => [path, line, why])).toEqual([
    ['src/third.ts', 3, 'typescript 7.0.2 takes it for src/third.ts:5'],
  ])
  const callers = await serveCallers(tree, await target(tree, 'each'), servers)
  expect(
    callers.callers.map(({ path, symbol, sources }) => [path, symbol?.name, sources.join(' + ')]),
  ).toEqual([['src/use.ts', 'all', 'index + typescript 7.0.2']])
  const found = await serveDefinitions(tree, 'Cart', servers)
  expect(found.definitions.map(({ path, sources }) => [path, sources.join(' + ')])).toEqual([
    ['src/cart.ts', 'index + typescript 7.0.2'],
  ])
  expect(found.others).toEqual([])
})

test('a use through an interface may mean it, and declarations are no uses', async () => {
  const snapshot = memorySnapshot({
    'store.ts': `export interface Store {
  load(): number
}
export class DiskStore implements Store {
  load(): number {
    return 1
  }
}
export const read = (store: Store) => store.load()
`,
  })
  const tree = await openCodeTree(snapshot, sharedFacts())
  const answer = await serveReferences(tree, await target(tree, 'store.ts:5'), await open(snapshot))
  expect(answer.server.state).toBe('complete')
  expect(answer.references).toMatchObject([
    {
      line: 9,
      how: 'language server',
      confidence: 0.6,
      within: { name: 'read' },
      sources: ['typescript 7.0.2'],
    },
  ])
})

test('when the server is silent the index answers alone and says why', async () => {
  const snapshot = memorySnapshot({ 'a.rb': 'def total\n  1\nend\n', 'b.rb': 'total\n' })
  const tree = await openCodeTree(snapshot, sharedFacts())
  const servers = await openFake('crashes', snapshot)
  const answer = await serveReferences(tree, await target(tree, 'total'), servers)
  expect(answer.server).toEqual({ source: 'fake 1.2.3-beta', state: 'silent', why: 'it ended by SIGSEGV' })
  expect(answer.references).toEqual([])
  expect(answer.unresolved).toHaveLength(1)
  const good = await openFake('good', snapshot)
  const better = await serveReferences(tree, await target(tree, 'total'), good)
  expect(better.references).toMatchObject([
    { path: 'b.rb', line: 1, how: 'language server', confidence: 1, sources: ['fake 1.2.3-beta'] },
  ])
  expect(better.unresolved).toEqual([])
})
