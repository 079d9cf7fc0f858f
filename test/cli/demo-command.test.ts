/** `sightline demo`, as a newcomer calls it. What it seeds and finds is held in demo.test.ts. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Review } from '../../src/index.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { root, sightline } from '../helpers/sightline.ts'

const timed = / · \d+(?:\.\d+)? s$/m
const read = (page: string) => readFileSync(join(root, page), 'utf8')

test('--into keeps it in a new folder, where review sees the same', async () => {
  const folder = join(temporaryFolder(), 'new/place')
  const shown = await sightline(['demo', '--into', folder, '--json'])
  expect(shown.stderr).toContain(`The repository is in ${folder}`)
  expect(existsSync(join(folder, '.git'))).toBe(true)
  const again = await sightline(['review', '--no-cache', '--json', 'main..feature'], { cwd: folder })
  expect(again.code).toBe(1)
  const findings = (text: string) =>
    Review.parse(JSON.parse(text)).findings.map((finding) => finding.fingerprint)
  expect(findings(again.stdout)).toEqual(findings(shown.stdout))
})

// After another one: what starts git for the tests keeps its files where TMPDIR was at first.
test('it reviews, says how to go on, and leaves nothing behind', async () => {
  const scratch = temporaryFolder()
  vi.stubEnv('TMPDIR', scratch)
  const { code, stdout, stderr } = await sightline(['demo']).finally(() => vi.unstubAllEnvs())
  expect(code).toBe(0)
  expect(stdout).toContain('range main..feature')
  expect(stdout).toContain('REQUEST_CHANGES')
  expect(stderr).toMatch(/\d+ problems were planted\. The repository was deleted/)
  expect(readdirSync(scratch)).toEqual([])
  // What pages show of it is what it prints.
  const printed = new Set(stdout.replace(timed, '').split('\n'))
  for (const page of ['README.md', 'docs/reading-a-review.md']) {
    const [, shown = ''] = /as printed without colors:\n\n```\n(.*?)```/s.exec(read(page)) ?? []
    const lines = shown.replace(timed, '').split('\n')
    expect(lines.length, page).toBeGreaterThan(20)
    expect(lines.filter((line) => line !== '…' && !printed.has(line))).toEqual([])
  }
})

test('a folder with something in it is left alone', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'mine.txt'), 'mine')
  const { code, stderr } = await sightline(['demo', '--into', folder])
  expect(code).toBe(2)
  expect(stderr).toContain('is not empty; name a new folder')
  expect(readdirSync(folder)).toEqual(['mine.txt'])
})
