/** Which findings share a question: by weight and nearness, and never at the price of what one of them would be judged by. */
import { describe, expect, test } from 'vitest'
import { openEvidenceBook } from '../../../src/domain/evidence.ts'
import {
  type DossierDraft,
  gatherDossier,
  joinDossiers,
  numberDossier,
} from '../../../src/pipeline/refutation/dossier.ts'
import { type Case, packFindings } from '../../../src/pipeline/refutation/pack-findings.ts'
import { Random } from '../../helpers/random.ts'
import { context, finding, world } from './world.ts'

const room = 40_000
let files = 0

const line = 'x'.repeat(493)

/** About so many bytes of a file of its own, ten lines in one item. */
function dossier(bytes: number, piece = `piece ${files}`): DossierDraft {
  const path = `lib/${++files}.ts`
  const lines = Math.max(1, Math.round(bytes / 500))
  const starts = Array.from({ length: Math.ceil(lines / 10) }, (_, at) => at * 10 + 1)
  const drafts = starts.map((startLine) => {
    const endLine = Math.min(lines, startLine + 9)
    const text = Array.from({ length: endLine - startLine + 1 }, () => line).join('\n')
    const range = { path, blob: null, side: 'new', startLine, endLine, text } as const
    return { source: 'file', trust: 'foreign', title: `${path}:${startLine}`, ...range } as const
  })
  return { piece, diffs: [], cited: [], drafts, left: [], bytes: lines * 500 }
}

function one(id: string, path: string, draft: DossierDraft, startLine = 1): Case {
  const said = { title: `Finding ${id}`, explanation: '' }
  return { finding: finding({ ...said, id, startLine, anchor: { path, tags: [] } }), dossier: draft }
}

const ids = (cases: readonly Case[], most = room) =>
  packFindings(cases, most).map(({ findings }) => findings.map(({ id }) => id).join(' '))

/** On a line of a file, in these words and no others. */
function said(id: string, path: string, words: string, startLine = 1): Case {
  const { finding: plain, dossier: draft } = one(id, path, dossier(1_000, path), startLine)
  const anchor = { path, tags: [`L${startLine}#aaa`] }
  return { finding: { ...plain, title: words, explanation: '', anchor }, dossier: draft }
}

