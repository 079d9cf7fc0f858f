/** What is read of each event, host by host: which change request or comment it is about, and when it happened; nothing else. */
import { describe, expect, test } from 'vitest'
import type { BuiltInHostKind } from '../../../src/domain/host-kind.ts'
import { type Delivery, MalformedWebhook, readTime } from '../../../src/server/webhooks/contract.ts'
import { webhooksOf } from '../../../src/server/webhooks/registry.ts'

const head = 'a'.repeat(40)
const receivedAt = Date.parse('2026-11-30T12:00:00Z')
const at = '2026-11-30T11:00:00Z'
const atMs = Date.parse(at)

type Headers = Delivery['headers']

function deliver(kind: BuiltInHostKind, headers: Headers, body: unknown, webUrl = 'https://git.example.org') {
  const delivery = { headers, body: Buffer.from(JSON.stringify(body)), receivedAt }
  const hooks = webhooksOf(kind)
  return {
    event: () => hooks.read(delivery, body, webUrl),
    id: hooks.deliveryId(delivery, body),
    at: hooks.happenedAt(delivery, body),
  }
}

const malformed = (read: () => unknown, place: string) => {
  expect(read).toThrow(MalformedWebhook)
  expect(read).toThrow(new RegExp(`^${place}$`))
}

const repository = { id: 11, full_name: 'acme/shop' }
const acme = { repository: { id: '11', fullName: 'acme/shop' }, installation: null }
const pull = {
  action: 'opened',
  number: 7,
  repository,
  pull_request: { head: { sha: head }, updated_at: at },
}
const comment = { id: 5, updated_at: at }

describe('GitHub', () => {
  const read = (event: string, body: object) => deliver('github', { 'x-github-event': event }, body)

  test.each([
    ...['opened', 'reopened', 'synchronize', 'ready_for_review', 'converted_to_draft'],
    ...['labeled', 'unlabeled', 'edited', 'closed'],
  ])('a pull request that was %s is a change', (action) => {
    const { event, at } = read('pull_request', { ...pull, action, installation: { id: 5 } })
    expect(event()).toEqual({ type: 'change', ...acme, installation: '5', number: 7, action, head })
    expect(at).toBe(atMs)
  })

  test('what changes nothing is none, and said for people', () => {
    expect(read('pull_request', { ...pull, action: 'assigned' }).event()).toEqual({
      ...{ type: 'none', what: 'pull_request.assigned' },
    })
    expect(read('x'.repeat(99), {}).event()).toEqual({ type: 'none', what: 'x'.repeat(60) })
    expect(deliver('github', {}, {}).event()).toEqual({ type: 'none', what: '' })
    expect(read('ping', {}).at).toBeNull()
  })

  test('a new comment on a pull request, in the conversation or on a line', () => {
    const issue = { number: 7, pull_request: { url: 'x' } }
    const said = { type: 'comment', ...acme, number: 7, comment: '5' }
    const inTalk = { action: 'created', issue, comment, repository }
    expect(read('issue_comment', inTalk).event()).toEqual({ ...said, place: 'conversation' })
    const onLine = { action: 'created', pull_request: { number: 7, updated_at: 'x' }, comment, repository }
    expect(read('pull_request_review_comment', onLine).event()).toEqual({ ...said, place: 'thread' })
    expect(read('issue_comment', inTalk).at).toBe(atMs)
  })

  test('comments on plain issues, edited and deleted ones are none', () => {
    const issue = { number: 7 }
    expect(read('issue_comment', { action: 'created', issue, comment, repository }).event()).toEqual({
      ...{ type: 'none', what: 'issue_comment.created' },
    })
    for (const action of ['edited', 'deleted'])
      expect(
        read('issue_comment', { action, issue: { ...issue, pull_request: {} }, comment, repository }).event(),
      ).toEqual({ type: 'none', what: `issue_comment.${action}` })
  })

  test('a check that is asked for again is a change; others are none', () => {
    const check = { head_sha: head, pull_requests: [{ number: 7 }] }
    const body = { action: 'rerequested', repository, check_run: check, installation: { id: 5 } }
    expect(read('check_run', body).event()).toEqual({
      ...{ type: 'change', ...acme, installation: '5', number: 7, action: 'rerequested', head },
    })
    for (const other of [
      { ...body, action: 'completed' },
      { ...body, check_run: undefined },
      { ...body, check_run: { ...check, pull_requests: [] } },
    ])
      expect(read('check_run', other).event()).toEqual({ type: 'none', what: `check_run.${other.action}` })
  })

  test.each(['installation', 'installation_repositories'])('%s', (event) => {
    expect(read(event, { installation: { id: 5 } }).event()).toEqual({
      type: 'installation',
      installation: '5',
    })
    malformed(read(event, {}).event, 'installation')
  })

  test('its id is in a header', () => {
    expect(deliver('github', { 'x-github-delivery': 'g' }, {}).id).toBe('g')
    expect(deliver('github', {}, {}).id).toBeNull()
  })
})

