/** A review is believed where this diff bears it out, and nowhere else: whatever number, tag or line it was given. */
import { expect, test } from 'vitest'
import type { ChangeSet } from '../../../src/domain/change-set.ts'
import type { Finding } from '../../../src/domain/finding.ts'
import { formatFileTag, tagOf } from '../../../src/domain/line-tag.ts'
import type { Review } from '../../../src/domain/review.ts'
import { checkAnchors, checkPlaces } from '../../../src/pipeline/publish/check-anchors.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { changeOf, reviewOf } from './sync/bug-world.ts'

const filler = Array.from({ length: 20 }, (_, at) => `line ${at}`)
const base = new Map([['a.ts', ['first', 'gone', ...filler, 'last']]])
const head = new Map([
  ['a.ts', ['first', 'call() // bug 1', 'more()', ...filler, 'far() // bug 2', 'last']],
  ['b.ts', ['new() // bug 3']],
])
const change: ChangeSet = changeOf(base, head, new Map())
const [first, far] = change.files[0]?.hunks ?? []
if (!first || !far) throw new Error('the change has two hunks')
const lineSaying = (text: string) => {
  const line = [...first.lines, ...far.lines].find((one) => one.text.startsWith(text))
  if (!line) throw new Error(`no line says ${text}`)
  return line
}
const call = lineSaying('call')
const more = lineSaying('more')
const gone = lineSaying('gone')

const review: Review = reviewOf(change, 'f'.repeat(40))
const [genuine] = review.findings.filter(({ title }) => title.includes('bug_1 '))
if (!genuine) throw new Error('the first bug is found')

function checked(overrides: Partial<Finding>) {
  const told = { ...genuine, ...overrides } as Finding
  return checkAnchors({ ...review, findings: [told] }, change, review.request)
}

test('what the diff bears out is published as it is', () => {
  expect(checkAnchors(review, change, review.request)).toEqual({ review, refused: [] })
})

const anchor = (...tags: string[]) => ({ anchor: { path: 'a.ts', tags } })

test.each<[string, Partial<Finding>]>([
  ['several lines', { ...anchor(tagOf(more), tagOf(call)), startLine: 2, endLine: 3 }],
  ['a removed line', { ...anchor(tagOf(gone)), side: 'old', startLine: 2, endLine: 2, excerpt: [gone] }],
  // The line of the other hunk is a further place, and no end of the range.
  ['lines of two hunks', anchor(tagOf(call), tagOf(lineSaying('far')))],
  ['a file', { ...anchor(formatFileTag('a.ts')), startLine: 1, endLine: 1, excerpt: [] }],
])('so is a finding on %s', (_, overrides) => {
  expect(checked(overrides).refused).toEqual([])
})

const tag = tagOf(call)
const otherHash = tag.replace(/#.*/, tag.endsWith('#000') ? '#111' : '#000')
const numbers = 'its line numbers are not those of the lines it cites'
const excerpt = 'its excerpt is not from this diff'
const line = 'it cites a line that this diff does not have'
const fileOnly = 'it has lines, and cites only its file'

test.each<[string, Partial<Finding>, string]>([
  ['another file', { anchor: { path: 'c.ts', tags: [tag] } }, 'its file is not part of this change'],
  ['a tag with another hash', anchor(otherHash), line],
  ['a second tag of no line', anchor(tag, 'L900#abc'), line],
  ['words for a tag', anchor('line 2'), line],
  ['an earlier start', { startLine: 1 }, numbers],
  ['a later end', { endLine: 3 }, numbers],
  ['a range that only starts right', { ...anchor(tag, tagOf(more)), endLine: 2 }, numbers],
  ['a range that only ends right', { ...anchor(tag, tagOf(more)), startLine: 3, endLine: 3 }, numbers],
  ['a file and a line', anchor(formatFileTag('a.ts'), tag), line],
  ['a file, and a start', { ...anchor(formatFileTag('a.ts')), startLine: 2, endLine: 1 }, fileOnly],
  ['a file, and an end', { ...anchor(formatFileTag('a.ts')), startLine: 1, endLine: 2 }, fileOnly],
  ['other words under the numbers of a line', { excerpt: [call, { ...more, text: 'safe()' }] }, excerpt],
  ['a line with the hash of another', { excerpt: [call, { ...more, hash: call.hash }] }, excerpt],
  ['a context line as added', { excerpt: [{ ...lineSaying('first'), kind: 'added' }] }, excerpt],
  ['another old number', { excerpt: [{ ...lineSaying('first'), old: 2 }] }, excerpt],
  ['a removed line with the hash of another', { excerpt: [{ ...gone, hash: call.hash }] }, excerpt],
  ['a line without a number', { excerpt: [{ ...gone, old: null }] }, excerpt],
])('%s is refused', (_, overrides, reason) => {
  const { review: left, refused } = checked({ ...overrides, preExisting: true })
  const { id, title, severity } = genuine
  expect(refused).toEqual([{ id, title, severity, preExisting: true, reason }])
  expect(left.findings).toEqual([])
  expect(left.conclusion.word).toBe(review.conclusion.word)
  expect(left.conclusion.notices).toEqual([`not published: ${title} (${severity}): ${reason}`])
})

test('what is refused takes no other finding with it', () => {
  const forged = review.findings.map((one) => (one.id === genuine.id ? { ...one, startLine: 9 } : one))
  const { review: left, refused } = checkAnchors({ ...review, findings: forged }, change, review.request)
  expect(refused.map(({ id }) => id)).toEqual([genuine.id])
  expect(left.findings).toEqual(review.findings.filter(({ id }) => id !== genuine.id))
})

test.each(['base', 'head'] as const)('a review of another %s is refused as a whole', (side) => {
  const request = { ...review.request, [side]: { ...review.request[side], tree: 'e'.repeat(40) } }
  expect(() => checkAnchors(review, change, request)).toThrow(
    expect.objectContaining({
      code: 'review-unusable',
      message: `it was made for a different ${side} than this change has`,
    }),
  )
})

const sides = {
  base: memorySnapshot({ 'old.ts': 'one\nthrew()\n' }),
  head: memorySnapshot({ 'c.ts': 'zero\nfirst()\nsecond()\n' }),
}
const place = { path: 'c.ts', side: 'new' as const, startLine: 2, endLine: 3, quote: 'first()\nsecond()' }
const withPlaces = (...places: Finding['places'] & object) => ({
  ...review,
  findings: [{ ...genuine, places }],
})

test('a further place is published where its lines hold its words', async () => {
  const told = withPlaces(place, { path: 'old.ts', side: 'old', startLine: 2, endLine: 2, quote: 'threw()' })
  expect(await checkPlaces(told, sides)).toBe(told)
})

test.each([
  ['other words', { quote: 'third()' }],
  ['words that are on another line', { startLine: 1, endLine: 1, quote: 'first()' }],
  ['lines after the end of the file', { endLine: 9 }],
  ['a file that is not there', { path: 'gone.ts' }],
  ['the other side', { side: 'old' as const }],
])('one with %s is left out, which is said, and its finding stays', async (_, forged) => {
  const { findings, conclusion } = await checkPlaces(withPlaces({ ...place, ...forged }, place), sides)
  expect(findings).toEqual([{ ...genuine, places: [place] }])
  expect(conclusion.notices).toEqual([`a place left out of ${genuine.title}: its words are not on its lines`])
})
