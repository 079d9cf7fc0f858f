/** Readers in place of models: questions through files, a case to one reader, sheets without names, scores by hand. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openAnswerDesk, questionFolders } from '../../evals/desk/answer-desk.ts'
import type { ArmFinding } from '../../evals/desk/arms.ts'
import { deskReviewer } from '../../evals/desk/desk-reviewer.ts'
import { nextQuestions } from '../../evals/desk/next-question.ts'
import { scoreSheets } from '../../evals/desk/score-sheets.ts'
import { type SheetJudgement, type SheetKey, writeSheet } from '../../evals/desk/sheet.ts'
import { beginRunFolder } from '../../evals/run/run-folder.ts'
import { runSet } from '../../evals/run/run-set.ts'
import { defaultSettings } from '../../evals/run/settings.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { caseOf, faultAt, placeAt } from './case-of.ts'
import { evals } from './run-evals.ts'
import { secretCases } from './secret-cases.ts'

const signal = new AbortController().signal
const asReader = { role: 'reader', reader: 'anna', waitMs: 60_000, signal } as const

type Schema = {
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
}

const Completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]),
})

/** The smallest value that fits. */
function smallest(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return smallest(schema.anyOf[0])
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {})]),
    )
  return { array: [], string: '', boolean: false, number: 0, integer: 0 }[type ?? ''] ?? null
}

function answerWithNothing(request: string): void {
  const text = readFileSync(request, 'utf8')
  const { json_schema } = JSON.parse(text.split('######## the answer must fit\n').at(-1) ?? '')
  writeFileSync(join(dirname(request), 'answer.json'), JSON.stringify(smallest(json_schema.schema)))
}

test('a review asks through files, and ends when a reader has answered them', async () => {
  const { mirrors, cases } = secretCases(1)
  const settings = { ...defaultSettings, depth: 'quick' as const }
  const folder = join(temporaryFolder(), 'run')
  const run = beginRunFolder(folder, 'secrets', cases, settings)
  const desk = await openAnswerDesk(join(folder, 'desk'))
  const reviewer = deskReviewer(desk, join(folder, 'settings'), { settings, cacheFolder: null })
  let done = false
  const reviewing = runSet({ run, mirrors, jobs: 2, budget: null, signal, reviewer }).finally(() => {
    done = true
  })
  const asked: string[] = []
  while (!done) {
    const open = await nextQuestions(join(folder, 'desk'), { ...asReader, waitMs: 200 })
    for (const question of Array.isArray(open) ? open : []) {
      asked.push(readFileSync(join(question, 'request.md'), 'utf8'))
      answerWithNothing(join(question, 'request.md'))
    }
  }
  desk.close()
  expect(await reviewing).toMatchObject({ reviewed: cases.length, failed: [] })
  expect(asked).toHaveLength(cases.length)
  expect(asked.join('')).toContain('######## system')
  for (const { id } of cases) expect(run.find(id)?.review?.depth).toBe('quick')
})

