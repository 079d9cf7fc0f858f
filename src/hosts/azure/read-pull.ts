/** The collector's half: a pull request with its words and people, as Azure DevOps has them now. */
import { z } from 'zod'
import { openAttempts } from '../remote/answers.ts'
import { listOf } from '../remote/azure-requests.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { associationOf, byId, hostedChange, mostPeople } from '../remote/hosted-change.ts'
import { openAzureApi } from './client.ts'
import { actorOf, noIterations, openPull, states, type User } from './pull.ts'

const WorkItems = listOf(z.object({ id: z.string() }).transform(({ id }) => id))
const Labels = listOf(z.object({ name: z.string(), active: z.boolean().default(true) })).transform((labels) =>
  labels.flatMap(({ name, active }) => (active ? [name] : [])),
)

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openAzureApi(address, access)
  const own = openPull(api, address)
  return {
    readHead: async (signal) => (await own.read(signal)).head,
    async read(signal) {
      const [{ pull, head, base }, repository] = await Promise.all([
        own.read(signal),
        api.readRepository(signal),
      ])
      const { attempt, limits } = openAttempts(signal)
      const iterations = await attempt('the iterations', noIterations, () => own.readIterations(head, signal))
      const [comments, linkedIssues, labels] = await Promise.all([
        attempt('the discussion', [], () => own.readComments(iterations, signal)),
        attempt('linked work items', [], async () => WorkItems.parse(await own.get('/workitems', signal))),
        attempt('the labels', [], async () => Labels.parse(await own.get('/labels', signal))),
      ])
      const said = comments.toSorted((a, b) => Date.parse(a.publishedDate) - Date.parse(b.publishedDate))
      const users = byId([pull.createdBy, ...said.map(({ author }) => author)]).slice(0, mostPeople)
      const ids = users.map(({ id }) => id)
      const trusts = await attempt('what people may do', new Map(), () => api.readTrusts(ids, signal))
      const asActor = (user: User) => actorOf(user, trusts.get(user.id) ?? 'unknown')
      return hostedChange(address, {
        ...{ number: pull.pullRequestId, title: pull.title, body: pull.description ?? '' },
        ...{ state: states[pull.status], isDraft: pull.isDraft, isFork: Boolean(pull.forkSource) },
        ...{ baseRef: pull.targetRefName, headRef: pull.sourceRefName },
        ...{ head, base, mergeBase: iterations.now?.commonRefCommit?.commitId ?? null },
        ...{ ...repository, author: asActor(pull.createdBy), authorName: pull.createdBy.displayName },
        ...{ people: users.map(asActor), labels, linkedIssues, limits: limits() },
        headReference: `refs/pull/${address.number}/merge`,
        discussion: said.map(({ author, content: body, place, isResolved: resolved }) => ({
          ...{ author: author.displayName, association: associationOf(asActor(author)), body, resolved },
          ...{ path: place?.path ?? null, line: place?.line ?? null },
        })),
      })
    },
  }
}
