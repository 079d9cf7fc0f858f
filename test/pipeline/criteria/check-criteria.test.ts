/** Acceptance criteria: what their words tie to lines. */
import { describe, expect, test } from 'vitest'
import { tagOf } from '../../../src/domain/line-tag.ts'
import type { Ticket } from '../../../src/domain/ticket.ts'
import { checkCriteria } from '../../../src/pipeline/criteria/check-criteria.ts'
import { criterionWords, tieCriteria } from '../../../src/pipeline/planes/ticket/plane.ts'
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

async function check(texts: string[], then: Texts = after) {
  const { set: change, change: collected } = await readChange(before, then)
  const lines = change.files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
  const tags = (kind: string) => lines.filter((line) => line.kind === kind).map(tagOf)
  const tickets = [ticketOf(...texts)]
  const ties = await tieCriteria(tickets, change, collected.head)
  return { tags, checks: checkCriteria({ tickets, ties }) ?? [] }
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

describe('a criterion', () => {
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
    const { checks } = await check(['Set `maxUploadBytes`'], {
      'docs/a.md': 'maxUploadBytes is a limit\n',
    })
    expect(checks[0]?.state).toBe('undecidable')
  })

  test('a name that many files hold says little', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`src/m${at}.ts`, 'maxUploadBytes\n']),
    )
    const { checks } = await check(['Honour `maxUploadBytes`'], { ...after, ...many })
    expect(checks[0]?.state).toBe('undecidable')
  })
})
