/** GitLab and Forgejo: a webhook by token or signature becomes the same job, and what none reported is found. */
import { createHmac, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { reconcileDue } from '../../../src/server/intake/reconcile.ts'
import { startForgejo } from '../../helpers/hosts/forgejo/server.ts'
import { startGitLab } from '../../helpers/hosts/gitlab/server.ts'
import { openIntakeDoor, webhookSecret } from './intake-world.ts'

const timeout = 240_000
const files = { 'a.ts': 'export const one = 2\n' }
const repository = { files: { 'a.ts': 'export const one = 1\n' } }

function secretsWith(token: string) {
  return { host: { appKey: null, token, webhookSecret, previousWebhookSecret: null } }
}

test('GitLab: opened, ordered by a comment, and found without a webhook', { timeout }, async () => {
  const gitlab = await startGitLab()
  onTestFinished(() => gitlab.close())
  const project = gitlab.world.createProject('group/sub/shop', repository)
  for (const login of ['ada', 'reviewer']) project.roles.set(login, 'write')
  const token = gitlab.state.addToken('reviewer')
  const door = await openIntakeDoor({
    settings: { connections: { host: { kind: 'gitlab', url: gitlab.url, tenant: 'platform' } } },
    secrets: secretsWith(token),
  })
  const send = async (body: object) => {
    const answer = await fetch(`${door.url}/webhooks/host`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gitlab-token': webhookSecret,
        'x-gitlab-event-uuid': randomUUID(),
      },
      body: JSON.stringify({ project: { id: project.id, path_with_namespace: project.fullName }, ...body }),
    })
    await door.settled()
    return answer.status
  }
  const change = project.open({ branch: 'topic', files })
  const updated_at = new Date().toISOString()
  const attributes = { iid: 1, action: 'open', last_commit: { id: change.head }, updated_at }
  expect(await send({ object_kind: 'merge_request', object_attributes: attributes })).toBe(202)
  const [job] = await door.queue.jobs('platform')
  expect(job?.payload).toMatchObject({
    address: `${gitlab.url}/group/sub/shop/-/merge_requests/1`,
    ...{ installation: null, head: change.head, decision: { kind: 'review', depth: 'auto' } },
  })
  const note = change.comment('ada', '@sightline full')
  const noted = { id: note.id, action: 'create', updated_at }
  await send({ object_kind: 'note', merge_request: { iid: 1 }, object_attributes: noted })
  expect((await door.queue.jobs('platform'))[0]?.payload.trigger).toMatchObject({
    kind: 'comment',
    by: 'ada',
  })
  expect(gitlab.state.emoji).toMatchObject([{ note: note.id, login: 'reviewer', name: 'eyes' }])
  const pushed = change.push({ 'a.ts': 'export const one = 3\n' })
  await door.database.query('update repository set is_known = true')
  const found = await reconcileDue({ ...door, everyMinutes: 10 }, new AbortController().signal)
  await door.settled()
  expect(found).toEqual({ changes: 1, deliveries: 0 })
  expect((await door.queue.jobs('platform'))[0]?.payload.head).toBe(pushed)
  expect(gitlab.violations).toEqual([])
})

test('Forgejo: opened, and found without a webhook', { timeout }, async () => {
  const forgejo = await startForgejo()
  onTestFinished(() => forgejo.close())
  const project = forgejo.world.createProject('acme/shop', repository)
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', 'admin')
  const door = await openIntakeDoor({
    settings: { connections: { host: { kind: 'forgejo', url: forgejo.url, tenant: 'platform' } } },
    secrets: secretsWith(forgejo.addToken('reviewer')),
  })
  const change = project.open({ branch: 'topic', files })
  const body = JSON.stringify({
    ...{ action: 'opened', number: 1, pull_request: { head: { sha: change.head } } },
    repository: { id: project.id, full_name: 'acme/shop' },
  })
  const answer = await fetch(`${door.url}/webhooks/host`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forgejo-event': 'pull_request',
      'x-forgejo-delivery': randomUUID(),
      'x-forgejo-signature': createHmac('sha256', webhookSecret).update(body).digest('hex'),
    },
    body,
  })
  await door.settled()
  expect(answer.status).toBe(202)
  const [job] = await door.queue.jobs('platform')
  expect(job?.payload).toMatchObject({ address: `${forgejo.url}/acme/shop/pulls/1`, head: change.head })
  const pushed = change.push({ 'a.ts': 'export const one = 3\n' })
  await door.database.query('update repository set is_known = true')
  const found = await reconcileDue({ ...door, everyMinutes: 10 }, new AbortController().signal)
  await door.settled()
  expect(found).toEqual({ changes: 1, deliveries: 0 })
  expect((await door.queue.jobs('platform'))[0]?.payload.head).toBe(pushed)
  expect(forgejo.violations).toEqual([])
})
