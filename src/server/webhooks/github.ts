/** Webhooks of GitHub. */
import { z } from 'zod'
import { parseBody, type WebhookEvent, type Webhooks } from './contract.ts'
import {
  Commit,
  changeEvent,
  commentEvent,
  happenedAt,
  Id,
  refuseUnsigned,
  Sender,
  senderOf,
  verifySignature,
} from './pull-requests.ts'

const CheckEvent = Sender.extend({
  check_run: z.object({ head_sha: Commit, pull_requests: z.array(z.object({ number: Id })) }).optional(),
})

const InstallationEvent = z.object({ installation: z.object({ id: Id }) })

/** Actions after which a change may have to be reviewed, or no longer. */
const changing: ReadonlySet<string> = new Set([
  'opened',
  'reopened',
  'synchronize',
  'ready_for_review',
  'converted_to_draft',
  'labeled',
  'unlabeled',
  'edited',
  'closed',
])

const signature = 'x-hub-signature-256'

export const github: Webhooks = {
  kind: 'github',
  refuseHead: (headers) => refuseUnsigned(headers[signature], headers),
  verify: (delivery, secrets) => verifySignature(delivery.headers[signature], 'sha256=', delivery, secrets),
  deliveryId: ({ headers }) => headers['x-github-delivery'] ?? null,
  read({ headers }, body) {
    const event = headers['x-github-event'] ?? ''
    switch (event) {
      case 'pull_request': {
        const change = changeEvent(body)
        const { action } = change
        return changing.has(action ?? '') ? change : { type: 'none', what: `${event}.${action}` }
      }
      case 'issue_comment':
        return commentEvent(event, 'conversation', body)
      case 'pull_request_review_comment':
        return commentEvent(event, 'thread', body)
      case 'check_run':
        return rerunEvent(body)
      case 'installation':
      case 'installation_repositories':
        return {
          type: 'installation',
          installation: String(parseBody(InstallationEvent, body).installation.id),
        }
      default:
        return { type: 'none', what: event.slice(0, 60) }
    }
  },
  happenedAt,
}

/** "Re-run" beside our check. */
function rerunEvent(body: unknown): WebhookEvent {
  const { check_run: check, action, ...sender } = parseBody(CheckEvent, body)
  const number = check?.pull_requests[0]?.number
  if (action !== 'rerequested' || !check || number === undefined)
    return { type: 'none', what: `check_run.${action}` }
  return { type: 'change', ...senderOf({ ...sender, action }), number, action, head: check.head_sha }
}
