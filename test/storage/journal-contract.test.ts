/** What every journal does, whoever keeps it: a recorded run, a later run over the same store, a journal in memory. */
import { describe, expect, test } from 'vitest'
import {
  asksModel,
  isOwnWork,
  type Journal,
  type JournalRequest,
  journalKinds,
} from '../../src/domain/journal.ts'
import { replayJournal } from '../../src/storage/runs/replay-journal.ts'
import { memoryJournal } from '../llm/memory-journal.ts'
import { answer, beginRun, newStore, openRun, request } from './run-world.ts'

type Kept = { journal: Journal; replay: () => Promise<Journal> }

const journals: Record<string, () => Promise<Kept>> = {
  'a run on record': async () => {
    const store = newStore()
    const run = await beginRun(store)
    return { journal: run, replay: async () => replayJournal(await openRun(store, run.run), store.keyFolder) }
  },
  'a run that asks anew': async () => {
    const store = newStore()
    const run = await beginRun(store, {}, { fresh: true })
    return { journal: run, replay: async () => replayJournal(await openRun(store, run.run), store.keyFolder) }
  },
  'in memory': async () => {
    const journal = memoryJournal()
    return { journal, replay: async () => journal.replay() }
  },
}

describe.each(Object.entries(journals))('%s', (_, open) => {
  test('finds nothing that was not recorded', async () => {
    expect(await (await open()).journal.find(request('a'))).toBeNull()
  })

  test('finds the answer whole, and the newest one', async () => {
    const { journal } = await open()
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

  test('knows a request by everything but its place in the run and the role that asks', async () => {
    const { journal } = await open()
    await journal.record(request('a'), answer('A'))
    expect(await journal.find(request('a', { address: 'elsewhere', role: 'scout' }))).not.toBeNull()
    const wire = { address: 'a', method: 'POST', url: 'http://127.0.0.1/v1', body: 'a' }
    const others: JournalRequest[] = [
      request('a', { method: 'GET' }),
      request('a', { url: 'http://x/' }),
      request('a', { sample: 2 }),
      request('a', { outcome: 'failed' }),
      request('a '),
      { kind: 'embedding', role: 'embedder', ...wire, outcome: 'answered' },
      { kind: 'rerank', role: 'reranker', ...wire, outcome: 'answered' },
      { kind: 'host-fetch', ...wire },
      { kind: 'tool', address: 'a', tool: 'a', input: null },
      { kind: 'clock', address: 'a', clock: 'a', input: null },
      { kind: 'random', address: 'a', purpose: 'a', input: null },
    ]
    for (const other of others) expect(await journal.find(other), JSON.stringify(other)).toBeNull()
    for (const other of others) await journal.record(other, answer(JSON.stringify(other)))
    for (const other of others) expect((await journal.find(other))?.body).toBe(JSON.stringify(other))
    expect((await journal.find(request('a')))?.body).toBe('A')
  })

  test('what it gave out is the caller’s own', async () => {
    const { journal } = await open()
    await journal.record(request('a'), answer('A'))
    const found = await journal.find(request('a'))
    if (found) found.headers['content-type'] = 'changed'
    expect((await journal.find(request('a')))?.headers['content-type']).toBe('text/plain')
  })

  test('takes notes without waiting', async () => {
    expect(
      (await open()).journal.note({ type: 'repair', address: 'a', detail: { some: ['thing'] } }),
    ).toBeUndefined()
  })

  test('replayed, it answers what is recorded and refuses all else', async () => {
    const { journal, replay } = await open()
    await journal.record(request('a'), answer('A'))
    const again = await replay()
    expect((await again.find(request('a')))?.body).toBe('A')
    await expect(again.find(request('b'))).rejects.toThrow()
  })
})

describe('a replay names what it has no answer to', () => {
  const asked = (text: string) => JSON.stringify({ messages: [{ content: text }], tools: [] })
  const recorded = async (some: JournalRequest[]) => {
    const store = newStore()
    const run = await beginRun(store)
    for (const one of some) await run.record(one, answer('A'))
    return replayJournal(await openRun(store, run.run), store.keyFolder)
  }

  test('by its kind, and by what differs from the request that was made there', async () => {
    const replay = await recorded([
      request(asked('one')),
      { kind: 'tool', address: 'explore/grep', tool: 'grep', input: { tree: 'a' } },
    ])
    const refusal = (other: JournalRequest) =>
      replay.find(other).then(
        () => 'answered',
        (error: Error) => error.message,
      )
    expect(await refusal(request(asked('two')))).toMatch(
      /no recorded answer to the model request at quick\/group-1\/review: it differs from the recorded one in `body\.messages\[0\]\.content`; .*version 0\.1\.0$/,
    )
    expect(await refusal(request(asked('one'), { sample: 1 }))).toContain('in `sample`')
    expect(
      await refusal({ kind: 'tool', address: 'explore/grep', tool: 'grep', input: { tree: 'b' } }),
    ).toContain('tool request at explore/grep: it differs from the recorded one in `input.tree`')
    expect(await refusal({ kind: 'clock', address: 'explore/grep', clock: 'elapsed', input: 1 })).toContain(
      'no clock request was made there',
    )
  })
})

test('what costs money, and what never leaves the machine', () => {
  expect(journalKinds.filter((kind) => asksModel({ kind }))).toEqual(['model', 'embedding', 'rerank'])
  expect(journalKinds.filter((kind) => isOwnWork({ kind }))).toEqual(['tool', 'clock', 'random'])
})
