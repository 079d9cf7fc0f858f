/** Webhooks of Forgejo and Gitea. */
import type { Delivery, Webhooks } from './contract.ts'
import { changeEvent, commentEvent, happenedAt, refuseUnsigned, verifySignature } from './pull-requests.ts'

export const forgejo: Webhooks = {
  kind: 'forgejo',
  refuseHead: (headers) => refuseUnsigned(header({ headers }, 'signature'), headers),
  verify: (delivery, secrets) => verifySignature(header(delivery, 'signature'), '', delivery, secrets),
  deliveryId: (delivery) => header(delivery, 'delivery') ?? null,
  read(delivery, body) {
    const event = header(delivery, 'event') ?? ''
    if (/^pull_request(?:_sync|_label)?$/.test(event)) return changeEvent(body)
    // They are about comments of the conversation only.
    if (event === 'issue_comment' || event === 'pull_request_comment')
      return commentEvent('issue_comment', 'conversation', body)
    return { type: 'none', what: event.slice(0, 60) }
  },
  happenedAt,
}

/** Gitea sends the same under its own name. */
function header({ headers }: Pick<Delivery, 'headers'>, name: string): string | undefined {
  return headers[`x-forgejo-${name}`] ?? headers[`x-gitea-${name}`]
}
