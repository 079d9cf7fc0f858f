/**
 * The ticket plane: which acceptance criteria have code in this change that can be tied to them. It proposes no findings:
 * that no word of a criterion stands in a change is no evidence, since code may use other words.
 */
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { tieCriteria } from './tie-criteria.ts'

export const ticketPlane: Plane = {
  name: 'ticket',
  description: 'which acceptance criteria of the ticket have code in this change',
  look,
}

/** Tickets come with the request at every depth, also where the bundle looks no further than the diff. */
async function look({ context, head, config }: PlaneInput): Promise<PlaneReport> {
  const isLeftOut = config.context.leaveOut.includes('tickets')
  const tickets = isLeftOut ? [] : (context.request.tickets ?? [])
  return { candidates: [], limits: [], ties: await tieCriteria(tickets, context.change, head) }
}
