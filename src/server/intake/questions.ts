/** A question about a review becomes a job for a process with keys of models and no token of a host. */
import type { HostedChange } from '../../hosts/remote/contract.ts'
import { addressText } from '../connections/address.ts'
import { questionKind, type ReviewJob, reviewKind } from '../jobs/contract.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { priorities } from '../queue/contract.ts'
import { type IntakeParts, laneOf } from './asked-change.ts'
import type { Carried, Ordered } from './command-contract.ts'
import { newTriggerId, storeTrigger } from './triggers.ts'

export type Question = {
  /** Words of a person. */
  question: string
  /** Names of the finding that it is about; empty for none. */
  about: string[]
}

/** Answered in the place of the comment when a worker has the answer. */
export async function askQuestion(
  parts: IntakeParts,
  ordered: Pick<Ordered, 'asked' | 'read' | 'change'>,
  { question, about }: Question,
): Promise<Carried> {
  const { asked, read, change } = ordered
  const { tenant, comment, place, number, connection, repository, installation } = asked
  const lane = laneOf(asked)
  const run = await lastRun(parts, tenant, lane)
  if (run === null)
    return { answer: 'This change has no review yet; `@sightline review` starts one.', outcome: 'no review' }
  const name = nameOf(change)
  const { perReviewUsd } = effectivePolicy(parts.settings, {
    ...{ tenant, connection: connection.name, repository: name },
  })
  const id = newTriggerId()
  const budgetUsd = perReviewUsd ?? parts.defaultPerReviewUsd
  const job: ReviewJob = {
    address: addressText(connection, name, number),
    connection: connection.name,
    installation,
    repository: { host: connection.host, id: repository.id, name },
    number,
    head: change.head,
    trigger: { id, kind: 'comment', by: read.author.login },
    decision: { kind: 'answer', run, about, question, comment: { id: comment, place }, budgetUsd },
  }
  await parts.database.transaction(async (queries) => {
    const { id: made, isNew } = await parts.queue.enqueue(
      {
        tenant,
        kind: questionKind,
        // Not that of reviews: nobody waits for a review to hear an answer.
        lane: `${lane}/questions`,
        contentKey: comment,
        payload: job,
        priority: priorities.person,
      },
      queries,
    )
    if (!isNew) return
    await storeTrigger(queries, id, {
      ...{ tenant, connection: connection.name, repository: { id: repository.id, name }, number },
      ...{ kind: 'comment', askedBy: read.author.login, head: change.head, receivedAt: parts.now() },
      ...{ decision: 'answer to a question', job: made, ownsJob: true, holdUsd: budgetUsd, ended: null },
    })
  })
  return { answer: null, outcome: 'asked' }
}

const searchedJobs = 50

/** Of the newest review that has one on record. */
async function lastRun({ queue }: IntakeParts, tenant: string, lane: string): Promise<string | null> {
  const jobs = await queue.jobs(tenant, { lane, limit: searchedJobs })
  const runs = jobs.flatMap(({ kind, result }) =>
    kind === reviewKind && typeof result?.run === 'string' ? [result.run] : [],
  )
  return runs[0] ?? null
}

export function nameOf({ repository }: HostedChange): string {
  return [...repository.owner, repository.name].join('/')
}
