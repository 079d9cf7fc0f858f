/**
 * Service hooks of Azure DevOps. They are not signed: what a subscription can be given is a user and a password, which every
 * delivery then carries. The password is the secret of the connection.
 */
import { z } from 'zod'
import { decodedPart, usualForm } from '../../hosts/remote/addresses.ts'
import {
  type Delivery,
  isOneOf,
  parseBody,
  type Refusal,
  readTime,
  type WebhookEvent,
  type Webhooks,
} from './contract.ts'

const Id = z.string().regex(/^[0-9a-f-]{36}$/i)
const Name = z.string().max(300)

const Repository = z.object({
  id: Id,
  name: Name,
  url: z.url().max(1000),
  project: z.object({ id: Id, name: Name }),
})
const Pull = z.object({
  pullRequestId: z.int().positive(),
  repository: Repository,
  lastMergeSourceCommit: z.object({ commitId: z.string().regex(/^[0-9a-f]{40,64}$/) }).nullish(),
})

const PullEvent = z.object({ eventType: z.string().max(100), resource: Pull })

const CommentEvent = z.object({
  resource: z.object({
    comment: z.object({
      id: z.int().positive(),
      isDeleted: z.boolean().default(false),
      _links: z.object({ self: z.object({ href: z.string().max(1000) }) }),
    }),
    pullRequest: Pull,
  }),
})

const Event = z.object({
  id: z.string().max(100).nullish(),
  eventType: z.string().max(100),
  createdDate: z.string().nullish(),
})
const anyEvent = Event.catch({ eventType: '' })

const commentEvent = 'ms.vss-code.git-pullrequest-comment-event'
const pullEvent = /^git\.pullrequest\.(?:created|updated|merged)$/

export const azure: Webhooks = {
  kind: 'azure',
  refuseHead({ authorization }, secrets): Refusal | null {
    const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
    if (encoded === undefined) return 'signature-missing'
    const password = Buffer.from(encoded, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/s, '')
    return isOneOf(password, secrets) ? null : 'signature-wrong'
  },
  verify: ({ headers }, secrets) => azure.refuseHead(headers, secrets),
  deliveryId: ({ body }) => anyEvent.parse(jsonOf(body)).id ?? null,
  read(_delivery, body, webUrl) {
    const { eventType } = anyEvent.parse(body)
    if (eventType === commentEvent) return said(body, webUrl)
    return pullEvent.test(eventType) ? changed(body, webUrl) : { type: 'none', what: eventType.slice(0, 60) }
  },
  happenedAt: (_delivery, body) => readTime(anyEvent.parse(body).createdDate),
}

/** No header says which delivery it is. */
function jsonOf(body: Delivery['body']): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

function changed(body: unknown, webUrl: string): WebhookEvent {
  const { eventType, resource } = parseBody(PullEvent, body)
  return {
    type: 'change',
    ...{ repository: named(resource.repository, webUrl), installation: null, number: resource.pullRequestId },
    action: eventType.replace('git.pullrequest.', ''),
    head: resource.lastMergeSourceCommit?.commitId ?? null,
  }
}

function said(body: unknown, webUrl: string): WebhookEvent {
  const { comment, pullRequest } = parseBody(CommentEvent, body).resource
  const [, thread] = /\/threads\/(\d{1,12})(?:\/|$)/.exec(comment._links.self.href) ?? []
  if (thread === undefined || comment.isDeleted) return { type: 'none', what: 'comment' }
  return {
    type: 'comment',
    ...{
      repository: named(pullRequest.repository, webUrl),
      installation: null,
      number: pullRequest.pullRequestId,
    },
    // Every comment is in a thread.
    ...{ comment: `${thread}/${comment.id}`, place: 'thread' },
  }
}

/** The organization or collection is in the address of the repository only, before the id of its project or its API. */
function named({ id, name, url, project }: z.infer<typeof Repository>, webUrl: string) {
  const pathOf = (address: string) => new URL(address).pathname.split('/').filter((part) => part !== '')
  const path = pathOf(usualForm(url))
  const collection = path
    .slice(pathOf(webUrl).length, path.indexOf('_apis'))
    .filter((part) => part !== project.id)
  return { id, fullName: [...collection.map(decodedPart), project.name, name].join('/') }
}
