/** What became of the graph retrieval is on record, whatever it was; only a replay takes a cut one as it is. */
import { expect, test } from 'vitest'
import { graphOnRecord } from '../../src/assembly/run-recorded.ts'
import {
  type GraphRetrieval,
  passageLists,
  timeRanOut,
} from '../../src/pipeline/context/retrieval/contract.ts'
import { memoryJournal } from './memory-journal.ts'

const lists = Object.fromEntries(passageLists.map((name) => [name, []])) as unknown as GraphRetrieval['lists']
const whole: GraphRetrieval = { lists, passages: [], cuts: ['400 nodes were looked at'] }
const cut: GraphRetrieval = { lists, passages: [], cuts: [timeRanOut] }
const works: Record<string, (signal: AbortSignal) => Promise<GraphRetrieval>> = {
  whole: async () => whole,
  cut: async () => cut,
  late: () => new Promise(() => {}),
  failed: () => Promise.reject(new Error('more than 1000 entries')),
}

function graphOf(journal: ReturnType<typeof memoryJournal>, isReplay: boolean) {
  const { signal } = new AbortController()
  return async (way: string): Promise<string> => {
    const work = works[way] ?? (() => Promise.reject(new Error('asked again')))
    const given = { journal, input: { head: 'x' }, seconds: 0.05, isReplay, signal }
    try {
      return (await graphOnRecord(given, work)).cuts.join()
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : ''
    }
  }
}

test.each([
  ['whole', '400 nodes were looked at'],
  ['cut', timeRanOut],
  ['late', 'OutOfTime: it took longer than 0.05 s'],
  ['failed', 'Error: more than 1000 entries'],
])('%s: a replay tells the same, and looks nowhere', async (way, told) => {
  const journal = memoryJournal()
  expect(await graphOf(journal, false)(way)).toBe(told)
  journal.sealed = true
  expect(await graphOf(journal, true)('again')).toBe(told)
})

test('a later review takes a whole answer as it is, and looks again where time had run out or reading failed', async () => {
  for (const way of ['cut', 'late', 'failed']) {
    const journal = memoryJournal()
    await graphOf(journal, false)(way)
    expect(await graphOf(journal, false)('whole')).toBe('400 nodes were looked at')
    expect(await graphOf(journal, false)('again')).toBe('400 nodes were looked at')
  }
})

test('an abort from outside is no outcome, and is not kept', async () => {
  const journal = memoryJournal()
  const controller = new AbortController()
  const given = { journal, input: {}, seconds: 5, isReplay: false, signal: controller.signal }
  const asked = graphOnRecord(given, () => new Promise(() => {}))
  controller.abort(new Error('stop'))
  await expect(asked).rejects.toThrow('stop')
  expect(journal.kept.size).toBe(0)
})
