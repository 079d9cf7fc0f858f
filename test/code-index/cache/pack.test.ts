/** The pack on disk under ill treatment: killed writers, several writers, full disks, other versions, damage. */
import { execFile, spawn } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Pack } from '../../../src/code-index/cache/pack.ts'
import { recordVersion } from '../../../src/code-index/cache/record.ts'
import type { Records } from '../../../src/code-index/cache/records.ts'
import { isOlderVersion } from '../../../src/code-index/index-files/index-folder.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { addRecords, foundIn, packName, recordOf, recordsIn } from './kept-records.ts'

const writer = join(import.meta.dirname, 'write-records.ts')
const run = promisify(execFile)

function openRecords(folder: string): Records {
  const records = recordsIn(folder)
  onTestFinished(() => records.close())
  return records
}

function open(folder: string): Pack {
  const pack = Pack.open(folder, 'facts-1-1.0.0.pack')
  if (typeof pack === 'string') throw new Error(pack)
  onTestFinished(() => pack.close())
  pack.refresh()
  return pack
}

const payload = (word: string, length = 2_000) => Buffer.alloc(length, word)

describe('writers that are killed', () => {
  const seed = Number(process.env.SIGHTLINE_TEST_SEED ?? 20_261_122)
  const rounds = Number(process.env.SIGHTLINE_TEST_KILLS ?? 1)

  test(`kill -9 while writing, ${rounds} times, seed ${seed}`, { timeout: 30_000 * rounds }, async () => {
    const folder = temporaryFolder()
    let state = seed
    for (let round = 0; round < rounds; round++) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      await killedAfter(1 + (state % 6), folder, round * 40)
      expect(foundIn(openRecords(folder), round * 40, 5)).toBe(5)
      expect(addRecords(openRecords(folder), 10_000 + 5 * round, 5)).toBe(5)
    }
    expect(foundIn(openRecords(folder), 10_000, 5 * rounds)).toBe(5 * rounds)
  })

  /** Starts a writer and kills it when it has reported so many parts. */
  function killedAfter(parts: number, folder: string, first: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [writer, folder, String(first), '40'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let seen = 0
      child.stderr.on('data', (data: Buffer) => {
        seen += data.toString().split('.').length - 1
        if (seen >= parts) child.kill('SIGKILL')
      })
      child.once('error', reject)
      child.once('close', () => resolve())
    })
  }

  test('a record torn at any byte hides nothing that is written after it', () => {
    const whole = temporaryFolder()
    open(whole).add([['a', payload('a', 300)]])
    const bytes = readFileSync(join(whole, 'facts-1-1.0.0.pack'))
    for (let length = 0; length < bytes.length; length += 23) {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'facts-1-1.0.0.pack'), bytes.subarray(0, length))
      const pack = open(folder)
      pack.add([
        ['b', payload('b')],
        ['c', payload('c')],
      ])
      expect([length, pack.get('a')]).toEqual([length, null])
      expect(pack.get('b')).toEqual(payload('b'))
      expect(open(folder).get('c')).toEqual(payload('c'))
    }
  })
})

test('two processes write the same pack at once, and each finds what the other wrote', async () => {
  const folder = temporaryFolder()
  const answers = await Promise.all(
    ['0', '20'].map((first) => run(process.execPath, [writer, folder, first, '40'])),
  )
  for (const { stdout } of answers) expect(JSON.parse(stdout)).toEqual({ found: 40, notKept: null })
  expect(foundIn(openRecords(folder), 0, 60)).toBe(60)
  expect(readdirSync(folder)).toEqual([packName])
})

