/** PageRank, the graph of imports, and what they say of impact and search. */
import { expect, onTestFinished, test } from 'vitest'
import { rankFiles, readFileGraph } from '../../../src/code-index/graph/file-graph.ts'
import { findImpact } from '../../../src/code-index/query/callers.ts'
import { type Adjacency, pageRank } from '../../../src/code-index/query/page-rank.ts'
import { openCodeSearch } from '../../../src/code-index/search/search.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { Random } from '../../helpers/random.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { target, treeOf } from './open-repo.ts'

const to = (...nodes: number[]) => nodes.map((node) => ({ to: node, weight: 1 }))

test('shares add up to one, fall with distance, and are none where no way leads', () => {
  const ranks = pageRank([to(1), to(2), [], to(0)], new Map([[0, 1]]))
  expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9)
  const [first = 0, second = 0, third = 0, apart = 0] = ranks
  expect(first > second && second > third && third > 0).toBe(true)
  expect(apart).toBe(0)
})

test('two nodes that lead to each other share as the formula has it', () => {
  const [seed = 0, other = 0] = pageRank([to(1), to(0)], new Map([[0, 3]]), { damping: 0.5, iterations: 60 })
  expect(seed).toBeCloseTo(2 / 3, 9)
  expect(other).toBeCloseTo(1 / 3, 9)
})

test('no seeds, unknown seeds and unknown nodes do no harm', () => {
  expect([...pageRank([to(1), []], new Map())]).toEqual([0, 0])
  expect([...pageRank([to(9), []], new Map([[7, 1]]))]).toEqual([0, 0])
  expect([...pageRank([to(9)], new Map([[0, 1]]))][0]).toBeCloseTo(1, 9)
  expect([...pageRank([], new Map([[0, 1]]))]).toEqual([])
})

test('the order in which edges are listed changes nothing, to the last bit', () => {
  const random = new Random(11)
  const graph = Array.from({ length: 60 }, () =>
    Array.from({ length: random.between(0, 8) }, () => random.between(0, 59))
      .filter((node, at, all) => all.indexOf(node) === at)
      .map((node) => ({ to: node, weight: random.between(1, 9) / 7 })),
  )
  const turned: Adjacency = graph.map((list) => list.toReversed())
  const seeds = new Map([[3, 1]])
  expect([...pageRank(graph, seeds)]).toEqual([...pageRank(turned, seeds)])
})

const files = {
  'go.mod': 'module example.com/m\n',
  'cmd/main.go': 'package main\n\nimport "example.com/m/store"\n\nfunc main() { store.Open() }\n',
  'store/store.go': 'package store\n\nfunc Open() {}\n',
  'store/store_test.go': 'package store\n\nfunc TestOpen() { Open() }\n',
  'web/a.ts': "import { b } from './b'\nexport const a = b\n",
  'web/b.ts': "import './c'\nexport const b = 1\n",
  'web/c.ts': 'console.log(1)\n',
  'app/x.py': 'from app.y import z\nimport os\n',
  'app/y.py': 'z = 1\n',
  'notes.md': 'nothing\n',
}

test('imports of every language make the graph, folders stand for their files', async () => {
  const tree = await treeOf(files)
  const graph = await readFileGraph(tree.world, Object.keys(files))
  const told = graph.edges.flatMap((list, from) =>
    list.filter(({ weight }) => weight === 1).map((edge) => `${graph.paths[from]} ${graph.paths[edge.to]}`),
  )
  expect(told).toEqual([
    'app/x.py app/y.py',
    'cmd/main.go store/store.go',
    'web/a.ts web/b.ts',
    'web/b.ts web/c.ts',
  ])
  expect(rankFiles(graph, new Map([['web/c.ts', 1]]), 9).map(({ path }) => path)).toContain('web/a.ts')
  expect(rankFiles(graph, new Map([['web/c.ts', 1]]), 1)).toHaveLength(1)
  expect(rankFiles(graph, new Map([['absent.ts', 1]]), 9)).toEqual([])
})

test('of the callers at one depth, those come first to which more ways lead', async () => {
  const tree = await treeOf({
    'a.py': `def core():
    return 1

def alone():
    return core()

def busy():
    return core() + alone()
`,
  })
  const { steps } = await findImpact(tree, await target(tree, 'core'))
  expect(steps.map(({ depth, symbol }) => [depth, symbol?.name])).toEqual([
    [1, 'busy'],
    [1, 'alone'],
  ])
  expect(steps.map(({ rank }) => rank > 0)).toEqual([true, true])
})

test('search tells the files near its hits when it is asked to, and leaves its order as it is', async () => {
  const store = sharedFacts()
  onTestFinished(() => store.close())
  const { search } = await openCodeSearch(memorySnapshot(files), store)
  const plain = await search('Open store', 3)
  expect(plain.nearby).toBeNull()
  const { nearby, hits } = await search('Open store', 3, { nearby: true })
  expect(hits).toEqual(plain.hits)
  expect(nearby?.map(({ path }) => path)).toContain('cmd/main.go')
})

test('near a file, what stands there or changes with it is lifted, and each stage tells its list', async () => {
  const store = sharedFacts()
  onTestFinished(() => store.close())
  const snapshot = memorySnapshot({
    'src/a/upload.ts': "import { retry } from './again.ts'\nexport const upload = () => retry(3)\n",
    'src/a/again.ts': 'export function retry(times: number) {\n  return times\n}\n',
    'src/b/again.ts': 'export function retry(times: number) {\n  return times\n}\n',
    'src/c/again.ts': 'export function retry(times: number) {\n  return times\n}\n',
  })
  const { search } = await openCodeSearch(snapshot, store)
  const anywhere = await search('retry', 3)
  expect(anywhere.stages.graph).toEqual([])
  expect(anywhere.stages.history).toEqual([])

  const nearB = await search('retry', 3, { near: { paths: ['src/b/again.ts'], commits: [] } })
  expect(nearB.hits[0]?.path).toBe('src/b/again.ts')
  expect(nearB.hits[0]?.ranks.graph).toBe(1)

  const nearA = await search('retry', 3, { near: { paths: ['src/a/upload.ts'], commits: [] } })
  expect(nearA.hits[0]?.path).toBe('src/a/again.ts')

  const commits = [
    {
      commit: '1',
      authorName: 'a',
      authorEmail: 'e',
      time: 1,
      subject: 's',
      paths: ['src/a/upload.ts', 'src/c/again.ts'],
    },
  ]
  const together = await search('retry', 3, { near: { paths: ['src/a/upload.ts'], commits } })
  expect(together.stages.history.map(({ path }) => path)).toEqual(['src/c/again.ts'])
  expect(together.hits.find(({ path }) => path === 'src/c/again.ts')?.ranks.history).toBe(1)
})