describe.each(['forgejo', 'gitea'])('Forgejo as %s', (name) => {
  const read = (event: string, body: object) =>
    deliver('forgejo', { [`x-${name}-event`]: event, [`x-${name}-delivery`]: 'd' }, body)

  test.each(['pull_request', 'pull_request_sync', 'pull_request_label'])('%s is a change', (event) => {
    const found = read(event, pull)
    expect(found.event()).toEqual({ type: 'change', ...acme, number: 7, action: 'opened', head })
    expect([found.id, found.at]).toEqual(['d', atMs])
  })

  test('comments of the conversation, on pull requests only', () => {
    const body = { action: 'created', is_pull: true, issue: { number: 7 }, comment, repository }
    for (const event of ['issue_comment', 'pull_request_comment'])
      expect(read(event, body).event()).toEqual({
        ...{ type: 'comment', ...acme, number: 7, comment: '5', place: 'conversation' },
      })
    expect(read('issue_comment', { ...body, is_pull: false }).event()).toEqual({
      ...{ type: 'none', what: 'issue_comment.created' },
    })
  })

  test('other events are none', () => {
    for (const event of ['push', 'my_pull_request', 'pull_request_review', 'x'.repeat(99)])
      expect(read(event, pull).event()).toEqual({ type: 'none', what: event.slice(0, 60) })
    expect(deliver('forgejo', {}, pull)).toMatchObject({ id: null })
    expect(deliver('forgejo', {}, pull).event()).toEqual({ type: 'none', what: '' })
  })
})

describe('GitLab', () => {
  const project = { id: 11, path_with_namespace: 'acme/shop' }
  const merge = {
    object_kind: 'merge_request',
    project,
    object_attributes: {
      iid: 7,
      action: 'open',
      last_commit: { id: head },
      updated_at: '2026-11-30 11:00:00 UTC',
    },
  }
  const note = {
    object_kind: 'note',
    project,
    merge_request: { iid: 7 },
    object_attributes: { id: 5, action: 'create', type: 'DiffNote' },
  }

  test('a merge request is a change, whose action and head may be missing', () => {
    const { event, at } = deliver('gitlab', {}, merge)
    expect(event()).toEqual({ type: 'change', ...acme, number: 7, action: 'open', head })
    expect(at).toBe(atMs)
    expect(deliver('gitlab', {}, { ...merge, object_attributes: { iid: 7 } }).event()).toEqual({
      ...{ type: 'change', ...acme, number: 7, action: null, head: null },
    })
    malformed(deliver('gitlab', {}, { ...merge, project: { id: 11 } }).event, 'project.path_with_namespace')
  })

  test('a new note on a merge request is a comment; others are none', () => {
    const said = { type: 'comment', ...acme, number: 7, comment: '5' }
    const read = (more: object) => deliver('gitlab', {}, { ...note, ...more }).event()
    expect(read({})).toEqual({ ...said, place: 'thread' })
    // Earlier versions of GitLab do not say what was done.
    expect(read({ object_attributes: { id: 5 } })).toEqual({ ...said, place: 'conversation' })
    expect(read({ object_attributes: { id: 5, action: 'update' } })).toEqual({ type: 'none', what: 'note' })
    expect(read({ merge_request: null })).toEqual({ type: 'none', what: 'note' })
  })

  test('anything else is none', () => {
    expect(deliver('gitlab', {}, { object_kind: 'push' }).event()).toEqual({ type: 'none', what: 'push' })
    for (const odd of [[], null, 'text'])
      expect(deliver('gitlab', {}, odd).event()).toEqual({ type: 'none', what: '' })
    expect(deliver('gitlab', {}, null).at).toBeNull()
  })

  test('its id is the first that is there, and its time that of the signature', () => {
    const ids = { 'webhook-id': 'w', 'idempotency-key': 'i', 'x-gitlab-event-uuid': 'u' }
    expect(deliver('gitlab', ids, merge).id).toBe('w')
    expect(deliver('gitlab', { ...ids, 'webhook-id': undefined }, merge).id).toBe('i')
    expect(deliver('gitlab', { 'x-gitlab-event-uuid': 'u' }, merge).id).toBe('u')
    expect(deliver('gitlab', {}, merge).id).toBeNull()
    expect(deliver('gitlab', { 'webhook-timestamp': '1700000000' }, merge).at).toBe(1_700_000_000_000)
  })
})

