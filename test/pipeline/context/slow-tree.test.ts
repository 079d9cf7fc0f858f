/** A tree that never answers: every retrieval ends at its limit all the same, with what it had by then. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Config } from '../../../src/config/schema.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { gatherContext } from '../../../src/pipeline/context/gather.ts'
import type { PassageList } from '../../../src/pipeline/context/retrieval/contract.ts'
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

const seconds = 10
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Once `until` is there, a list of passages or the history, so much time is over. */
async function gathered(method: keyof RepoSnapshot, until: PassageList | 'history', over: number) {
  const context = { graphSeconds: seconds, historySeconds: seconds }
  const config = Config.parse({ review: { depth: 'standard' }, context })
  const change = shopChange()
  const { request, history } = change
  const set = await readChangeSet(await change.diff(), { ...config.paths, base: change.base })
  const [base, head] = [stuck(change.base, method), stuck(change.head, method)]
  const { signal } = new AbortController()
  const facts = sharedFacts()
  const isThere = Promise.withResolvers<void>()
  const told = <Value>(what: typeof until, value: Value): Value => {
    if (what === until) isThere.resolve()
    return value
  }
  const result = gatherContext({
    request,
    history: { recent: async (most) => told('history', await history.recent(most)) },
    change: set,
    base,
    head,
    config,
    keepEnd: null,
    signal,
    retrieveGraph: (asked, inner) =>
      retrieveInTime(seconds, inner, (keep, isOutOfTime) =>
        retrieveGraph({ change: asked, base, head, facts, isOutOfTime }, (list, passages) =>
          told(list, keep(list, passages)),
        ),
      ),
  })
  await isThere.promise
  await turn()
  await vi.advanceTimersByTimeAsync(over * 1000)
  return await result
}

test('words that take for ever: what lies beside the change is there, and the rest is named', async () => {
  // That of the graph, and of nothing else.
  const { cuts, around } = await gathered('filesWithWords', 'siblings', 0.9 * seconds)
  expect(cuts).toEqual([
    'the time for the graph ran out',
    'not searched: used, callers, tests, neighbours, look-alikes',
  ])
  expect(around.sections.find(({ name }) => name === 'code')?.state).toBe('gathered')
  expect(around.instructions.map(({ path }) => path)).toEqual(['CLAUDE.md'])
})

test('a list of paths that takes for ever costs the sections that need it, and no other', async () => {
  const { cuts, around } = await gathered('list', 'history', seconds)
  expect(cuts.length).toBeGreaterThan(0)
  expect(around.history?.commitsRead).toBe(2)
  expect(around.instructions).toEqual([])
})
