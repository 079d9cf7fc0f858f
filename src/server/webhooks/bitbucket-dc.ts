/** Webhooks of Bitbucket Data Center: signed as those of Cloud, with other names for what happened. */
import { z } from 'zod'
import { bitbucket } from './bitbucket.ts'
import { parseBody, readTime, type WebhookEvent, type Webhooks } from './contract.ts'
import { Commit, Id } from './pull-requests.ts'

const Repository = z.object({
  id: Id,
  slug: z.string().max(300),
  project: z.object({ key: z.string().max(300) }),
})
const Event = z.object({
  pullRequest: z.object({
    id: Id,
    fromRef: z.object({ latestCommit: Commit }),
    toRef: z.object({ repository: Repository }),
  }),
})
const CommentEvent = Event.extend({ comment: z.object({ id: Id }) })

const Times = z.object({ date: z.string() }).catch({ date: '' })

const changing = /^pr:(opened|reopened|modified|(?:from|to)_ref_updated|merged|declined|deleted)$/

export const bitbucketDc: Webhooks = {
  kind: 'bitbucket-dc',
  refuseHead: bitbucket.refuseHead,
  verify: bitbucket.verify,
  deliveryId: ({ headers }) => headers['x-request-id'] ?? null,
  read({ headers }, body) {
    const event = (headers['x-event-key'] ?? '').slice(0, 60)
    const [, action] = changing.exec(event) ?? []
    if (action !== undefined) return changeEvent(action, body)
    return event === 'pr:comment:added' ? commentEvent(body) : { type: 'none', what: event }
  },
  happenedAt: (_delivery, body) => readTime(Times.parse(body).date),
}

function changeEvent(action: string, body: unknown): WebhookEvent {
  const { pullRequest: pull } = parseBody(Event, body)
  return { type: 'change', ...placeOf(pull), action, head: pull.fromRef.latestCommit }
}

function commentEvent(body: unknown): WebhookEvent {
  const { pullRequest: pull, comment } = parseBody(CommentEvent, body)
  // Every comment begins a thread, or is in one.
  return { type: 'comment', ...placeOf(pull), comment: String(comment.id), place: 'thread' }
}

function placeOf({ id: number, toRef }: z.infer<typeof Event>['pullRequest']) {
  const { id, slug, project } = toRef.repository
  return { repository: { id: String(id), fullName: `${project.key}/${slug}` }, installation: null, number }
}
