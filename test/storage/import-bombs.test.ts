/** A file of kilobytes that would become gigabytes is refused before it does. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { countTokens, importRun, readPack } from '../../src/storage/runs/transfer.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const arrays = (count: number) => `[${Array(count).fill('[]').join(',')}]`

test.each([
  ['one long text', Buffer.alloc(80 * 2 ** 20, 0x20), 'it is not a run, or it is damaged'],
  ['many values', `{"sightlineRun":2,"log":${arrays(600_000)},"objects":{}}`, 'it is too large'],
  [
    'many values in a line of the log',
    JSON.stringify({ sightlineRun: 2, log: [`0 ${arrays(600_000)}`], objects: {} }),
    'its log is too large',
  ],
])('%s', async (_, content, words) => {
  const bytes = zstdCompressSync(Buffer.from(content))
  expect(bytes.length).toBeLessThan(100_000)
  await expect(importRun(new FileRunStore(temporaryFolder()), bytes)).rejects.toThrow(words)
})

test('what is no file is not waited for', () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(() => readPack(pipe)).toThrow('it is not a regular file')
})

test('values are counted, not what stands in texts', () => {
  expect(countTokens(Buffer.from('{"a,[":["\\",{",2],"b":{}}'))).toBe(5)
})
