/** The words of blobs beside the plainest way to find them, and segments through writing, reading and merging. */
import { expect, test } from 'vitest'
import { encodeWordsOf } from '../../../src/code-index/segments/blob-words.ts'
import { buildNames, mergeNames, type UnitWords } from '../../../src/code-index/segments/build-names.ts'
import { filedWord, NameSegment } from '../../../src/code-index/segments/name-segment.ts'
import { Random } from '../../helpers/random.ts'

const pieces = [
  'alpha',
  'beta_1',
  '$x',
  'naïve',
  '日本',
  '😀',
  'a',
  ' ',
  '\n',
  '.',
  '-',
  '"',
  '\ufeff',
  'Z'.repeat(220),
]

function randomText(random: Random): string {
  return Array.from({ length: random.between(0, 60) }, () => random.pick(pieces)).join('')
}

function unit(number: number, text: string, state: 'text' | 'crash' = 'text', language = ''): UnitWords {
  const words = Buffer.from(encodeWordsOf({ text, state, facts: null }))
  return { blob: blobOf(number), language, bytes: number, state, words }
}

function blobOf(number: number): string {
  return number.toString(16).padStart(40, '0')
}

function segmentOf(texts: readonly string[], from = 0): NameSegment {
  const segment = NameSegment.open(buildNames(texts.map((text, at) => unit(from + at, text))))
  if (!segment) throw new Error('not a segment')
  return segment
}

/** Units by word and by its pieces between `$`, found by patterns over the text. */
function byPattern(texts: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [at, text] of texts.entries())
    for (const word of new Set(wordsOf(text))) found.set(word, [...(found.get(word) ?? []), at])
  return found
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/[A-Za-z0-9_$\u0080-\uffff]+/g)]
    .filter(([word]) => Buffer.byteLength(word) <= 200)
    .flatMap(([word]) => [word, ...word.split('$').filter((piece) => piece !== '')])
}

function unitsWith(segment: NameSegment, word: string): number[] {
  const { bytes, hash } = filedWord(word)
  return [...(segment.postingsOf(bytes, hash) ?? [])].map((posting) => posting >>> 2)
}

test('every word of every text is filed, and nothing else', () => {
  const random = new Random(7)
  for (let round = 0; round < 40; round++) {
    const texts = Array.from({ length: random.between(1, 30) }, () => randomText(random))
    const segment = segmentOf(texts)
    const expected = byPattern(texts)
    for (const [word, units] of expected) expect(unitsWith(segment, word), word).toEqual(units)
    expect(segment.hashes.length).toBe(expected.size)
    for (const absent of ['alp', 'alphabeta', '', '-', 'Z'.repeat(220)])
      if (!expected.has(absent)) expect(unitsWith(segment, absent)).toEqual([])
  }
})

test('many words: the table grows, and words whose hashes meet are told apart', () => {
  const numbered = Array.from({ length: 12_000 }, (_, at) => `w${at.toString(36)}`)
  const words = ['costarring', 'liquid', 'altarage', 'zinke', ...numbered]
  const segment = segmentOf([words.join(' '), words.filter((_, at) => at % 3 === 0).join('\n')])
  for (let at = 0; at < words.length; at += at < 4 ? 1 : 97)
    expect(unitsWith(segment, words[at] ?? '')).toEqual(at % 3 === 0 ? [0, 1] : [0])
  const meeting = segment.hashes.filter((hash, at) => hash === segment.hashes[at - 1]).length
  expect(meeting).toBeGreaterThanOrEqual(2)
  expect(segment.hashes).toHaveLength(words.length)
})

test('merged segments answer as one made at once, without the units that were dropped', () => {
  const random = new Random(11)
  const parts = Array.from({ length: 4 }, () => Array.from({ length: 12 }, () => randomText(random)))
  const keep = parts.map((texts) => texts.map(() => random.chance(0.7)))
  const merged = NameSegment.open(
    mergeNames(
      parts.map((texts, at) => segmentOf(texts, at * 100)),
      keep,
    ),
  )
  const kept = parts.flatMap((texts, at) => texts.filter((_, unit) => keep[at]?.[unit]))
  expect(merged?.unitCount).toBe(kept.length)
  const expected = byPattern(kept)
  for (const [word, units] of expected) expect(merged && unitsWith(merged, word), word).toEqual(units)
  expect(merged?.hashes.length).toBe(expected.size)
  const blobs = parts.flatMap((texts, at) => texts.map((_, unit) => blobOf(at * 100 + unit)))
  const keptBlobs = blobs.filter((_, at) => keep.flat()[at])
  expect(Array.from({ length: kept.length }, (_, at) => merged?.unit(at).blob)).toEqual(keptBlobs)
})

test('a file with any byte changed, or cut anywhere, is no segment', () => {
  const bytes = buildNames([unit(1, 'def alpha(): pass', 'crash', 'python')])
  expect(NameSegment.open(bytes)?.unit(0)).toMatchObject({ state: 'crash', language: 'python', bytes: 1 })
  let taken = 0
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 0x41
    if (NameSegment.open(damaged)) taken++
    expect(NameSegment.open(bytes.subarray(0, at)) === null || at >= bytes.length - 8).toBe(true)
  }
  // Between sections stand up to seven bytes that nobody reads.
  expect(taken).toBeLessThan(8 * 8)
})

test('a file of an earlier format is no segment', () => {
  const bytes = buildNames([unit(1, 'alpha')])
  const earlier = Buffer.from(bytes)
  earlier.writeUInt32LE(earlier.readUInt32LE(4) - 1, 4)
  expect([NameSegment.open(bytes)?.unitCount, NameSegment.open(earlier)]).toEqual([1, null])
  expect(NameSegment.open(Buffer.from('SLtree1\nof the first format'))).toBeNull()
})
