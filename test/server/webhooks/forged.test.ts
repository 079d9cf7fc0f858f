/** Genuine webhooks come in once; forged, replayed and broken ones are refused with the right status, and counted. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isOneOf } from '../../../src/base/secrets/same-secret.ts'
import {
  head,
  mac,
  now,
  older,
  openTestListener,
  pull,
  type Sent,
  secret,
  signatureOf,
  signed,
  signing,
  withHeader,
  without,
} from './webhook-world.ts'

test('a genuine webhook is stored with its ids and nothing else', async () => {
  const { send, stored } = await openTestListener()
  const hidden = 'words of a stranger that nobody needs'
  expect(await send(signed(pull(now(), hidden), secret, 'guid-1'))).toBe(202)
  expect(stored).toMatchObject([
    {
      connection: 'github',
      id: 'guid-1',
      event: {
        type: 'change',
        repository: { id: '11', fullName: 'acme/shop' },
        ...{ installation: '5', number: 7, action: 'opened', head },
      },
    },
  ])
  expect(JSON.stringify(stored)).not.toContain(hidden)
})

const forgeries: readonly [what: string, make: () => Sent, status: number][] = [
  ['no signature', () => without(signed(pull()), signatureOf), 401],
  [
    'only SHA-1',
    () => {
      const sent = without(signed(pull()), signatureOf)
      return withHeader(sent, 'x-hub-signature', `sha1=${mac(sent.body, secret, 'sha1')}`)
    },
    401,
  ],
  ['another secret', () => signed(pull(), 'not the secret at all'), 401],
  ['an empty secret', () => signed(pull(), ''), 401],
  ['one byte changed', () => ({ ...signed(pull()), body: pull().replace('opened', 'Opened') }), 401],
  ['a byte appended', () => ({ ...signed(pull('2026')), body: `${pull('2026')} ` }), 401],
  ['signature cut', () => withHeader(signed(pull()), signatureOf, 'sha256='), 401],
  [
    'signature in capitals',
    () => withHeader(signed(pull()), signatureOf, `SHA256=${mac(pull()).toUpperCase()}`),
    401,
  ],
  ['a connection without a secret', () => ({ ...signed(pull(), ''), path: '/webhooks/fresh' }), 401],
  ['an unknown connection', () => ({ ...signed(pull()), path: '/webhooks/nobody' }), 404],
  ['a path that climbs', () => ({ ...signed(pull()), path: '/webhooks/..%2fgithub' }), 404],
  ['no JSON', () => signed('{"action":'), 400],
  ['a list for a body', () => signed('[]'), 400],
  ['no number', () => signed(pull().replace('"number":7,', '')), 400],
  ['a number that is text', () => signed(pull().replace('"number":7', '"number":"7; drop"')), 400],
  ['a negative repository', () => signed(pull().replace('"id":11', '"id":-11')), 400],
  ['a head that is no commit', () => signed(pull().replace(head, '../../etc/passwd')), 400],
  ['too old', () => signed(pull(new Date(Date.now() - 5 * 86_400_000).toISOString())), 400],
  ['a form', () => withHeader(signed(pull()), 'content-type', 'application/x-www-form-urlencoded'), 415],
  ['too large', () => signed(pull(now(), 'x'.repeat(100_000))), 413],
]

test.for(forgeries)('refused: %s', async ([, make, status]) => {
  const { send, stored, metrics } = await openTestListener()
  expect(await send(make())).toBe(status)
  expect(stored).toEqual([])
  const { text } = await metrics.show()
  expect(text).toMatch(new RegExp(`sightline_http_requests_total\\{route="[^"]+",status="${status}"\\} 1`))
})

test('both secrets hold while one is being replaced, and the older one alone no longer', async () => {
  const { send, stored } = await openTestListener()
  expect(await send(signed(pull(now(), 'one'), secret))).toBe(202)
  expect(await send(signed(pull(now(), 'two'), older))).toBe(202)
  expect(await send(signed(pull(now(), 'three'), 'the one before both'))).toBe(401)
  expect(stored).toHaveLength(2)
})

test('GitLab: a token, or a signature with its time', async () => {
  const { send, stored } = await openTestListener()
  const body = (note: string) =>
    JSON.stringify({
      object_kind: 'merge_request',
      project: { id: 3, path_with_namespace: 'group/sub/shop' },
      object_attributes: { iid: 4, action: 'open', last_commit: { id: head }, updated_at: now(), note },
    })
  const path = '/webhooks/gitlab'
  const token = (value: string, note: string) =>
    send({ path, headers: { 'x-gitlab-token': value, 'x-gitlab-event-uuid': note }, body: body(note) })
  const withTime = (seconds: number, note: string, key = signing) => {
    const text = body(note)
    const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
      .update(`${note}.${seconds}.${text}`)
      .digest('base64')
    const headers = {
      'webhook-id': note,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,AAAA v1,${signature}`,
    }
    return send({ path, headers, body: text })
  }
  const seconds = Math.floor(Date.now() / 1000)
  expect(await token(secret, 'a')).toBe(202)
  expect(await token(older, 'b')).toBe(202)
  expect(await token('wrong', 'd')).toBe(401)
  expect(await token(signing, 'e')).toBe(401)
  expect(await withTime(seconds, 'f')).toBe(202)
  expect(await withTime(seconds - 301, 'g')).toBe(401)
  expect(await withTime(seconds, 'h', `whsec_${Buffer.from('other').toString('base64')}`)).toBe(401)
  expect(stored.map(({ id }) => id)).toEqual(['a', 'b', 'f'])
  expect(stored[0]?.event).toMatchObject({ repository: { id: '3', fullName: 'group/sub/shop' }, number: 4 })
})

test('Forgejo and Gitea: an HMAC in hexadecimal', async () => {
  const { send, stored } = await openTestListener()
  const body = (action: string) =>
    JSON.stringify({
      action,
      number: 9,
      pull_request: { head: { sha: head }, updated_at: now() },
      repository: { id: 2, full_name: 'acme/shop' },
    })
  const hook = (name: string, action: string, key: string) => {
    const text = body(action)
    const headers = {
      [`x-${name}-event`]: 'pull_request',
      [`x-${name}-delivery`]: `${name}-${action}`,
      [`x-${name}-signature`]: mac(text, key),
    }
    return send({ path: '/webhooks/forgejo', body: text, headers })
  }
  expect(await hook('forgejo', 'opened', secret)).toBe(202)
  expect(await hook('gitea', 'synchronized', older)).toBe(202)
  expect(await hook('forgejo', 'closed', 'wrong')).toBe(401)
  expect(stored.map(({ id }) => id)).toEqual(['forgejo-opened', 'gitea-synchronized'])
})

test('Bitbucket Data Center: the same HMAC, and its own names for what happened', async () => {
  const { send, stored } = await openTestListener()
  const path = '/webhooks/bitbucket-dc'
  const repository = { id: 4, slug: 'shop', project: { key: 'ACME' } }
  const hook = (event: string, key: string, more: object = {}) => {
    const pullRequest = { id: 9, fromRef: { latestCommit: head }, toRef: { repository } }
    const date = now().replace(/\.\d+Z$/, '+0000')
    const body = JSON.stringify({ eventKey: event, date, pullRequest, ...more })
    const signature = { 'x-hub-signature': `sha256=${mac(body, key)}` }
    return send({ path, body, headers: { 'x-event-key': event, 'x-request-id': event, ...signature } })
  }
  expect(await hook('pr:opened', secret)).toBe(202)
  expect(await hook('pr:comment:added', older, { comment: { id: 5 }, commentParentId: 4 })).toBe(202)
  expect(await hook('pr:comment:edited', secret, { comment: { id: 5 } })).toBe(200)
  expect(await hook('pr:from_ref_updated', 'wrong')).toBe(401)
  expect(await hook('pr:merged', secret, { pullRequest: { id: 9 } })).toBe(400)
  expect(await send({ path, body: '{}', headers: { 'x-event-key': 'diagnostics:ping' } })).toBe(401)
  expect(stored.map(({ id, event }) => [id, event])).toMatchObject([
    [
      'pr:opened',
      { type: 'change', number: 9, action: 'opened', head, repository: { id: '4', fullName: 'ACME/shop' } },
    ],
    ['pr:comment:added', { type: 'comment', number: 9, comment: '5', place: 'thread' }],
  ])
})

test('Bitbucket: an HMAC with its name before it', async () => {
  const { send, stored } = await openTestListener()
  const id = '00000000-0000-4000-8000-000000000001'
  const hook = (event: string, key: string, more: object = {}, prefix = 'sha256=') => {
    const pullrequest = { id: 9, updated_on: now(), source: { commit: { hash: head.slice(0, 12) } } }
    const text = JSON.stringify({
      repository: { uuid: `{${id}}`, full_name: 'acme/shop' },
      ...{ pullrequest, event, ...more },
    })
    const headers = {
      ...{ 'x-event-key': event, 'x-request-uuid': `${event}-${key.length}` },
      'x-hub-signature': `${prefix}${mac(text, key)}`,
    }
    return send({ path: '/webhooks/bitbucket', body: text, headers })
  }
  const comment = { id: 4, created_on: now(), inline: { path: 'a.ts', to: 1 } }
  expect(await hook('pullrequest:created', secret)).toBe(202)
  expect(await hook('pullrequest:comment_created', older, { comment })).toBe(202)
  expect(await hook('pullrequest:updated', 'wrong')).toBe(401)
  expect(await hook('pullrequest:updated', secret, {}, '')).toBe(401)
  expect(await hook('pullrequest:updated', secret, {}, 'sha1=')).toBe(401)
  expect(await hook('pullrequest:updated', secret, { repository: { uuid: '1', full_name: 'a/b' } })).toBe(400)
  expect(await send({ path: '/webhooks/bitbucket', body: '{}', headers: {} })).toBe(401)
  expect(stored.map(({ event }) => event)).toMatchObject([
    { type: 'change', repository: { id }, number: 9, action: 'created', head: head.slice(0, 12) },
    { type: 'comment', repository: { id }, number: 9, comment: '4', place: 'thread' },
  ])
})

test('Azure DevOps: a password, and names from the address of the repository', async () => {
  const { send, stored } = await openTestListener()
  const guid = (last: string) => `00000000-0000-4000-8000-00000000000${last}`
  const hook = (
    id: string,
    url: string,
    password: string | null,
    { to = 'azure', name = 'web' }: { to?: string; name?: string } = {},
  ) => {
    const project = { id: guid('2'), name }
    const resource = { pullRequestId: 9, repository: { id: guid('1'), name: 'shop', url, project } }
    const body = JSON.stringify({ id, eventType: 'git.pullrequest.updated', createdDate: now(), resource })
    const headers: Record<string, string> =
      password === null ? {} : { authorization: `Basic ${btoa(`anybody:${password}`)}` }
    return send({ path: `/webhooks/${to}`, headers, body })
  }
  const below = '_apis/git/repositories/1'
  expect(await hook('a', `https://dev.azure.com/acme/${below}`, secret)).toBe(202)
  expect(await hook('b', `https://dev.azure.com/acme/${guid('2')}/${below}`, older)).toBe(202)
  expect(await hook('c', `https://acme.visualstudio.com/DefaultCollection/${below}`, secret)).toBe(202)
  expect(await hook('d', `https://dev.azure.com/acme/${below}`, secret, { name: 'acme' })).toBe(202)
  const server = 'https://tfs.example.org/tfs/Our%20Team'
  expect(await hook('e', `${server}/${below}`, secret, { to: 'tfs', name: 'My Project' })).toBe(202)
  expect(await hook('f', `${server}/${guid('2')}/${below}`, secret, { to: 'collection' })).toBe(202)
  for (const wrong of [null, '', 'wrong', `${secret}x`, `:${secret}`])
    expect(await hook('g', `https://dev.azure.com/acme/${below}`, wrong)).toBe(401)
  expect(stored.map(({ id, event }) => [id, 'repository' in event && event.repository.fullName])).toEqual([
    ...['a', 'b', 'c'].map((id) => [id, 'acme/web/shop']),
    ['d', 'acme/acme/shop'],
    ['e', 'Our Team/My Project/shop'],
    ['f', 'web/shop'],
  ])
})

test('comparing takes the same work wherever texts differ', () => {
  // Digests are compared, so a common beginning or length is worth nothing; what is held here is the outcome.
  expect(isOneOf('', [])).toBe(false)
  expect(isOneOf('a', ['b', 'a'])).toBe(true)
  expect(isOneOf('a'.repeat(1000), ['a'.repeat(999)])).toBe(false)
})