describe('Bitbucket', () => {
  const id = '00000000-0000-4000-8000-00000000000a'
  const named = { repository: { id, fullName: 'acme/shop' }, installation: null }
  const body = {
    repository: { uuid: `{${id}}`, full_name: 'acme/shop' },
    pullrequest: {
      id: 7,
      updated_on: '2026-11-30T10:00:00Z',
      source: { commit: { hash: head.slice(0, 12) } },
    },
  }
  const read = (event: string, more: object = {}) =>
    deliver('bitbucket', { 'x-event-key': event, 'x-request-uuid': 'r' }, { ...body, ...more })

  test.each(['created', 'updated', 'fulfilled', 'rejected'])('a pull request that was %s', (action) => {
    const found = read(`pullrequest:${action}`)
    expect(found.event()).toEqual({ type: 'change', ...named, number: 7, action, head: head.slice(0, 12) })
    expect([found.id, found.at]).toEqual(['r', atMs - 3_600_000])
  })

  test('one whose branch is gone has no head', () => {
    const pullrequest = { id: 7, source: { commit: null } }
    expect(read('pullrequest:rejected', { pullrequest }).event()).toMatchObject({ head: null })
    expect(read('pullrequest:rejected', { pullrequest }).at).toBeNull()
  })

  test('a comment in the conversation, on a line, and as an answer', () => {
    const placeOf = (more: object) =>
      read('pullrequest:comment_created', { comment: { id: 5, created_on: at, ...more } })
    const said = { type: 'comment', ...named, number: 7, comment: '5' }
    expect(placeOf({}).event()).toEqual({ ...said, place: 'conversation' })
    expect(placeOf({ inline: { path: 'a' } }).event()).toEqual({ ...said, place: 'thread' })
    expect(placeOf({ parent: { id: 4 } }).event()).toEqual({ ...said, place: 'thread' })
    expect(placeOf({}).at).toBe(atMs)
  })

  test('other events, and without a name, are none', () => {
    for (const event of [
      'pullrequest:approved',
      'xpullrequest:created',
      'pullrequest:created:x',
      'x'.repeat(99),
    ])
      expect(read(event).event()).toEqual({ type: 'none', what: event.slice(0, 60) })
    const bare = deliver('bitbucket', {}, null)
    expect([bare.event(), bare.id, bare.at]).toEqual([{ type: 'none', what: '' }, null, null])
  })

  test('a repository without its id in braces, or a head that is no commit, is malformed', () => {
    for (const uuid of [id, `{${id}}x`, `x{${id}}`])
      malformed(
        read('pullrequest:created', { repository: { uuid, full_name: 'a/b' } }).event,
        'repository.uuid',
      )
    for (const hash of ['x'.repeat(12), `${head}!`, `!${head}`])
      malformed(
        read('pullrequest:created', { pullrequest: { id: 7, source: { commit: { hash } } } }).event,
        'pullrequest.source.commit.hash',
      )
  })
})