test('a disk that is full: the work goes on in memory, and the records say so', async () => {
  const folder = temporaryFolder()
  // No file may grow past 8 blocks of a kibibyte or two: to the writer that is a full disk.
  const script = 'ulimit -f 8; exec "$0" "$@"'
  const { stdout } = await run('sh', ['-c', script, process.execPath, writer, folder, '0', '40'])
  const { found, notKept }: { found: number; notKept: string } = JSON.parse(stdout)
  expect(found).toBe(40)
  expect(notKept).toMatch(/EFBIG|ENOSPC/)
  const left = openRecords(folder)
  expect(foundIn(left, 0, 40)).toBeLessThan(40)
  expect(addRecords(left, 0, 40)).toBe(40)
})

describe('packs of other versions', () => {
  const [older, newer] = ['facts-1-9.9.9.pack', `facts-${recordVersion + 1}-0.0.1.pack`]

  test('one of a newer version is left alone, however old; an older one goes after a month', () => {
    const folder = temporaryFolder()
    for (const name of [older, newer, 'notes.txt']) {
      writeFileSync(join(folder, name), 'its own business')
      utimesSync(join(folder, name), 1, 1)
    }
    const recent = 'facts-1-9.9.8.pack'
    writeFileSync(join(folder, recent), 'its own business')
    const records = openRecords(folder)
    expect([addRecords(records, 1, 5), records.notKept]).toEqual([5, null])
    expect(readdirSync(folder)).not.toContain(older)
    for (const name of [newer, recent, 'notes.txt'])
      expect(readFileSync(join(folder, name), 'utf8')).toBe('its own business')
  })

  test.each([
    ['facts-5-0.3.1.pack', 'facts-6-0.3.1.pack', true],
    ['facts-6-0.3.1.pack', 'facts-6-0.3.1.pack', false],
    ['facts-6-0.10.0.pack', 'facts-6-0.9.1.pack', false],
    ['facts-10-0.1.0.pack', 'facts-9-0.9.1.pack', false],
    ['facts-6-0.2.9.pack', 'facts-6-0.3.1.pack', true],
    ['other.pack', 'facts-6-0.3.1.pack', false],
  ])('%s beside %s', (name, current, expected) => {
    expect(isOlderVersion(name, current)).toBe(expected)
  })
})

describe('damage', () => {
  function filled(folder: string): string {
    open(folder).add(['a', 'b', 'c'].map((word) => [word, payload(word, 200)]))
    return join(folder, 'facts-1-1.0.0.pack')
  }

  test('a flipped byte anywhere costs at most the record it stands in', () => {
    const folder = temporaryFolder()
    const path = filled(folder)
    const good = readFileSync(path)
    for (let at = 0; at < good.length; at += 7) {
      const bad = Buffer.from(good)
      bad.writeUInt8(bad.readUInt8(at) ^ 0x41, at)
      writeFileSync(path, bad)
      const pack = open(folder)
      const found = ['a', 'b', 'c'].filter((word) => pack.get(word) !== null)
      expect([at, found.length]).toEqual([at, 2])
      for (const word of found) expect([at, pack.get(word)]).toEqual([at, payload(word, 200)])
    }
  })

  test('zeros, rubbish and headers that promise too much are passed over', () => {
    for (const rubbish of [
      Buffer.alloc(5_000),
      Buffer.from('SIf1'.repeat(900)),
      Buffer.from('SIf1\xff\xff\xff\x7f', 'latin1'),
    ]) {
      const folder = temporaryFolder()
      const path = filled(folder)
      appendFileSync(path, rubbish)
      open(folder).add([['d', payload('d')]])
      const pack = open(folder)
      for (const word of ['a', 'b', 'c']) expect(pack.get(word)).toEqual(payload(word, 200))
      expect(pack.get('d')).toEqual(payload('d'))
    }
  })

  test('a pack cut short while it is open costs what was cut', () => {
    const folder = temporaryFolder()
    const records = openRecords(folder)
    addRecords(records, 1, 5)
    truncateSync(join(folder, packName), 10)
    expect([records.mayHave('1'), records.read('1')]).toEqual([true, null])
    expect(addRecords(openRecords(folder), 1, 5)).toBe(5)
    expect(openRecords(folder).recordOf('1')).toEqual(recordOf(1))
  })
})
