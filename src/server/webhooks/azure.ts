/**
 * Service hooks of Azure DevOps. They are not signed: what a subscription can be given is a user and a password, which every
 * delivery then carries. The password is the secret of the connection.
 */
import { z } from 'zod'
import { isOneOf } from '../../base/secrets/same-secret.ts'
import { decodedPart, usualForm } from '../../hosts/remote/addresses.ts'
import { parseBody, readTime, type WebhookEvent, type Webhooks } from './contract.ts'
import { Commit, Id } from './pull-requests.ts'

const Guid = z.string().regex(/^[0-9a-f-]{36}$/i)
const Name = z.string().max(300)

const Pull = z.object({
  pullRequestId: Id,
  lastMergeSourceCommit: z.object({ commitId: Commit }).nullish(),
  repository: z.object({
    ...{ id: Guid, name: Name, url: z.url().max(1000) },
    project: z.object({ id: Guid, name: Name }),
  }),
})
const Comment = z.object({
  ...{ id: Id, isDeleted: z.boolean().default(false) },
  _links: z.object({ self: z.object({ href: z.string().max(1000) }) }),
})
const PullEvent = z.object({ resource: Pull })
const CommentEvent = z.object({ resource: z.object({ comment: Comment, pullRequest: Pull }) })

/** No header says what is in a body. */
const Event = z
  .object({
    id: z.string().max(100).nullish(),
    eventType: z.string().max(100),
    createdDate: z.string().nullish(),
  })
  .catch({ eventType: '' })

export const azure: Webhooks = {
  kind: 'azure',
  refuseHead({ authorization }, secrets) {
    const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
    if (encoded === undefined) return 'signature-missing'
    const named = Buffer.from(encoded, 'base64').toString('utf8')
    return isOneOf(named.replace(/^[^:]*:/s, ''), secrets) ? null : 'signature-wrong'
  },
  verify: ({ headers }, secrets) => azure.refuseHead(headers, secrets),
  deliveryId: (_delivery, body) => Event.parse(body).id ?? null,
  read(_delivery, body, webUrl) {
    const { eventType } = Event.parse(body)
    const [, action] = /^git\.pullrequest\.(created|updated|merged)$/.exec(eventType) ?? []
    if (action !== undefined) return changeEvent(action, body, webUrl)
    if (eventType === 'ms.vss-code.git-pullrequest-comment-event') return commentEvent(body, webUrl)
    return { type: 'none', what: eventType.slice(0, 60) }
  },
  happenedAt: (_delivery, body) => readTime(Event.parse(body).createdDate),
}

function changeEvent(action: string, body: unknown, webUrl: string): WebhookEvent {
  const { resource: pull } = parseBody(PullEvent, body)
  const head = pull.lastMergeSourceCommit?.commitId ?? null
  return { type: 'change', ...placeOf(pull, webUrl), action, head }
}

function commentEvent(body: unknown, webUrl: string): WebhookEvent {
  const { comment, pullRequest } = parseBody(CommentEvent, body).resource
  const [, thread] = /\/threads\/(\d{1,12})(?:\/|$)/.exec(comment._links.self.href) ?? []
  if (thread === undefined || comment.isDeleted) return { type: 'none', what: 'comment' }
  // Every comment is in a thread.
  return {
    type: 'comment',
    ...placeOf(pullRequest, webUrl),
    comment: `${thread}/${comment.id}`,
    place: 'thread',
  }
}

/** The organization or collection is in the address of the repository only, before the id of its project or its API. */
function placeOf({ pullRequestId: number, repository }: z.infer<typeof Pull>, webUrl: string) {
  const { id, name, url, project } = repository
  const pathOf = (address: string) => new URL(address).pathname.split('/').filter((part) => part !== '')
  const path = pathOf(usualForm(url))
  const collection = path
    .slice(pathOf(webUrl).length, path.indexOf('_apis'))
    .filter((part) => part !== project.id)
  const fullName = [...collection.map(decodedPart), project.name, name].join('/')
  return { repository: { id, fullName }, installation: null, number }
}
