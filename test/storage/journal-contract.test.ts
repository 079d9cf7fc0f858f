/** What every journal does, whoever keeps it: a recorded run, a later run over the same store, a journal in memory. */
import { describe, expect, test } from 'vitest'
import type { Journal } from '../../src/domain/journal.ts'
import { replayJournal } from '../../src/storage/runs/replay-journal.ts'
import { memoryJournal } from '../llm/memory-journal.ts'
import { answer, beginRun, newStore, request } from './run-world.ts'

type Kept = { journal: Journal; replay: () => Journal }

const journals: Record<string, () => Kept> = {
  'a run on record': () => {
    const store = newStore()
    const run = beginRun(store)
    return { journal: run, replay: () => replayJournal(store.open(run.run), store) }
  },
  'a run that asks anew': () => {
    const store = newStore()
    const run = beginRun(store, {}, { fresh: true })
    return { journal: run, replay: () => replayJournal(store.open(run.run), store) }
  },
  'in memory': () => {
    const journal = memoryJournal()
    return { journal, replay: () => journal.replay() }
  },
}

describe.each(Object.entries(journals))('%s', (_, open) => {
  test('finds nothing that was not recorded', async () => {
    expect(await open().journal.find(request('a'))).toBeNull()
  })

  test('finds the answer whole, and the newest one', async () => {
    const { journal } = open()
    const whole = {
      status: 529,
      headers: { 'content-type': 'a/b', x: 'ä' },
      body: 'line\nü\u0000\ud83d\ude00',
      durationMs: 1.5,
    }
    await journal.record(request('a'), whole)
    expect(await journal.find(request('a'))).toEqual(whole)
    await journal.record(request('a'), answer('newer'))
    expect((await journal.find(request('a')))?.body).toBe('newer')
  })

  test('asks for kind, method, address, body and sample, and for nothing else', async () => {
    const { journal } = open()
    await journal.record(request('a'), answer('A'))
    expect(await journal.find(request('a', { address: 'elsewhere', role: 'scout' }))).not.toBeNull()
    for (const other of [{ kind: 'rerank' }, { method: 'GET' }, { url: 'http://x/' }, { sample: 2 }] as const)
      expect(await journal.find(request('a', other)), JSON.stringify(other)).toBeNull()
    expect(await journal.find(request('a '))).toBeNull()
  })

  test('what it gave out is the caller’s own', async () => {
    const { journal } = open()
    await journal.record(request('a'), answer('A'))
    const found = await journal.find(request('a'))
    if (found) found.headers['content-type'] = 'changed'
    expect((await journal.find(request('a')))?.headers['content-type']).toBe('text/plain')
  })

  test('takes notes without waiting', () => {
    expect(open().journal.note({ type: 'repair', address: 'a', detail: { some: ['thing'] } })).toBeUndefined()
  })

  test('replayed, it answers what is recorded and refuses all else', async () => {
    const { journal, replay } = open()
    await journal.record(request('a'), answer('A'))
    const again = replay()
    expect((await again.find(request('a')))?.body).toBe('A')
    await expect(again.find(request('b'))).rejects.toThrow()
  })
})
