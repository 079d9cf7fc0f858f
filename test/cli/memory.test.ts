/** The whole way of a note: findings are dismissed, a note is proposed, tried, accepted, committed, and has its effect. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notesOnRecord } from '../../src/assembly/recorded-reviews.ts'
import { openServices } from '../../src/assembly/services.ts'
import { Review } from '../../src/domain/review.ts'
import { noteView } from '../../src/server/api/views/memory.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'

const rule = 'js/compare-nan'
const faulty = (name: string) =>
  `export function ${name}Of(${name}: number, by: number): boolean {\n  const ${name}Scaled = ${name} * by + ${name.length}\n  return ${name}Scaled === NaN\n}\n`

const tried = (name: string) =>
  `${faulty(name)}\ntest('${name}', () => expect(${name}Of(1, 2)).toBe(false))\n`

test('a note acts once it is tried, accepted and committed, and a bad one is refused', async () => {
  const repo = createRepo()
  const env = ownFolders()
  const run = async (...args: string[]) => await sightline(args, { cwd: repo.path, env })
  const review = async () => {
    const { stdout } = await run('review', 'HEAD~1..HEAD', '--depth', 'offline', '--json')
    return Review.parse(JSON.parse(stdout))
  }
  repo.commit({ 'src/a.ts': 'export const one = 1\n' })
  const tests = ['alpha', 'beta', 'gamma'].map((name) => [`test/${name}.ts`, tried(name)])
  repo.commit({ ...Object.fromEntries(tests), 'src/delta.ts': faulty('delta') })
  for (const { fingerprint, anchor } of (await review()).findings) {
    const isTest = anchor.path.startsWith('test/')
    const why = isTest ? 'the tests compare NaN on purpose' : 'a bug'
    await run('dismiss', fingerprint.slice(0, 12), '--as', isTest ? 'wrong' : 'accepted', '--because', why)
  }

  const proposed = await run('memory', 'propose')
  expect(proposed.stdout).toContain('js-compare-nan-test')
  const file = join(repo.path, '.sightline/memory/js-compare-nan-test.md')
  expect(readFileSync(file, 'utf8')).toContain('state: proposed')
  expect((await run('memory', 'propose')).stdout).toContain('Nothing to propose')

  await run('memory', 'propose', 'NaN is fine.', '--paths', '**', '--dismiss', rule)
  const bad = await run('memory', 'accept', 'nan-is-fine')
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('1 finding that was right') })
  expect(bad.stdout).toMatch(/dismissed {2}right {8}js\/compare-nan {2}src\/delta\.ts:3/)
  expect(readFileSync(join(repo.path, '.sightline/memory/nan-is-fine.md'), 'utf8')).toContain(
    'state: proposed',
  )
  const secret = `ghp_${'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx'}`
  await run('memory', 'retire', 'nan-is-fine', '--because', `it is not, by ${secret}`)
  expect(readFileSync(join(repo.path, '.sightline/memory/nan-is-fine.md'), 'utf8')).toContain(
    'because: it is not, by ghp_…',
  )
  const told = await run('memory', 'propose', `Use ${secret} in tests.`)
  expect(told.stdout).toContain('Use ghp_… in tests.')
  expect(readdirSync(join(repo.path, '.sightline/memory'))).toContain('use-ghp-in-tests.md')
  rmSync(join(repo.path, '.sightline/memory/use-ghp-in-tests.md'))

  const good = await run('memory', 'accept', 'js-compare-nan-test')
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('good: it would remove 3 findings') })
  expect(readFileSync(file, 'utf8')).toContain('state: active')

  repo.commit({}, 'memory')
  repo.commit({ 'test/zeta.ts': tried('zeta'), 'src/eta.ts': faulty('eta') })
  const later = await review()
  expect(later.findings.map(({ anchor }) => anchor.path)).toEqual(['src/eta.ts'])
  expect(later.dismissed).toMatchObject([{ how: 'memory', by: '.sightline/memory/js-compare-nan-test.md' }])
  expect(later.memory).toMatchObject([{ path: '.sightline/memory/js-compare-nan-test.md', dismissed: 1 }])
  expect(later.conclusion.notices.join()).toContain('1 finding is not shown: 1 dismissed by notes')
  expect((await run('replay', 'last', '--json')).stdout).toBe(`${JSON.stringify(later, null, 2)}\n`)
  const services = await openServices({ environment: { ...process.env, ...env } })
  const notes = await notesOnRecord('last', services)
  expect(notes.map((note) => noteView('local/shop', note))).toMatchObject([
    { state: 'active', scope: `dismisses ${rule} in test/**`, backTest: { runs: 1, helped: 3, harmed: 0 } },
    { state: 'retired' },
  ])
  await services.close()
  expect((await run('memory', 'list')).stdout).toMatch(/js-compare-nan-test {2}active .* used in 1 review/)
})
