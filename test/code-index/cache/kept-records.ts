/** Records of numbered texts in a pack that several processes write. */
import { encodeRecord } from '../../../src/code-index/cache/record.ts'
import { Records } from '../../../src/code-index/cache/records.ts'
import { encodeWordsOf } from '../../../src/code-index/segments/blob-words.ts'

export const packName = 'facts-2-1.0.0.pack'

export const recordsIn = (folder: string): Records => new Records({ folder, name: packName })

/** Big enough that a few of them fill a pack. */
export function recordOf(number: number): Buffer {
  const text = Array.from({ length: 80 }, (_, at) => `word${(number * 7919 + at * 104_729) % 65_521}`).join(
    ' ',
  )
  return Buffer.from(encodeRecord('text', null, encodeWordsOf({ text, state: 'text', facts: null })))
}

/** Adds so many and writes them, five at a time; how many of them are found. */
export function addRecords(records: Records, first: number, count: number, written = () => {}): number {
  for (let at = 0; at < count; at++) {
    records.add(String(first + at), recordOf(first + at))
    if (at % 5 < 4) continue
    records.write()
    written()
  }
  return foundIn(records, first, count)
}

export function foundIn(records: Records, first: number, count: number): number {
  const keys = Array.from({ length: count }, (_, at) => first + at)
  return keys.filter((key) => recordOf(key).equals(records.recordOf(String(key)) ?? Buffer.alloc(0))).length
}
