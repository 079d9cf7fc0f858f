/** Bad input ends in a clear message or in a smaller review that says what is missing; never in a crash. */
import { randomBytes } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ChangeSelector, type Review, reviewChange } from '../../src/index.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

async function reviewOf(folder: string, selector: ChangeSelector = { kind: 'auto' }): Promise<Review> {
  const { review } = await reviewChange({ folder, selector, cacheFolder: null, facts: sharedFacts() })
  return review
}

function coverageOf(review: Review, path: string) {
  return review.coverage.files.find((file) => file.path === path)
}

describe('files that cannot be read as code', () => {
  test('binary, minified, generated, vendored and lock files are listed with a reason, not reviewed', async () => {
    const repo = createRepo()
    repo.commit({ 'a.ts': 'export const a = 1\n', 'vendor/lib.go': 'package lib\n' })
    repo.write({
      'a.ts': 'export const a = 2\n',
      'picture.png': randomBytes(4000),
      'lib.min.js': `${'var a=1;'.repeat(20_000)}\n`,
      'vendor/lib.go': 'package lib\n\nvar Version = 2\n',
      'package-lock.json': '{"lockfileVersion": 3, "packages": {}}\n',
    })
    const review = await reviewOf(repo.path)
    expect(coverageOf(review, 'a.ts')?.state).toBe('reviewed')
    for (const path of ['picture.png', 'lib.min.js', 'vendor/lib.go', 'package-lock.json']) {
      expect(coverageOf(review, path)?.state, path).toBe('excluded')
      expect(coverageOf(review, path)?.reason, path).toBeTruthy()
    }
  })

  test('a file that does not parse is reviewed as text and says so, and the others go on', async () => {
    const repo = createRepo()
    repo.commit({ 'good.ts': 'export function good() { return 1 }\n' })
    repo.write({
      'good.ts': 'export function good() { return 2 }\n',
      'broken.ts': `export function broken( {\n${'('.repeat(2000)}\n`,
      'deep.py': `x = ${'['.repeat(100_000)}\n`,
    })
    const review = await reviewOf(repo.path)
    expect(review.coverage.files.map((file) => file.path)).toEqual(['broken.ts', 'deep.py', 'good.ts'])
    expect(coverageOf(review, 'good.ts')?.state).toBe('reviewed')
  })

  test('invalid UTF-8 and NUL bytes do not stop anything', async () => {
    const repo = createRepo()
    repo.commit({ 'latin.py': Buffer.from('name = "caf\xe9"\n', 'latin1') })
    repo.write({
      'latin.py': Buffer.from('name = "caf\xe9s"\nx = None\n', 'latin1'),
      nul: Buffer.from('a\0b\n'),
    })
    expect(coverageOf(await reviewOf(repo.path), 'latin.py')?.state).not.toBe('not-reviewed')
  })

  test('symbolic links that loop or lead outside are text', async () => {
    const repo = createRepo()
    repo.commit({ 'a.txt': 'a\n' })
    symlinkSync('loop', join(repo.path, 'loop'))
    symlinkSync('/etc/passwd', join(repo.path, 'passwd.ts'))
    const review = await reviewOf(repo.path)
    expect(review.coverage.files.map((file) => file.path)).toEqual(['loop', 'passwd.ts'])
    expect(JSON.stringify(review)).not.toContain('root:')
  })

  test('a huge file is named as unread, and the rest is reviewed', async () => {
    const repo = createRepo()
    repo.commit({ 'a.ts': 'export const a = 1\n' })
    writeFileSync(join(repo.path, 'huge.csv'), Buffer.alloc(64_000_000, 'a,b\n'))
    repo.write({ 'a.ts': 'export const a = 2\n' })
    const review = await reviewOf(repo.path)
    expect(coverageOf(review, 'huge.csv')).toMatchObject({ reason: expect.stringMatching(/large|MB|bytes/) })
    expect(coverageOf(review, 'a.ts')?.state).toBe('reviewed')
  })
})

describe('changes of odd size', () => {
  test('more files than the cap are listed, and the review is not complete', async () => {
    const repo = createRepo()
    repo.commit({ '.sightline.yaml': 'limits:\n  changedFiles: 20\n', 'a.ts': 'export const a = 1\n' })
    repo.write(
      Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [`f/${String(i).padStart(2, '0')}.txt`, `${i}\n`]),
      ),
    )
    const review = await reviewOf(repo.path)
    expect(review.coverage.files).toHaveLength(50)
    expect(review.coverage.files.filter((file) => file.state === 'not-reviewed')).toHaveLength(30)
    expect(review.coverage.complete).toBe(false)
    expect(review.conclusion.word).not.toBe('APPROVE')
  })

  test('an empty change is a review that says so', async () => {
    const repo = createRepo()
    repo.commit({ 'a.ts': 'export const a = 1\n' })
    repo.commit({}, 'nothing')
    const review = await reviewOf(repo.path, { kind: 'commit', commit: 'HEAD' })
    expect(review.findings).toEqual([])
    expect(review.coverage.files).toEqual([])
  })

  test('only a mode, only a name, only a deletion', async () => {
    const repo = createRepo()
    repo.commit({ 'run.sh': 'echo\n', 'old-name.txt': `${'line\n'.repeat(20)}`, 'gone.txt': 'gone\n' })
    repo.git('update-index', '--chmod=+x', 'run.sh')
    repo.git('mv', 'old-name.txt', 'new-name.txt')
    repo.git('rm', '--quiet', 'gone.txt')
    const review = await reviewOf(repo.path, { kind: 'staged' })
    expect(review.coverage.files.map((file) => file.path).sort()).toEqual([
      'gone.txt',
      'new-name.txt',
      'run.sh',
    ])
    expect(review.coverage.complete).toBe(true)
  })
})
