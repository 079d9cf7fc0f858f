/** The graph around a definition: every kind of edge, limits, and the order of what is near. */
import { expect, test } from 'vitest'
import type { CodeGraph } from '../../../src/code-index/graph/contract.ts'
import { readNeighbourhood } from '../../../src/code-index/graph/neighbourhood.ts'
import { nodeOf } from '../../../src/code-index/graph/neighbours.ts'
import { rankNeighbours } from '../../../src/code-index/graph/rank-neighbours.ts'
import { target, treeOf } from '../query/open-repo.ts'

const shop = {
  'src/price.ts': `import { round } from './round.ts'
export type Money = { cents: number }
export class Base { total(): number { return 0 } }
export class Price extends Base {
  of(money: Money): number { return round(money.cents) }
}
`,
  'src/round.ts':
    'export function round(n: number): number { return helper(n) }\nfunction helper(n: number) { return n }\n',
  'src/cart.ts': `import { Price } from './price.ts'
export function sum(): number { return new Price().of({ cents: 1 }) }
`,
  'src/page.ts': "import { sum } from './cart.ts'\nexport function page() { return sum() }\n",
  'test/cart.test.ts': "import { sum } from '../src/cart.ts'\nexport function checksSum() { sum() }\n",
  'src/lonely.ts': 'export function lonely() { return 1 }\n',
}

const nothing = () => new Map<string, number>()

function edgesOf({ nodes, edges }: CodeGraph): string[] {
  const nameOf = (at: number) => nodes[at]?.symbol?.name ?? nodes[at]?.path ?? '?'
  return edges.map(({ from, to, kind }) => `${nameOf(from)} ${kind} ${nameOf(to)}`).sort()
}

test('every kind of edge around a method and its class', async () => {
  const tree = await treeOf(shop)
  const seeds = [nodeOf(await target(tree, 'Price')), nodeOf(await target(tree, 'sum'))]
  const changesWith = (path: string) => new Map(path === 'src/cart.ts' ? [['src/lonely.ts', 0.8]] : [])
  const graph = await readNeighbourhood({ tree, seeds, changesWith })
  const all = edgesOf(graph)
  for (const edge of [
    'Price inherits Base',
    'Price calls round',
    'Price type Money',
    'Price holds of',
    'sum calls Price',
    'page calls sum',
    'checksSum tests sum',
    'src/cart.ts imports Price',
    'src/cart.ts holds sum',
    'src/cart.ts changes with src/lonely.ts',
  ])
    expect(all).toContain(edge)
  expect(graph.cut).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})

test('ranks what is tied closely first, and says by what', async () => {
  const tree = await treeOf(shop)
  const seeds = [nodeOf(await target(tree, 'sum'))]
  const ranked = rankNeighbours(await readNeighbourhood({ tree, seeds, changesWith: nothing }))
  const told = ranked.map(
    ({ node, tie, of, steps }) =>
      `${steps} ${of.symbol?.name ?? of.path} ${tie} ${node.symbol?.name ?? node.path}`,
  )
  expect(told).toContain('1 sum tested by checksSum')
  expect(told).toContain('1 sum called by page')
  expect(told).toContain('1 sum calls Price')
  expect(told).toContain('2 Price inherits Base')
  expect(told.findIndex((line) => line.includes('page'))).toBeLessThan(
    told.findIndex((line) => line.includes('Base')),
  )
  expect(ranked.some(({ node }) => node.symbol?.name === 'lonely')).toBe(false)
  expect(ranked.some(({ node }) => node.symbol?.name === 'sum')).toBe(false)
})

test('limits are kept and told', async () => {
  const users = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `u${at}.py`,
      `from lib import used\n\ndef user${at}():\n    used()\n`,
    ]),
  )
  const tree = await treeOf({ 'lib.py': 'def used():\n    return 1\n', ...users })
  const seeds = [nodeOf(await target(tree, 'used'))]
  const read = (limits: object, isOutOfTime?: () => boolean) =>
    readNeighbourhood({ tree, seeds, changesWith: nothing, limits, ...(isOutOfTime ? { isOutOfTime } : {}) })
  expect((await read({ nodes: 10 })).nodes).toHaveLength(10)
  expect((await read({ nodes: 10 })).cut).toEqual(['more than 10 neighbours: farther ones are missing'])
  expect((await read({ perNode: 5, depth: 1 })).nodes).toHaveLength(6)
  expect((await read({ perNode: 5, depth: 1 })).cut).toEqual([
    'only 5 neighbours of each symbol were followed',
  ])
  expect((await read({}, () => true)).cut).toEqual([
    'the time for the graph ran out: farther neighbours are missing',
  ])
})

test('the same tree gives the same graph', async () => {
  const read = async () => {
    const tree = await treeOf(shop)
    const graph = await readNeighbourhood({
      tree,
      seeds: [nodeOf(await target(tree, 'Price'))],
      changesWith: nothing,
    })
    return JSON.stringify([graph.nodes.map(({ path, symbol }) => [path, symbol]), graph.edges])
  }
  expect(await read()).toBe(await read())
})
