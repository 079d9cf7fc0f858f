/** The container of index files: what was written comes back, from memory and from disk, and nothing else ever does. */
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bytesOf,
  decodeFile,
  encodeFile,
  type FileKind,
  numbersOf,
  openFile,
} from '../../../src/code-index/index-files/section-file.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const about = { tree: 'é\n', numbers: [1, 2] }
const sections = {
  odd: Buffer.from('abc'),
  empty: new Uint8Array(),
  numbers: bytesOf(Uint32Array.from([7, 0, 0xffffffff])),
  same: new Uint8Array(5_000).fill(7),
}

describe.each([true, false])('packed: %s', (packed) => {
  const kind: FileKind = { magic: 'SLxx', version: 3, packed }
  const bytes = encodeFile(kind, about, sections)

  test('sections come back from memory and from disk, aligned for numbers', () => {
    const path = join(temporaryFolder(), 'file')
    writeFileSync(path, bytes)
    const askew = new Uint8Array(bytes.length + 1)
    askew.set(bytes, 1)
    const files = [
      decodeFile<typeof about>(kind, bytes),
      decodeFile<typeof about>(kind, askew.subarray(1)),
      openFile<typeof about, { about: typeof about; all: unknown }>(kind, path, (file) => ({
        about: file.about,
        all: file.readAll(),
      })),
    ]
    for (const file of files) {
      const all = file && 'all' in file ? file.all : file?.readAll()
      expect(file?.about).toEqual(about)
      expect(all).toEqual(
        Object.fromEntries(
          Object.entries(sections).map(([name, one]) => [name, expect.objectContaining(one)]),
        ),
      )
    }
    const [memory] = files
    expect(memory && 'read' in memory ? [...numbersOf(memory.read('numbers'))] : []).toEqual([
      7, 0, 0xffffffff,
    ])
    expect(memory && 'read' in memory ? memory.read('absent') : 0).toBeNull()
    expect(bytes.length < 1_000).toBe(packed)
  })

  test('a byte changed anywhere never changes what is read', () => {
    const whole = decodeFile(kind, bytes)?.readAll()
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x41
      const all = decodeFile(kind, damaged)?.readAll() ?? null
      // Only the bytes between sections may change unseen.
      if (all !== null) expect(all).toEqual(whole)
    }
  })

  test('a file that is cut, of another version, of another kind or absent reads as absent', () => {
    const path = join(temporaryFolder(), 'file')
    writeFileSync(path, bytes)
    expect(decodeFile({ ...kind, version: 4 }, bytes)).toBeNull()
    expect(decodeFile({ ...kind, magic: 'SLyy' }, bytes)).toBeNull()
    truncateSync(path, bytes.length - 20)
    expect(openFile(kind, path, (file) => file.readAll())).toBeNull()
    truncateSync(path, 10)
    expect(openFile(kind, path, (file) => file.about)).toBeNull()
    expect(openFile(kind, join(path, 'none'), (file) => file.about)).toBeNull()
  })
})
