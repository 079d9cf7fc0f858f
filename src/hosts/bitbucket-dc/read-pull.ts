/** The collector's half: a pull request with its words and people, as Bitbucket Data Center has them now. */
import { z } from 'zod'
import { openAttempts } from '../remote/answers.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { associationOf, byId, hostedChange, mostPeople } from '../remote/hosted-change.ts'
import { type BitbucketDcApi, openBitbucketDcApi, User } from './client.ts'

/** Everybody may read what is public, or in a project that is. */
export const Repository = z
  .object({
    id: z.number(),
    slug: z.string(),
    public: z.boolean().default(false),
    project: z.object({ key: z.string(), public: z.boolean().default(false) }),
  })
  .transform(({ id, slug, project, ...one }) => ({
    ...{ id: String(id), fullName: `${project.key}/${slug}` },
    visibility: one.public || project.public ? ('public' as const) : ('private' as const),
  }))

const Ref = z.object({ id: z.string(), displayId: z.string(), latestCommit: z.string() })

export const Pull = z.object({
  id: z.int().positive(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED']),
  draft: z.boolean().default(false),
  author: z.object({ user: User }),
  updatedDate: z.number(),
  /** Its repository is another one for a fork, and may be deleted. */
  fromRef: Ref.extend({ repository: z.object({ id: z.number() }).nullish() }),
  toRef: Ref.extend({ repository: Repository }),
})
export type Pull = z.infer<typeof Pull>

export const states = { OPEN: 'open', MERGED: 'merged', DECLINED: 'closed' } as const

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openBitbucketDcApi(address, access)
  return {
    readHead: async (signal) => (await readPull(api, address, signal)).fromRef.latestCommit,
    async read(signal) {
      const pull = await readPull(api, address, signal)
      const { fromRef: from, toRef: to, author } = pull
      const { attempt, limits } = openAttempts(signal)
      const comments = await attempt('the discussion', [], () =>
        api.readComments(pull.id, { pages: 5 }, signal),
      )
      const known = byId([author.user, ...comments.map((comment) => comment.author)]).slice(0, mostPeople)
      const people = await Promise.all(known.map((user) => api.readActor(user, signal)))
      const actorOf = (user: User) => people.find(({ id }) => id === String(user.id))
      return hostedChange(address, {
        ...{ number: pull.id, title: pull.title, body: pull.description ?? '', state: states[pull.state] },
        ...{ isDraft: pull.draft, isFork: String(from.repository?.id) !== to.repository.id },
        ...{ baseRef: to.displayId, headRef: from.displayId, labels: [], linkedIssues: [], mergeBase: null },
        ...{ head: from.latestCommit, base: to.latestCommit, people, limits: limits() },
        ...{ fullName: to.repository.fullName, repositoryId: to.repository.id },
        visibility: to.repository.visibility,
        author: actorOf(author.user) ?? (await api.readActor(author.user, signal)),
        authorName: author.user.displayName,
        authorization: api.authorization,
        discussion: comments.map(({ author: user, anchor, text: body, threadResolved: resolved }) => ({
          ...{ author: user.name, association: associationOf(actorOf(user)), body, resolved },
          ...{ path: anchor?.path ?? null, line: anchor?.line ?? null },
        })),
      })
    },
  }
}

export async function readPull(
  { own }: Pick<BitbucketDcApi, 'own'>,
  { number }: Pick<ChangeAddress, 'number'>,
  signal: AbortSignal,
): Promise<Pull> {
  return Pull.parse(await own.get(`/pull-requests/${number}`, signal))
}