test('messages that a reader has seen are named and not printed again, and their bytes are not counted as new', async () => {
  const folder = temporaryFolder()
  const desk = await openAnswerDesk(folder)
  const first = { role: 'system', content: 'what to do' }
  const ask = async (messages: object[], role: 'reader' | 'other' = 'reader'): Promise<string> => {
    const response = await fetch(`${desk.addressOf('c1', role)}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'reader', messages }),
    })
    return Completion.parse(await response.json()).choices[0].message.content
  }
  const answered = async (at: number, text: string, role = 'reader') => {
    const question = join(folder, 'c1', role, `00${at}`)
    while (!existsSync(join(question, 'request.md'))) await pause(50)
    writeFileSync(join(question, 'answer.json'), text)
    return question
  }
  const one = ask([first, { role: 'user', content: 'one' }])
  await answered(1, '{"a":1}')
  expect(await one).toBe('{"a":1}')
  const two = ask([first, { role: 'user', content: 'two' }])
  const question = await answered(2, '{"a":2}')
  expect(await two).toBe('{"a":2}')
  const text = readFileSync(join(question, 'request.md'), 'utf8')
  expect(text).toContain('two')
  expect(text).not.toContain('what to do')
  expect(JSON.parse(readFileSync(join(question, 'size.json'), 'utf8'))).toMatchObject({
    bytes: '######## system\nwhat to do######## user\ntwo'.length,
    newBytes: 'two'.length,
  })
  // A retry finds the answer of the first time.
  expect(await ask([first, { role: 'user', content: 'one' }])).toBe('{"a":1}')
  expect(questionFolders(join(folder, 'c1/reader'))).toHaveLength(2)
  // Another reader is shown all of it, and its model has the beginning in its cache.
  const apart = ask([first, { role: 'user', content: 'two, too' }], 'other')
  const shown = await answered(1, '{"a":3}', 'other')
  expect(await apart).toBe('{"a":3}')
  expect(readFileSync(join(shown, 'request.md'), 'utf8')).toContain('what to do')
  expect(JSON.parse(readFileSync(join(shown, 'size.json'), 'utf8'))).toMatchObject({
    newBytes: ', too'.length,
  })
  desk.close()
})

test('a case belongs to the first reader who asks, and a refuter is asked apart', async () => {
  const folder = temporaryFolder()
  const open = (path: string) => {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, 'request.md'), 'question')
    return join(folder, path)
  }
  const first = open('c1/reader/001')
  const other = open('c2/reader/001')
  const refute = open('c1/refuter/001')
  const next = (reader: string, role: 'reader' | 'refuter' = 'reader') =>
    nextQuestions(folder, { role, reader, waitMs: 0, signal })
  expect(await next('anna')).toEqual([first])
  expect(await next('bert')).toEqual([other])
  expect(await next('carl')).toBe('none')
  // Who reviewed a case does not refute what came out, and a second opinion is somebody else's than the first.
  expect(await next('anna', 'refuter')).toBe('none')
  expect(await next('carl', 'refuter')).toEqual([refute])
  // Nor does the second reader of a case know what the first one thought.
  const apart = open('c1/other/001')
  expect(await next('anna')).not.toContain(apart)
  expect(await next('dirk')).toEqual([apart])
  writeFileSync(join(refute, 'answer.json'), '{}')
  const again = open('c1/second/001')
  expect(await next('carl', 'refuter')).toBe('none')
  expect(await next('dora', 'refuter')).toEqual([again])
  writeFileSync(join(first, 'answer.json'), '{}')
  expect(await next('anna')).toBe('none')
  writeFileSync(join(folder, 'finished'), '')
  expect(await next('anna')).toBe('finished')
})

function finding(title: string, severity = 'medium'): ArmFinding {
  return { file: 'a.ts', startLine: 1, endLine: 2, severity, title, explanation: 'Because.' }
}

test('a sheet names no arm, and its judgement is scored arm by arm', () => {
  const folder = temporaryFolder()
  const place = placeAt('a.ts', 1)
  const expected = [faultAt(place, { description: 'one' }), faultAt(place, { description: 'two' })]
  const one = caseOf({ id: 'set/one', expected })
  const clean = caseOf({ id: 'clean/two', kind: 'clean' })
  const ours = [finding('finds one', 'high'), finding('repeats one'), finding('is false', 'high')]
  const theirs = [finding('finds two'), { ...finding('is minor', 'low'), listed: true }]
  const write = (name: string, mine: readonly ArmFinding[], onClean: readonly ArmFinding[]) => {
    const file = join(folder, `${name}.jsonl`)
    const records = [
      { case: one.id, findings: mine },
      { case: clean.id, findings: onClean },
    ]
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'))
    return file
  }
  const arms = [write('ours', ours, [finding('noise')]), write('theirs', theirs, [])]
  writeFileSync(join(folder, 'arms.json'), JSON.stringify(arms))
  const bySide = (mine: readonly ArmFinding[], other: readonly ArmFinding[]) =>
    new Map([
      ['ours', mine],
      ['theirs', other],
    ])
  writeSheet(folder, one, bySide(ours, theirs), 1)
  writeSheet(folder, clean, bySide([finding('noise')], []), 2)
  const text = readFileSync(join(folder, 'set_one/sheet.md'), 'utf8')
  expect(text).not.toMatch(/ours|theirs|\bhigh\b/)
  expect(text).toContain('K2')
  expect(scoreSheets(folder).unjudged).toEqual(['clean/two', 'set/one'])

  const key: SheetKey = JSON.parse(readFileSync(join(folder, 'keys/set_one.json'), 'utf8'))
  const named = (title: string) => key.findings.find((each) => each.finding.title === title)?.name ?? ''
  const judge = (path: string, judgement: SheetJudgement) =>
    writeFileSync(join(folder, path, 'judgement.json'), JSON.stringify(judgement))
  const findings: SheetJudgement['findings'] = [
    { finding: named('finds one'), known: 1, truth: 'important', same_as: null },
    { finding: named('repeats one'), known: 1, truth: 'minor', same_as: named('finds one') },
    { finding: named('is false'), known: null, truth: 'false', same_as: null },
    { finding: named('finds two'), known: 2, truth: 'important', same_as: null },
    { finding: named('is minor'), known: 1, truth: 'minor', same_as: null },
  ]
  judge('set_one', { faults: [{ known: 1, truth: 'minor' }], findings })
  judge('clean_two', {
    faults: [],
    findings: [{ finding: 'F1', known: null, truth: 'speculative', same_as: null }],
  })
  expect(() => scoreSheets(folder)).toThrow('nothing is said of the known fault 2')
  const faults: SheetJudgement['faults'] = [
    { known: 1, truth: 'minor' },
    { known: 2, truth: 'taste' },
  ]
  judge('set_one', { faults, findings })
  const { scores, unjudged } = scoreSheets(folder)
  expect(unjudged).toEqual([])
  const all = scores.filter(({ part }) => part === 'all')
  expect(all).toMatchObject([
    {
      arm: 'ours',
      shown: 4,
      importantFound: 1,
      importantShown: 1,
      importantInPool: 2,
      found: 1,
      recall: 0.5,
      precision: 1 / 3,
      confirmed: 1,
      confirmedFound: 1,
      high: 2,
      falseHigh: 1,
      onClean: 1,
    },
    {
      arm: 'theirs',
      shown: 1,
      listed: 1,
      found: 1,
      foundInAll: 2,
      importantFound: 1,
      importantInPool: 2,
      recall: 0.5,
      precision: 1,
      confirmed: 1,
      confirmedFound: 0,
      high: 0,
      falseHigh: 0,
      onClean: 0,
    },
  ])
  expect(all.map(({ f1 }) => f1?.toFixed(2))).toEqual(['0.40', '0.67'])

  // One finding that says both counts for both, and is no third problem.
  const both = [named('finds one'), named('finds two')]
  const merged = findings.map((each) =>
    each.finding === named('is minor') ? { ...each, truth: 'important' as const, also: both } : each,
  )
  judge('set_one', { faults, findings: merged })
  const again = scoreSheets(folder).scores.find(({ arm, part }) => arm === 'theirs' && part === 'all')
  expect(again).toMatchObject({ importantFound: 2, importantShown: 1, importantInPool: 2 })
})

test('desk without an action, and a sheet without its judgements, say what to do', async () => {
  const unknown = await evals(['desk', 'walk', 'nowhere'])
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('expected run, next, sheet or score')
  const nameless = await evals(['desk', 'next', 'nowhere'])
  expect(nameless.code).toBe(2)
  expect(nameless.stderr).toContain('--as NAME')
})
