/** What the commits of a change say, as a request carries it. */
import { expect, test } from 'vitest'
import { messagesOf } from '../../src/hosts/local/commit-messages.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { collect } from './collecting.ts'

test('whole messages, oldest first, without what customs add', () => {
  const signed = 'Why it is so.\n\nSigned-off-by: Ada <ada@example.com>\nChange-Id: I0123\nFixes: #12'
  expect(
    messagesOf([
      { subject: 'One', body: signed },
      { subject: 'Two', body: '' },
    ]),
  ).toEqual(['One\n\nWhy it is so.\n\nFixes: #12', 'Two'])
})

test('one that is too long is cut, and what is beyond the room is counted', () => {
  const long = Array.from({ length: 6 }, (_, at) => ({ subject: `Change ${at}`, body: 'x'.repeat(9_000) }))
  const messages = messagesOf(long)
  expect(messages[0]).toMatch(/^Change 0\n\nx+\n\(cut\)$/)
  expect(messages.at(-1)).toBe('(3 more)')
  expect(messages.join('').length).toBeLessThan(16_100)
})

const token = `ghp_${'q7Rk2Lm9Xv4Bn8Tz1Yw6Pd3Hs5Jf0GcAeKoU'}`

test('a branch, a range and a commit bring theirs, with secrets masked; what was never committed brings none', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n' }, 'one')
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.commit({ 'a.txt': 'two\n' }, 'two\n\nSo that callers need not wait.')
  repo.commit({ 'a.txt': 'three\n' }, `three\n\nWith ${token}`)
  const branch = await collect(repo.path, { kind: 'auto' })
  expect(branch.request).toMatchObject({ title: 'feature', body: '- two\n- three' })
  expect(branch.request.messages).toHaveLength(2)
  expect(branch.request.messages?.[0]).toBe('two\n\nSo that callers need not wait.')
  expect(branch.request.messages?.[1]).toMatch(/^three\n\nWith /)
  expect(branch.request.messages?.[1]).not.toContain(token)
  const range = await collect(repo.path, { kind: 'range', range: 'main..feature' })
  expect(range.request.messages).toEqual(branch.request.messages)
  const one = await collect(repo.path, { kind: 'commit', commit: 'feature~1' })
  expect(one.request.messages).toEqual(['two\n\nSo that callers need not wait.'])
  repo.write({ 'a.txt': 'four\n' })
  expect((await collect(repo.path, { kind: 'uncommitted' })).request).not.toHaveProperty('messages')
})
