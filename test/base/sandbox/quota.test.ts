/** What a sandbox added to the folders that it may write to, in bytes and files. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { useOf, watchWrites } from '../../../src/base/sandbox/quota.ts'

function folders(): [string, string] {
  const root = mkdtempSync(join(tmpdir(), 'quota-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const both: [string, string] = [join(root, 'a'), join(root, 'b')]
  for (const one of both) mkdirSync(one)
  return both
}

const over = (places: readonly string[], quota: { bytes: number; files: number }) =>
  new Promise<void>((resolve) => {
    const end = watchWrites({ pid: undefined, paths: places }, quota, resolve)
    onTestFinished(end)
  })

test('what was there is not counted, what is in another folder is', async () => {
  const [a, b] = folders()
  writeFileSync(join(a, 'before'), Buffer.alloc(500_000, 1))
  const isOver = over([a, b], { bytes: 300_000, files: 100 })
  writeFileSync(join(a, 'one'), Buffer.alloc(200_000, 1))
  mkdirSync(join(b, 'deep'))
  writeFileSync(join(b, 'deep', 'two'), Buffer.alloc(200_000, 1))
  await isOver
})

test('names count without any content, links are not followed, and a hole costs nothing', async () => {
  const [a, b] = folders()
  writeFileSync(join(a, 'hole'), '')
  truncateSync(join(a, 'hole'), 2 ** 40)
  symlinkSync('/usr', join(b, 'away'))
  expect(useOf([a, b])).toMatchObject({ files: 2 })
  expect(useOf([a, b]).bytes).toBeLessThan(100_000)
  const isOver = over([a, b], { bytes: 1e9, files: 20 })
  for (let number = 0; number < 21; number++) writeFileSync(join(b, `empty-${number}`), '')
  await isOver
})
