/** Acceptance criteria: what words tie, what a model may say of them, and what happens when both speak. */
import { describe, expect, test } from 'vitest'
import { tagOf } from '../../../src/domain/line-tag.ts'
import type { Ticket } from '../../../src/domain/ticket.ts'
import { type AnsweredCriterion, checkCriteria } from '../../../src/pipeline/criteria/check-criteria.ts'
import { criterionWords } from '../../../src/pipeline/planes/ticket/criterion-words.ts'
import { tieCriteria } from '../../../src/pipeline/planes/ticket/plane.ts'
import { readChange, type Texts } from '../../helpers/in-memory/change.ts'

const before = { 'src/upload.ts': 'export function upload(file: Blob) {\n  return send(file)\n}\n' }
const after = {
  'src/upload.ts':
    'const maxUploadBytes = 5_000_000\n\nexport function upload(file: Blob) {\n  if (file.size > maxUploadBytes) throw new Error("rejected: the file is too large")\n  return send(file)\n}\n',
}

function ticketOf(...texts: string[]): Ticket {
  return {
    id: 'file:t.md',
    title: 't',
    body: '',
    state: 'open',
    labels: [],
    linkedBy: 'given',
    criteria: texts.map((text, at) => ({ id: `AC${at + 1}`, text, shape: 'checklist', checked: null })),
    cut: null,
  }
}

async function check(texts: string[], answers: Partial<AnsweredCriterion>[] = [], then: Texts = after) {
  const { set: change, change: collected } = await readChange(before, then)
  const said = { ticket: 'file:t.md', id: 'AC1', state: 'covered', lines: [], reason: 'so it says' } as const
  const full = answers.map((answer) => ({ ...said, ...answer }))
  const lines = change.files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
  const tags = (kind: string) => lines.filter((line) => line.kind === kind).map(tagOf)
  const tickets = [ticketOf(...texts)]
  const ties = await tieCriteria(tickets, change, collected.head)
  return { tags, checks: checkCriteria({ tickets, change, ties, answers: full }) ?? [] }
}

describe('the words of a criterion', () => {
  test('names as code writes them, stems of what means something', () => {
    expect(criterionWords('Users should see `maxUploadBytes` and retry_limit when uploads fail')).toEqual({
      names: ['maxUploadBytes', 'retry_limit'],
      stems: ['fail'],
    })
    expect(criterionWords('The "file is too large" message is shown').names).toEqual([])
    expect(criterionWords('x'.repeat(100_000)).names).toEqual([])
  })
})

describe('without a model', () => {
  test('a rare name in an added line ties it, with the lines', async () => {
    const { checks, tags } = await check(['Uploads above `maxUploadBytes` fail'])
    expect(checks[0]).toMatchObject({ id: 'AC1', ticket: 'file:t.md', state: 'covered', by: 'code' })
    expect(checks[0]?.lines[0]?.path).toBe('src/upload.ts')
    for (const tag of checks[0]?.lines[0]?.tags ?? []) expect(tags('added')).toContain(tag)
    expect(checks[0]?.reason).toContain('`maxUploadBytes`')
  })

  test('most of its words in one file tie it; a single one does not', async () => {
    const { checks } = await check([
      'A large file is rejected on upload',
      'Administrators receive a weekly file',
    ])
    expect(checks.map(({ state }) => state)).toEqual(['covered', 'undecidable'])
    expect(checks[1]?.reason).toContain('only some of its words')
  })

  test('nothing found decides nothing: code may use other words', async () => {
    const { checks } = await check(['Passwords are hashed'])
    expect(checks[0]).toMatchObject({ state: 'undecidable', by: 'code', lines: [] })
  })

  test('words in a document do not cover anything', async () => {
    const { checks } = await check(['Set `maxUploadBytes`'], [], {
      'docs/a.md': 'maxUploadBytes is a limit\n',
    })
    expect(checks[0]?.state).toBe('undecidable')
  })

  test('a name that many files hold says little', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`src/m${at}.ts`, 'maxUploadBytes\n']),
    )
    const { checks } = await check(['Honour `maxUploadBytes`'], [], { ...after, ...many })
    expect(checks[0]?.state).toBe('undecidable')
  })
})

describe('with what a model says', () => {
  test('covered by lines that stand; others are left out', async () => {
    const first = await check(['It is fast'])
    const [tag = ''] = first.tags('added')
    const { checks } = await check(
      ['It is fast'],
      [
        {
          lines: [
            { path: 'src/upload.ts', tags: ['L999#zzz', tag] },
            { path: 'src/none.ts', tags: [tag] },
          ],
        },
      ],
    )
    expect(checks[0]).toMatchObject({
      state: 'covered',
      by: 'model',
      lines: [{ path: 'src/upload.ts', tags: [tag] }],
    })
  })

  test('covered without a changed line that stands is not decided', async () => {
    const context = await check(['It is fast'])
    const [unchanged = ''] = context.tags('context')
    const lines = [{ path: 'src/upload.ts', tags: [unchanged, 'L1#aaa'] }]
    const { checks } = await check(['It is fast'], [{ lines }])
    expect(checks[0]).toMatchObject({ state: 'undecidable', by: 'model', lines: [] })
  })

  test('not covered, unless words of it say otherwise', async () => {
    const { checks } = await check(
      ['It is fast', 'Uploads above `maxUploadBytes` fail'],
      [
        { id: 'AC1', state: 'not-covered', reason: 'no line does' },
        { id: 'AC2', state: 'not-covered', reason: 'no line does' },
      ],
    )
    expect(checks.map(({ state, by }) => [state, by])).toEqual([
      ['not-covered', 'model'],
      ['undecidable', 'model'],
    ])
    expect(checks[1]?.reason).toContain('but lines of `src/upload.ts` contain its words')
  })

  test('undecided by the model is decided by code where it can', async () => {
    const { checks } = await check(['Uploads above `maxUploadBytes` fail'], [{ state: 'undecidable' }])
    expect(checks[0]).toMatchObject({ state: 'covered', by: 'code' })
  })

  test('answers for criteria that nobody asked about are passed over, and reasons are made plain', async () => {
    const { checks } = await check(
      ['It is fast'],
      [
        { id: 'AC9' },
        { ticket: 'github:a/b#1' },
        { state: 'not-covered', reason: `a\u202eb\n${'x'.repeat(2_000)}` },
      ],
    )
    expect(checks).toHaveLength(1)
    expect(checks[0]?.reason.length).toBeLessThanOrEqual(500)
    expect(checks[0]?.reason).not.toMatch(/[\u202e\n]/)
  })
})