describe('Bitbucket Data Center', () => {
  const toRef = { repository: { id: 11, slug: 'shop', project: { key: 'acme' } } }
  const body = { date: at, pullRequest: { id: 7, fromRef: { latestCommit: head }, toRef } }
  const read = (event: string, more: object = {}) =>
    deliver('bitbucket-dc', { 'x-event-key': event, 'x-request-id': 'r' }, { ...body, ...more })

  test.each([
    ...['opened', 'reopened', 'modified', 'from_ref_updated', 'to_ref_updated'],
    ...['merged', 'declined', 'deleted'],
  ])('a pull request that was %s', (action) => {
    const found = read(`pr:${action}`)
    expect(found.event()).toEqual({ type: 'change', ...acme, number: 7, action, head })
    expect([found.id, found.at]).toEqual(['r', atMs])
  })

  test('every comment is in a thread, and other events are none', () => {
    expect(read('pr:comment:added', { comment: { id: 5 } }).event()).toEqual({
      ...{ type: 'comment', ...acme, number: 7, comment: '5', place: 'thread' },
    })
    for (const event of ['xpr:opened', 'pr:opened:x', 'pr:reviewer:approved', 'x'.repeat(99)])
      expect(read(event).event()).toEqual({ type: 'none', what: event.slice(0, 60) })
    const bare = deliver('bitbucket-dc', {}, null)
    expect([bare.event(), bare.id, bare.at]).toEqual([{ type: 'none', what: '' }, null, null])
  })
})

describe('Azure DevOps', () => {
  const guid = (last: string) => `00000000-0000-4000-8000-00000000000${last}`
  const place = {
    ...{ id: guid('1'), name: 'shop', url: 'https://dev.azure.com/acme/_apis/git/repositories/1' },
    project: { id: guid('2'), name: 'web' },
  }
  const resource = { pullRequestId: 7, lastMergeSourceCommit: { commitId: head }, repository: place }
  const named = { repository: { id: guid('1'), fullName: 'acme/web/shop' }, installation: null }
  const read = (eventType: string, body: unknown = resource) =>
    deliver('azure', {}, { id: 'd', eventType, createdDate: at, resource: body }, 'https://dev.azure.com')
  const said = (href: string, more: object = {}) =>
    read('ms.vss-code.git-pullrequest-comment-event', {
      comment: { id: 5, _links: { self: { href } }, ...more },
      pullRequest: resource,
    }).event()

  test.each(['created', 'updated', 'merged'])('a pull request that was %s', (action) => {
    const found = read(`git.pullrequest.${action}`)
    expect(found.event()).toEqual({ type: 'change', ...named, number: 7, action, head })
    expect([found.id, found.at]).toEqual(['d', atMs])
    expect(
      read(`git.pullrequest.${action}`, { ...resource, lastMergeSourceCommit: null }).event(),
    ).toMatchObject({
      head: null,
    })
  })

  test('a comment has the number of its thread; without one, or deleted, it is none', () => {
    const comment = { type: 'comment', ...named, number: 7, comment: '31/5', place: 'thread' }
    expect(said('https://x/threads/31/comments/5')).toEqual(comment)
    expect(said('https://x/threads/31')).toEqual(comment)
    expect(said('https://x/comments/5')).toEqual({ type: 'none', what: 'comment' })
    expect(said('https://x/threads/31/comments/5', { isDeleted: true })).toEqual({
      type: 'none',
      what: 'comment',
    })
  })

  test('other events, and a body that is no event, are none', () => {
    for (const event of ['git.push', 'xgit.pullrequest.created', 'git.pullrequest.created.x', 'x'.repeat(99)])
      expect(read(event).event()).toEqual({ type: 'none', what: event.slice(0, 60) })
    const bare = deliver('azure', {}, null)
    expect([bare.event(), bare.id, bare.at]).toEqual([{ type: 'none', what: '' }, null, null])
  })

  test('ids are of their form, so that no address is made of anything else', () => {
    for (const id of [`${guid('1')}x`, `x${guid('1')}`])
      malformed(
        read('git.pullrequest.created', { ...resource, repository: { ...place, id } }).event,
        'resource.repository.id',
      )
    for (const commitId of [`${head}!`, `!${head}`])
      malformed(
        read('git.pullrequest.created', { ...resource, lastMergeSourceCommit: { commitId } }).event,
        'resource.lastMergeSourceCommit.commitId',
      )
  })
})

test('a time that cannot be read is none', () => {
  expect(readTime('2026-11-30 11:00:00 UTC')).toBe(atMs)
  expect(readTime(at)).toBe(atMs)
  for (const odd of [null, undefined, '', 'soon']) expect(readTime(odd)).toBeNull()
})
