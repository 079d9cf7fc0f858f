/** The checker of a review: bad servers, the budget, the journal, and a replay without any server. */
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Journal, JournalAnswer, JournalRequest } from '../../../../src/domain/journal.ts'
import { baseLineOf } from '../../../../src/pipeline/validation/checker/line-errors.ts'
import { journalKey } from '../../../../src/storage/runs/recorder.ts'
import { drawn } from '../../../helpers/matrix.ts'
import { type Desk, openDesk } from './open-desk.ts'

const fake = join(import.meta.dirname, '../../../helpers/fake-language-server/server.ts')
const mismatch = { kind: 'type-mismatch', checker: 'tsc', message: 'no', path: 'a.ts', line: 2 } as const
const before = { 'a.ts': 'export const a: number = 1\n' }
const after = { 'a.ts': "export const a: number = 1\nexport const b: number = 'x'\n" }

function fakeServer(mode: string): object {
  const command = [process.execPath, fake, mode]
  return { fake: { command, languages: ['typescript'], readOnlyPaths: [dirname(fake)] } }
}

/** Keeps answers by what was asked, as the real one does. */
function memoryJournal(): Journal & { asked: JournalRequest[]; answers: Map<string, JournalAnswer> } {
  const [asked, answers] = [[] as JournalRequest[], new Map<string, JournalAnswer>()]
  return {
    asked,
    answers,
    find: async (request) => answers.get(journalKey(request)) ?? null,
    async record(request, answer) {
      asked.push(request)
      answers.set(journalKey(request), answer)
    },
    note() {},
  }
}

// Every way in which one can be bad: test/code-index/language-servers/bad-servers.test.ts.
test.each(drawn(['hangs at initialize', 'garbage', 'good']))(
  'a server that is bad (%s) leaves the claim open, in time',
  async (mode) => {
    const { judge, checker } = await openDesk(before, after, { settings: fakeServer(mode), seconds: 0.5 })
    const startedAt = performance.now()
    expect(await judge(mismatch)).toBe('unverifiable: It is based on `tsc` alone')
    // Nor does the end of the review wait for it.
    await checker.close()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  },
)

test('one that lies about places is believed in nothing that the index refutes or confirms for a model', async () => {
  const { judge } = await openDesk(before, after, { settings: fakeServer('outside'), seconds: 2 })
  expect(await judge({ kind: 'undefined', name: 'a', path: 'a.ts', line: 2 })).toMatch(
    /^refuted: `a.ts:2` does not use/,
  )
})

test('when the time is used up, nobody is asked any more', async () => {
  const asked: string[] = []
  const { checker, judge } = await openDesk(before, after, { seconds: 0.001 })
  asked.push(await judge(mismatch))
  expect(asked).toEqual(['unverifiable: It is based on `tsc` alone'])
  expect(await checker.type({ path: 'a.ts', line: 1, column: 13 })).toBeNull()
  expect(checker.remarks()).toEqual([
    'language servers did not answer all questions within 0.001 s (`validation.serverSeconds`)',
  ])
})

test('a replay hears what was said, asks no server, and is silent about what nobody asked', async () => {
  const journal = memoryJournal()
  const said = async ({ judge, checker }: Desk) => [
    await judge(mismatch),
    await checker.type({ path: 'a.ts', line: 2, column: 13 }),
    await checker.problemsWith('a.ts', 'export const a: number = null\n'),
  ]
  const first = await said(await openDesk(before, after, { journal }))
  expect(first[0]).toBe('confirmed by typescript 7.0.2')
  const again = await openDesk(before, after, { journal, replay: true })
  expect(await said(again)).toEqual(first)
  expect(await again.checker.definition({ path: 'a.ts', line: 1, column: 13 })).toBeNull()
  // A second live review takes the answers of the first.
  const live = await openDesk(before, after, { journal, seconds: 0.001 })
  expect(await said(live)).toEqual(first)
  // No text of a suggestion is in what is kept as the question.
  expect(JSON.stringify(journal.asked)).not.toContain('null\\n')
})

test('silence is kept for the replay of its run only, and so is the answer of another version', async () => {
  const journal = memoryJournal()
  const silent = await openDesk(before, after, { journal, seconds: 0.001 })
  expect(await silent.judge(mismatch)).toMatch(/^unverifiable/)
  const replayed = await openDesk(before, after, { journal, replay: true })
  expect(await replayed.judge(mismatch)).toMatch(/^unverifiable/)
  const next = await openDesk(before, after, { journal })
  expect(await next.judge(mismatch)).toBe('confirmed by typescript 7.0.2')
  for (const [key, answer] of journal.answers)
    journal.answers.set(key, { ...answer, body: answer.body.replace('7.0.2', '6.9.9') })
  const newer = await openDesk(before, after, { journal })
  expect(await newer.judge(mismatch)).toBe('confirmed by typescript 7.0.2')
})

test('where a line of the head stood before', async () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('')
  const { sources } = await openDesk(
    { 'a.txt': numbered(1, 40), 'gone.txt': 'x\n' },
    { 'a.txt': `new\n${numbered(1, 20)}${numbered(24, 40)}`, 'new.txt': 'x\n' },
  )
  const at = (line: number, path = 'a.txt') => baseLineOf(sources.change, path, line)?.line ?? null
  expect([at(1), at(2), at(10), at(21), at(22), at(38)]).toEqual([null, 1, 9, 20, 24, 40])
  expect([at(1, 'new.txt'), at(7, 'untouched.txt')]).toEqual([null, 7])
})
