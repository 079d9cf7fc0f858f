/** Addresses as people copy them, and the hosts that they may name. */
import { expect, test } from 'vitest'
import {
  parseAddress,
  parseRepositoryAddress,
  usualForm,
  usualRoot,
} from '../../../src/hosts/remote/addresses.ts'

const own = [
  { kind: 'gitlab', webUrl: 'https://git.example.org/lab/', apiUrl: 'https://git.example.org/lab/api/v4' },
  { kind: 'azure', webUrl: 'https://tfs.example.org/tfs', apiUrl: 'https://tfs.example.org/tfs' },
  { kind: 'bitbucket-dc', webUrl: 'https://git.example.org/bb', apiUrl: 'https://git.example.org/bb/rest' },
] as const

test.each([
  ['https://github.com/o/r/pull/12', { kind: 'github', owner: ['o'], name: 'r', number: 12 }],
  ['https://github.com/o/r.js/pull/12/files#diff-1', { kind: 'github', name: 'r.js', number: 12 }],
  [
    'https://gitlab.com/a/b/c/-/merge_requests/3',
    { kind: 'gitlab', owner: ['a', 'b'], name: 'c', number: 3 },
  ],
  ['https://codeberg.org/o/r/pulls/4', { kind: 'forgejo', owner: ['o'], name: 'r', number: 4 }],
  [
    'https://dev.azure.com/acme/web/_git/shop/pullrequest/6?_a=files',
    { kind: 'azure', owner: ['acme', 'web'], name: 'shop', number: 6 },
  ],
  [
    'https://acme.visualstudio.com/DefaultCollection/web/_git/shop/pullrequest/6',
    { kind: 'azure', webUrl: 'https://dev.azure.com', owner: ['acme', 'web'], name: 'shop' },
  ],
  [
    'https://dev.azure.com/acme/_git/shop/pullrequest/6',
    { kind: 'azure', owner: ['acme', 'shop'], name: 'shop', number: 6 },
  ],
  [
    'https://acme@dev.azure.com/acme/My%20Project/_git/My Shop (EU)/pullrequest/6',
    { kind: 'azure', owner: ['acme', 'My Project'], name: 'My Shop (EU)', number: 6 },
  ],
  [
    'https://tfs.example.org/tfs/Our%20Team/Caf%C3%A9/_git/shop/pullrequest/6',
    { webUrl: 'https://tfs.example.org/tfs', owner: ['Our Team', 'Café'], name: 'shop' },
  ],
  [
    'https://tfs.example.org/tfs/Our%20Team/_git/shop/pullrequest/6',
    { webUrl: 'https://tfs.example.org/tfs', owner: ['Our Team', 'shop'], name: 'shop' },
  ],
  [
    'https://git.example.org/bb/projects/SHOP/repos/web.app/pull-requests/7/overview?commentId=1',
    { kind: 'bitbucket-dc', owner: ['SHOP'], name: 'web.app', number: 7 },
  ],
  [
    'https://git.example.org/bb/users/j.doe/repos/web/pull-requests/8/diff#a.ts',
    { kind: 'bitbucket-dc', owner: ['~j.doe'], name: 'web', number: 8 },
  ],
  ['https://git.example.org/lab/a/b/-/merge_requests/5/diffs', { owner: ['a'], name: 'b', number: 5 }],
])('%s', (url, expected) => {
  expect(parseAddress(url, own)).toMatchObject(expected)
})

test.each([
  ['https://github.com.evil.example/o/r/pull/1', 'host-unknown'],
  ['https://git.example.org/labyrinth/a/b/-/merge_requests/5', 'host-unknown'],
  ['http://github.com/o/r/pull/1', 'host-unknown'],
  ['https://acme.visualstudio.com.evil.example/web/_git/shop/pullrequest/6', 'host-unknown'],
  ['https://evil.example/acme.visualstudio.com/web/_git/shop/pullrequest/6', 'host-unknown'],
  ['https://user:secret@github.com/o/r/pull/1', 'usage'],
  ['https://github.com/o/../pull/1', 'usage'],
  ['https://github.com/o/a%2Fb/pull/1', 'usage'],
  ['https://github.com/o/%20/pull/1', 'usage'],
  ['https://github.com/o/%E0%A4/pull/1', 'usage'],
  ['https://acme:secret@dev.azure.com/acme/web/_git/shop/pullrequest/6', 'usage'],
  ['https://github.com/o/r/issues/1', 'usage'],
  ['https://github.com/o/r/pull/0', 'usage'],
  ['ftp://github.com/o/r/pull/1', 'usage'],
])('%s is refused: %s', (url, code) => {
  expect(() => parseAddress(url, own)).toThrow(expect.objectContaining({ code }))
})

test('a host that the settings have in another form is not simply unknown: they say what to set', () => {
  const listed = [{ kind: 'github', webUrl: 'https://git.example.net:9100', apiUrl: '' }] as const
  expect(() => parseAddress('http://git.example.net:9100/o/r/pull/1', listed)).toThrow(
    'your settings have it as https://git.example.net:9100. Set its `url` to http://git.example.net:9100',
  )
})

test('an organization has one root, and a repository one address, however settings and git write them', () => {
  for (const url of ['https://acme.visualstudio.com', 'https://acme@dev.azure.com/acme/'])
    expect(usualRoot(url)).toBe('https://dev.azure.com/acme')
  expect(usualRoot('https://git.example.org/lab/')).toBe('https://git.example.org/lab')
  for (const url of [
    'https://acme@dev.azure.com/acme/My%20Project/_git/shop',
    'git@ssh.dev.azure.com:v3/acme/My%20Project/shop',
    'acme@vs-ssh.visualstudio.com:v3/acme/My%20Project/shop',
    'https://acme.visualstudio.com/DefaultCollection/My%20Project/_git/shop',
  ])
    expect(usualForm(url)).toBe('https://dev.azure.com/acme/My%20Project/_git/shop')
})

test.each([
  ['https://github.com/acme/web', { kind: 'github', owner: ['acme'], name: 'web' }],
  ['https://github.com/acme/web.git/', { kind: 'github', owner: ['acme'], name: 'web' }],
  ['https://gitlab.com/a/b/c', { kind: 'gitlab', owner: ['a', 'b'], name: 'c' }],
  ['https://dev.azure.com/acme/My%20Project/_git/shop', { owner: ['acme', 'My Project'], name: 'shop' }],
  ['https://git.example.org/bb/projects/SHOP/repos/web', { kind: 'bitbucket-dc', owner: ['SHOP'] }],
  ['https://git.example.org/bb/scm/SHOP/web.git', { kind: 'bitbucket-dc', owner: ['SHOP'], name: 'web' }],
  ['https://git.example.org/lab/group/web', { kind: 'gitlab', owner: ['group'], name: 'web' }],
])('the repository %s', (url, expected) => {
  const place = parseRepositoryAddress(url, own)
  expect(place).toMatchObject(expected)
  expect(place).not.toHaveProperty('number')
})

test.each([
  ['https://github.com.evil.example/acme/web', 'host-unknown'],
  ['https://github.com/acme', 'usage'],
  ['https://github.com/acme/web/tree/main', 'usage'],
  ['https://github.com/acme/..', 'usage'],
  ['https://token@github.com/acme/web', 'usage'],
  ['javascript:alert(1)', 'usage'],
  ['file:///srv/git/web', 'usage'],
])('%s is no repository: %s', (url, code) => {
  expect(() => parseRepositoryAddress(url, own)).toThrow(expect.objectContaining({ code }))
})
