/** A tree that never answers: every retrieval ends at its limit all the same, with what it had by then. */
import { expect, test } from 'vitest'
import { Config } from '../../../src/config/schema.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { gatherContext } from '../../../src/pipeline/context/gather.ts'
import type {
  GraphRetrieval,
  Passage,
  PassageList,
} from '../../../src/pipeline/context/retrieval/contract.ts'
import { retrieveGraph, retrieveInTime } from '../../../src/pipeline/context/retrieval/retrieve-graph.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { shopChange } from './frozen.ts'

/** As the snapshot; one of its methods never answers. */
function stuck(snapshot: RepoSnapshot, method: keyof RepoSnapshot): RepoSnapshot {
  return new Proxy(snapshot, {
    get(target, name: keyof RepoSnapshot) {
      const member = target[name]
      if (name === method) return () => new Promise(() => {})
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

type Retrieve = Parameters<typeof retrieveInTime>[2]

/** The time begins, and soon ends, when this list is found: what goes on then never ends. */
async function timedFrom(
  list: PassageList,
  signal: AbortSignal,
  retrieve: Retrieve,
): Promise<GraphRetrieval> {
  const found = new Map<PassageList, readonly Passage[]>()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isLate = () => false
  const work = retrieve(
    (name, passages) => {
      found.set(name, passages)
      if (name === list) resolve()
    },
    () => isLate(),
  )
  await promise
  return await retrieveInTime(0.1, signal, (keep, isOutOfTime) => {
    isLate = isOutOfTime
    for (const [name, passages] of found) keep(name, passages)
    return work
  })
}

async function gathered(method: keyof RepoSnapshot, seconds: number, from: PassageList | null = null) {
  const context = { graphSeconds: seconds, historySeconds: seconds }
  const config = Config.parse({ review: { depth: 'standard' }, context })
  const change = shopChange()
  const { request, history } = change
  const set = await readChangeSet(await change.diff(), { ...config.paths, base: change.base })
  const [base, head] = [stuck(change.base, method), stuck(change.head, method)]
  const { signal } = new AbortController()
  const facts = sharedFacts()
  return await gatherContext({
    request,
    history,
    change: set,
    base,
    head,
    config,
    keepEnd: null,
    signal,
    retrieveGraph: async (asked, inner) => {
      const retrieve: Retrieve = (keep, isOutOfTime) =>
        retrieveGraph({ change: asked, base, head, facts, isOutOfTime }, keep)
      return await (from ? timedFrom(from, inner, retrieve) : retrieveInTime(seconds, inner, retrieve))
    },
  })
}

test('words that take for ever: what lies beside the change is there, and the rest is named', async () => {
  const { cuts, around } = await gathered('filesWithWords', 600, 'siblings')
  expect(cuts).toEqual([
    'the time for the graph ran out',
    'not searched: used, callers, tests, neighbours, look-alikes',
  ])
  expect(around.sections.find(({ name }) => name === 'code')?.state).toBe('gathered')
  expect(around.instructions.map(({ path }) => path)).toEqual(['CLAUDE.md'])
})

test('a list of paths that takes for ever costs the sections that need it, and no other', async () => {
  const { cuts, around } = await gathered('list', 2)
  expect(cuts.length).toBeGreaterThan(0)
  expect(around.history?.commitsRead).toBe(2)
  expect(around.instructions).toEqual([])
})
