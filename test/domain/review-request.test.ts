/** The nouns a host needs: who, where, and how far they are trusted. */
import { expect, test } from 'vitest'
import { ChangeRequest, placeOf, RepositoryIdentity, ReviewRequest } from '../../src/domain/review-request.ts'

const repository = {
  host: 'gitlab.example.org:8443',
  id: '4711',
  owner: ['group', 'sub-group'],
  name: 'shop.js',
  visibility: 'private',
}
const changeRequest = {
  number: 12,
  url: 'https://gitlab.example.org:8443/group/sub-group/shop.js/-/merge_requests/12',
  isDraft: false,
  isFork: true,
  baseRef: 'main',
  headRef: 'feature/x',
  author: { id: '1', login: 'someone', isBot: false, trust: 'contributor' },
  participants: [],
  labels: ['bug'],
  linkedIssues: ['7'],
}
const side = { commit: 'a'.repeat(40), tree: 'b'.repeat(40) }
const local = {
  schemaVersion: 1,
  source: { kind: 'commit', label: 'commit aaaaaaa' },
  objectFormat: 'sha1',
  base: side,
  head: side,
  title: '',
  body: '',
  author: null,
  limits: [],
  unread: [],
}

test('a place names host, owner, repository and number; a local one the folder and the revision', () => {
  const hosted = ReviewRequest.parse({ ...local, repository, changeRequest })
  expect(placeOf(hosted, '/srv/mirror')).toBe('gitlab.example.org:8443/group/sub-group/shop.js/12')
  const plain = ReviewRequest.parse(local)
  expect(placeOf(plain, '/home/me/shop/')).toBe('local/shop/aaaaaaaaaaaa')
  expect(placeOf(plain, 'C:\\work\\shop')).toBe('local/shop/aaaaaaaaaaaa')
  const uncommitted = ReviewRequest.parse({ ...local, head: { ...side, commit: null } })
  expect(placeOf(uncommitted, '/')).toBe('local/repository/bbbbbbbbbbbb')
})

test.each([
  ['a path in the owner', { owner: ['..'] }],
  ['a slash in the name', { name: 'a/b' }],
  ['a name that climbs', { name: '..' }],
  ['no owner', { owner: [] }],
  ['credentials in the host', { host: 'user@evil.example' }],
  ['an address for a host', { host: 'https://github.com' }],
  ['a line feed in the id', { id: '1\n2' }],
])('a repository identity with %s does not parse', (_, wrong) => {
  expect(RepositoryIdentity.safeParse(repository).success).toBe(true)
  expect(RepositoryIdentity.safeParse({ ...repository, ...wrong }).success).toBe(false)
})

test('a change request has an address of the web and a number', () => {
  expect(ChangeRequest.safeParse(changeRequest).success).toBe(true)
  for (const wrong of [{ url: 'javascript:alert(1)' }, { url: 'file:///etc/passwd' }, { number: 0 }])
    expect(ChangeRequest.safeParse({ ...changeRequest, ...wrong }).success).toBe(false)
})
