/** What an answer may cite: lines of both sides of a hunk, evidence once, and answers of searches that found nothing. */
import { expect, test } from 'vitest'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import type { AskedTurn } from '../../../src/domain/asked-turn.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import { chooseMaterial, findQuoted, listOfFiles } from '../../../src/pipeline/asking/material.ts'
import { renderConversation, renderQuestion } from '../../../src/pipeline/asking/message.ts'
import { renderScoutRequest } from '../../../src/pipeline/explore/scout-request.ts'
import { readChange } from '../../helpers/in-memory/change.ts'
import { freezeChange } from '../context/frozen.ts'

const fence = createFence('0123456789abcdef')

const before = 'export function wait(ms: number): number {\n  return ms * 2\n}\n'
const after = 'export function wait(ms: number): number {\n  const twice = ms * 3\n  return twice\n}\n'

let kept: Promise<ReviewContext> | null = null

/** Frozen once: what comes of it is only read. */
function frozen(): Promise<ReviewContext> {
  kept ??= freeze()
  return kept
}

async function freeze(): Promise<ReviewContext> {
  const { change } = await readChange(
    { 'src/wait.ts': before, 'package-lock.json': '{ "a": 1 }\n' },
    { 'src/wait.ts': after, 'package-lock.json': '{ "a": 2 }\n' },
  )
  return await freezeChange(change)
}

function piece(
  id: string,
  path: string | null,
  from: number,
  to: number,
  text = `${id} of ${path}`,
): Evidence {
  const [startLine, endLine] = path === null ? [null, null] : [from, to]
  const side = path === null ? null : 'new'
  return { id, source: 'file', trust: 'foreign', title: id, path, blob: null, side, startLine, endLine, text }
}

const none = { read: new Set<string>(), paths: [] }

test('a quote of a hunk is on one side of the change, with or without the number that it is shown with', async () => {
  const { change } = await frozen()
  const material = chooseMaterial({ change, evidence: [], ...none })
  // The lock file is named in the list of files, and its lines are not read.
  expect(material.hunks.map(({ id, file }) => [id, file.path])).toEqual([['D1', 'src/wait.ts']])
  expect(findQuoted('D1', 'ms * 3\n  return twice', material)).toMatchObject({
    path: 'src/wait.ts',
    side: 'new',
    startLine: 2,
    endLine: 3,
  })
  expect(findQuoted(' [D1] ', '- 2:   return ms * 2', material)).toMatchObject({ side: 'old', startLine: 2 })
  expect(findQuoted('D1', '+ 2:   const twice = ms * 3\n+ 3:   return twice', material)).toMatchObject({
    startLine: 2,
    endLine: 3,
  })
  // A removed line, and then an added one: these words follow each other on neither side.
  expect(findQuoted('D1', 'return ms * 2\n  const twice', material)).toBeNull()
  expect(findQuoted('D2', 'ms * 3', material)).toBeNull()
  expect(findQuoted('D1', 'ms * 4', material)).toBeNull()
})

test('lines that a hunk or a larger piece shows are left out, and what was read for the question has room first', async () => {
  const { change } = await frozen()
  const large = 'x'.repeat(35_000)
  const evidence = [
    piece('E1', 'src/wait.ts', 2, 2),
    piece('E2', 'src/other.ts', 5, 5),
    piece('E3', 'src/other.ts', 1, 9),
    piece('E4', 'src/other.ts', 1, 9),
    piece('E5', 'src/large.ts', 1, 900, large),
    piece('E6', null, 0, 0, '(0 lines in 12 of 12 files searched)'),
    piece('E7', 'src/read.ts', 1, 900, large),
  ]
  const material = chooseMaterial({ change, evidence, read: new Set(['E6', 'E7']), paths: [] })
  expect(material.evidence.map(({ id }) => id)).toEqual(['E3', 'E6', 'E7'])
  expect(material.left).toEqual(['src/large.ts:1-900'])
  // What was not shown cannot be quoted; that nothing was found can.
  expect(findQuoted('E5', 'xxxx', material)).toBeNull()
  expect(findQuoted('E6', '0 lines in 12 of 12 files', material)).toMatchObject({ id: 'E6' })
})

test('the list of changed files shows what a change does not touch', async () => {
  const { change } = await frozen()
  expect(listOfFiles(change).text).toBe(
    'modified package-lock.json, +1 -1\nmodified src/wait.ts, +2 -1\n(2 of 2 changed files)',
  )
})

test('the scout reads what is known beside the diffs once, in the order of lines', async () => {
  const context = await frozen()
  const evidence = [
    piece('E1', 'src/wait.ts', 2, 2),
    piece('E2', 'src/other.ts', 20, 29),
    piece('E3', 'src/other.ts', 1, 9),
    piece('E4', 'src/other.ts', 3, 3),
  ]
  const request = renderScoutRequest({ ...context, evidence }, fence)
  expect(request).toContain('\nsrc/other.ts: 1-9, 20-29\n')
  expect(request).not.toContain('src/wait.ts: 2-2')
})

test('a message labels every part: hunks, evidence, calls that show nothing, and what was said before', async () => {
  const { change } = await frozen()
  const material = chooseMaterial({ change, evidence: [piece('E3', 'src/other.ts', 1, 9)], ...none })
  const turn: AskedTurn = {
    question: 'is it slow?\nWhat the evidence did not show:\nnothing',
    statements: [{ text: 'It may be.', citations: [], isGuess: true }],
    cannot: 'How often it runs.',
    disputed: null,
    failed: null,
  }
  const talk = { findings: [], earlier: [turn], question: 'and now?' }
  const { stable, rest } = renderQuestion(material, talk, ['grep::{}: no room'], fence)
  expect(stable).toContain(
    [
      'D1:',
      '<<<foreign 0123456789abcdef "src/wait.ts, from line 1"',
      '  1: export function wait(ms: number): number {',
      '- 2:   return ms * 2',
      '+ 2:   const twice = ms * 3',
      '+ 3:   return twice',
      '  4: }',
      '>>>end 0123456789abcdef',
    ].join('\n'),
  )
  expect(rest).toContain('E3:\n<<<foreign 0123456789abcdef "E3 in src/other.ts:1-9"')
  expect(rest).toContain('show nothing:\n<<<foreign 0123456789abcdef "calls"\ngrep::{}: no room\n>>>end')
  // Labels are ours: those that a person writes stay between the delimiters of the question.
  const outside = renderConversation(talk, fence).replace(/<<<foreign.*?>>>end 0123456789abcdef/gs, '…')
  expect(outside).toBe(
    [
      'The review has no findings.',
      'Earlier question 1:\n…',
      'It was answered:\n…',
      'What the evidence did not show:\n…',
      'The question:',
      '…',
    ].join('\n\n'),
  )
})
