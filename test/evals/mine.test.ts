/** Miners on a history in which developers named what they fixed. */
import { expect, test } from 'vitest'
import { openHistory } from '../../evals/mine/history.ts'
import { mineClean } from '../../evals/mine/mine-clean.ts'
import { mineFaults, rangesOf } from '../../evals/mine/mine-faults.ts'
import { namedCauses } from '../../evals/mine/named-causes.ts'
import { createRepo } from '../helpers/git-repo.ts'

const code = (...words: string[]) =>
  `${words.map((word) => `const ${word} = compute("${word}")`).join('\n')}\n`

test('which commits a message blames', () => {
  const id = '0a1b2c3d4e5f'
  expect(namedCauses(`Fixes ${id}`)).toEqual([{ name: id, how: 'fix' }])
  expect(namedCauses(`Fix the bug introduced in commit ${id}, thanks`)).toEqual([{ name: id, how: 'fix' }])
  expect(namedCauses(`Fixes: ${id.slice(0, 8)} ("title")`)).toEqual([{ name: id.slice(0, 8), how: 'fix' }])
  expect(namedCauses(`Revert "x"\n\nThis reverts commit ${id}.`)).toEqual([{ name: id, how: 'revert' }])
  expect(namedCauses(`Follow-up of ${id}`)).toEqual([])
  expect(namedCauses('Fixes 1234567 and fixes #12')).toEqual([])
  expect(namedCauses(`fix ${'x'.repeat(100_000)}`)).toEqual([])
})

test('runs of lines', () => {
  expect(rangesOf([5, 1, 2, 9, 3])).toEqual([
    [1, 3],
    [5, 5],
    [9, 9],
  ])
})

test('a fault is the lines that were introduced and then fixed', async () => {
  const repo = createRepo()
  const base = repo.commit({ 'a.ts': code('one', 'two') }, 'begin')
  const cause = repo.commit({ 'a.ts': code('one', 'two', 'three', 'wrong', 'five') }, 'bring three lines')
  repo.commit({ 'b.ts': code('other') }, 'something else')
  const fix = repo.commit(
    { 'a.ts': code('one', 'two', 'three', 'right', 'five') },
    `Mend it\n\nFixes ${cause.slice(0, 10)}`,
  )
  const taken = repo.commit({ 'c.ts': code('x', 'y', 'z') }, 'try something')
  repo.commit({ 'c.ts': null }, `Revert "try something"\n\nThis reverts commit ${taken}.`)
  repo.commit({ 'd.ts': code('d') }, `Fixes ${'0'.repeat(11)}f of another repository`)
  const found = await mineFaults(await openHistory(repo.path), { repo: 'o/n', commits: 50, limit: 9 })
  expect(found.map(({ how, case: one }) => [how, one.head, one.expected.map(({ place }) => place)])).toEqual([
    ['revert', taken, [null]],
    ['fix', cause, [{ file: 'a.ts', start: 4, end: 4, side: 'right' }]],
  ])
  expect(found[1]).toMatchObject({ fix, fixSubject: 'Mend it', case: { base } })
})

test('clean is what stood: not blamed, not taken back, its lines left alone', async () => {
  const repo = createRepo()
  const block = (name: string) => code(...Array.from({ length: 10 }, (_, at) => `${name}${at}`))
  repo.commit({ 'readme.md': 'begin\n' }, 'begin')
  const stood = repo.commit({ 'stood.ts': block('s') }, 'stands')
  repo.commit({ 'changed.ts': block('c') }, 'is changed soon')
  const blamed = repo.commit({ 'blamed.ts': block('b') }, 'is blamed')
  repo.commit({ 'undone.ts': block('u') }, 'is undone')
  repo.commit({ 'words.md': block('w') }, 'no code')
  repo.commit({ 'changed.ts': block('c').replace('c3', 'c33') }, 'change it')
  repo.commit({ 'x.md': 'x' }, `document what ${'broke'} in ${blamed}`)
  repo.commit({ 'y.md': 'y' }, 'Revert "is undone"')
  for (let at = 0; at < 6; at++) repo.commit({ 'z.md': String(at) }, `go on ${at}`)
  const options = { repo: 'o/n', commits: 50, limit: 9, later: 6 }
  const found = await mineClean(await openHistory(repo.path), options)
  expect(found.map(({ head, kind }) => [head, kind])).toEqual([[stood, 'clean']])
})