describe('which findings share a question', () => {
  test('those of the definition first, then of the file, then others, never more than five', () => {
    const cases = [
      one('C1', 'a.ts', dossier(1_000, 'f')),
      one('C2', 'b.ts', dossier(1_000)),
      one('C3', 'a.ts', dossier(1_000)),
      one('C4', 'b.ts', dossier(1_000)),
      one('C5', 'a.ts', dossier(1_000, 'f')),
      one('C6', 'c.ts', dossier(1_000)),
      one('C7', 'a.ts', dossier(1_000, 'f')),
    ]
    expect(ids(cases)).toEqual(['C1 C3 C5 C7 C6', 'C2 C4'])
  })
  test('what is said in much the same words, wherever in the file, before what is near', () => {
    const cases = [
      said('C1', 'a.ts', 'The zoom of the graph is lost when the app is reset', 10),
      said('C2', 'a.ts', 'A closed socket is written to', 20),
      said('C3', 'a.ts', 'Headers are merged twice', 30),
      said('C4', 'a.ts', 'Empty passwords pass', 40),
      said('C5', 'a.ts', 'Colours overflow', 50),
      said('C6', 'a.ts', 'Resetting the app does not restore the zoom of the graph', 900),
    ]
    expect(ids(cases)).toEqual(['C1 C2 C3 C4 C6', 'C5'])
  })
  test('what may tell one problem stays together, also where it is not what the question begins with', () => {
    const cases = [
      said('C1', 'a.ts', 'A closed socket is written to'),
      said('C2', 'b.ts', 'Headers are merged twice'),
      said('C3', 'c.ts', 'Empty passwords pass'),
      said('C4', 'd.ts', 'Colours overflow'),
      said('C5', 'e.ts', 'The zoom of the graph is lost when the app is reset'),
      said('C6', 'f.ts', 'Resetting the app does not restore the zoom of the graph'),
    ]
    expect(ids(cases)).toEqual(['C1 C2 C3 C4', 'C5 C6'])
  })
  test('of more than fit, the two that are most alike stay together', () => {
    const cases = [
      said('C1', 'a.ts', 'The scanner splits a statement inside a string', 10),
      said('C2', 'a.ts', 'The scanner splits a statement at each END of a CASE expression', 20),
      said('C3', 'a.ts', 'The scanner splits a statement at a column that is called begin', 30),
      said('C4', 'a.ts', 'The scanner splits a statement at names with two dollar signs', 40),
      said('C5', 'a.ts', 'A column called begin lets the scanner split a statement', 50),
      said('C6', 'a.ts', 'Inside a CASE expression END lets the scanner split a statement', 60),
      said('C7', 'a.ts', 'Two dollar signs in names let the scanner split a statement', 70),
      said('C8', 'a.ts', 'Inside a string the scanner splits a statement', 80),
    ]
    const packs = ids(cases).map((pack) => pack.split(' '))
    for (const pair of [
      ['C1', 'C8'],
      ['C2', 'C6'],
      ['C3', 'C5'],
      ['C4', 'C7'],
    ])
      expect(packs.some((pack) => pair.every((id) => pack.includes(id)))).toBe(true)
  })
  test('their numbers follow the code and not the severity', () => {
    const cases = [
      one('C1', 'b.ts', dossier(9), 9),
      one('C2', 'b.ts', dossier(9), 2),
      one('C3', 'a.ts', dossier(9)),
    ]
    expect(ids(cases)).toEqual(['C3 C2 C1'])
  })
  test('the most severe begins the first question, and what does not fit beside it begins another', () => {
    const cases = [
      one('C1', 'a.ts', dossier(25_000)),
      one('C2', 'b.ts', dossier(20_000)),
      one('C3', 'c.ts', dossier(10_000)),
      one('C4', 'd.ts', dossier(20_000)),
      one('C5', 'e.ts', dossier(6_000)),
    ]
    expect(ids(cases)).toEqual(['C1 C3', 'C2 C4', 'C5'])
  })
  test('one that fills the room stays alone', () => {
    expect(ids([one('C1', 'a.ts', dossier(39_000)), one('C2', 'a.ts', dossier(5_000))])).toEqual(['C1', 'C2'])
  })
  test('but for those that are judged by the very same lines', () => {
    const large = dossier(45_000, 'f')
    expect(
      ids([one('C1', 'a.ts', large), one('C2', 'a.ts', large), one('C3', 'a.ts', dossier(600))]),
    ).toEqual(['C1 C2', 'C3'])
  })
  test('each finding is in exactly one, and the same cases give the same packs', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = new Random(seed)
      const cases = Array.from({ length: random.between(1, 30) }, (_, at) =>
        one(
          `C${at}`,
          `${random.between(1, 4)}.ts`,
          dossier(random.between(500, 42_000), `${random.between(1, 8)}`),
        ),
      )
      const packs = packFindings(cases, room)
      const idsOf = (all: readonly Case[]) => all.map(({ finding: { id } }) => id)
      expect(idsOf(packs.flatMap((pack) => pack.cases)).sort()).toEqual(idsOf(cases).sort())
      for (const pack of packs) {
        expect(pack.cases.length).toBeLessThanOrEqual(5)
        const alone = pack.cases.map((own) => own.dossier.bytes)
        expect(pack.dossier.bytes <= Math.max(room, ...alone), `seed ${seed}`).toBe(true)
        const held = pack.dossier.drafts.map(({ title }) => title)
        for (const { dossier: own } of pack.cases)
          expect(held).toEqual(expect.arrayContaining(own.drafts.map(({ title }) => title)))
      }
      const again = packFindings(cases, room)
      expect(again.map((pack) => idsOf(pack.cases))).toEqual(packs.map((pack) => idsOf(pack.cases)))
    }
  })
})

describe('a joint dossier', () => {
  test('counts a line once, and names what had no room in any of them', () => {
    const [a, b] = [dossier(10_000), { ...dossier(5_000), left: ['`big`, which it names'] }]
    const joined = joinDossiers([a, b, a], room)
    expect(joined?.bytes).toBe(a.bytes + b.bytes)
    expect(joined?.left).toEqual(['`big`, which it names'])
    expect(joinDossiers([a, b], a.bytes + b.bytes - 1)).toBeNull()
  })
  test('what is gathered has no number until a question is final', async () => {
    const book = openEvidenceBook(context.evidence)
    const { base, head, facts } = world
    const { signal } = new AbortController()
    const input = { context, book, base, head, facts, code: null, room, signal }
    const draft = await gatherDossier(finding(), input)
    expect(draft.drafts).not.toEqual([])
    expect(book.items).toHaveLength(context.evidence.length)
    const { evidence } = numberDossier(draft, book)
    expect(evidence.map(({ id }) => id)).toEqual(['E1', 'E3', 'E4'])
    expect(numberDossier(draft, book).evidence).toEqual(evidence)
  })
})
