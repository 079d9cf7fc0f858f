/** What ran out of time in a run did so in its replay too; another review has time of its own. */
import { expect, test } from 'vitest'
import { recordTimeouts } from '../../src/assembly/run-recorded.ts'
import { UserError } from '../../src/base/errors.ts'
import { withinKeptSeconds } from '../../src/base/time-budget.ts'
import { memoryJournal } from './memory-journal.ts'

function history(journal: ReturnType<typeof memoryJournal>, isReplay: boolean) {
  let worked = 0
  const timed = {
    name: 'history',
    seconds: 0.05,
    signal: new AbortController().signal,
    keepEnd: recordTimeouts({ journal, isReplay, base: 'b', head: 'h' }),
  }
  return async (work: () => Promise<string>): Promise<string> => {
    worked = 0
    const counted = () => {
      worked++
      return work()
    }
    const told = await withinKeptSeconds(timed, counted).catch(
      (error: Error) => `${error.name}: ${error.message}`,
    )
    return `${told}, worked ${worked}`
  }
}

const quick = async () => 'found'
const endless = () => new Promise<string>(() => {})
const failing = () => Promise.reject(new UserError('git-failed', 'no such tree'))

test('late stays late and failed stays failed, without working; what was found is found again', async () => {
  for (const [work, first, again] of [
    [quick, 'found, worked 1', 'found, worked 1'],
    [
      endless,
      'OutOfTime: it took longer than 0.05 s, worked 1',
      'OutOfTime: it took longer than 0.05 s, worked 0',
    ],
    [failing, 'UserError: no such tree, worked 1', 'Error: no such tree, worked 0'],
  ] as const) {
    const journal = memoryJournal()
    expect(await history(journal, false)(work)).toBe(first)
    journal.sealed = true
    expect(await history(journal, true)(quick)).toBe(again)
  }
})

test('a later review works whatever became of an earlier one, and within its time', async () => {
  const journal = memoryJournal()
  await history(journal, false)(endless)
  expect(await history(journal, false)(quick)).toBe('found, worked 1')
  expect(await history(journal, false)(endless)).toContain('OutOfTime')
})

test('nothing is kept of what came to its end; its replay works', async () => {
  const journal = memoryJournal()
  await history(journal, false)(quick)
  expect(journal.kept.size).toBe(0)
  journal.sealed = true
  expect(await history(journal, true)(quick)).toBe('found, worked 1')
})
