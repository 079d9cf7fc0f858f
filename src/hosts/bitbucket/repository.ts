/** Open pull requests, files and comments of a repository on Bitbucket Cloud. */
import { z } from 'zod'
import { unlessUnknown } from '../remote/answers.ts'
import { hostedRepository } from '../remote/hosted-change.ts'
import { toHost } from '../remote/without-html.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  answerPages,
  changedFiles,
  filePages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  patchesOf,
} from '../repository/contract.ts'
import { Comment, openBitbucketApi, personOf } from './client.ts'
import { Pull, Repository, readVisibility } from './read-pull.ts'

const File = z.object({ path: z.string() }).nullish()
const DiffStat = z.object({
  ...{ old: File, new: File },
  ...{ lines_added: z.number().default(0), lines_removed: z.number().default(0) },
})
const Base = z.object({ hash: z.string() })

/** Of a page of the list of files, and of the list of pull requests. */
const perPage = 100
const pullsPerPage = 50

export const openRepository: OpenRepository = (place, access) => {
  const api = openBitbucketApi(place, access)
  return {
    async lookUp(signal) {
      const [found, visibility] = await Promise.all([api.get('', signal), readVisibility(api, signal)])
      const { uuid: repositoryId, full_name: fullName } = Repository.parse(found)
      const { gitAuthorization: authorization } = api
      return hostedRepository(place, { fullName, repositoryId, visibility, authorization })
    },
    async readFiles(number, signal) {
      const found = await api.list(`/pullrequests/${number}/diffstat`, { pages: filePages }, signal)
      const files = z.array(DiffStat).parse(found)
      return changedFiles(
        files.map((file) => ({
          path: file.new?.path ?? file.old?.path ?? '',
          lines: file.lines_added + file.lines_removed,
        })),
        perPage,
      )
    },
    async listOpen(signal) {
      const query = { state: 'OPEN', pagelen: pullsPerPage }
      const found = await api.list('/pullrequests', { pages: mostOpen / pullsPerPage, query }, signal)
      return z
        .array(Pull)
        .parse(found)
        .flatMap(({ id: number, source, updated_on: at, title, description, author, draft, destination }) =>
          source.commit
            ? {
                ...{ number, head: source.commit.hash, updatedAt: Date.parse(at), title, isDraft: draft },
                ...{ body: description ?? '', author: author ? personOf(author).login : null },
                branch: source.branch.name,
                isFork: source.repository?.uuid !== destination.repository.uuid,
              }
            : [],
        )
    },
    async readPatches(number, signal) {
      const { text } = await api.ask('GET', `/pullrequests/${number}/diff`, null, signal)
      return patchesOf(text).slice(0, mostPatched)
    },
    async isAncestor(older, newer, signal) {
      const found = await unlessUnknown(() => api.get(`/merge-base/${newer}..${older}`, signal))
      return found === null ? null : Base.parse(found).hash === older
    },
    async readComment({ number, id }, signal) {
      const path = `/pullrequests/${number}/comments/${encodeURIComponent(id)}`
      const found = await unlessUnknown(() => api.get(path, signal))
      if (found === null) return null
      const {
        user,
        deleted,
        pending,
        content,
        created_on: created,
        updated_on: updated,
        parent,
      } = Comment.parse(found)
      if (!user || deleted || pending) return null
      return {
        ...{ body: content, author: await api.readActor(user, signal) },
        ...{ isEdited: (updated ?? created) !== created, thread: parent ? String(parent.id) : null },
      }
    },
    // It has reactions in the browser only.
    readReactions: async () => [],
  }
}

/** It has reactions in the browser only: the answer is the first that people see. */
export const acknowledge: AcknowledgeComment = async () => {}

export const answer: AnswerComment = async (address, access, { number, id, place }, planned, signal) => {
  const api = openBitbucketApi(address, access)
  const path = `/pullrequests/${number}/comments`
  const all = await api.readComments(number, { pages: answerPages }, signal)
  const asked = all.find((one) => String(one.id) === id)
  const thread = place === 'thread' && asked ? (asked.parent?.id ?? asked.id) : null
  const there = all.filter(
    ({ parent, id: own }) => thread === null || parent?.id === thread || own === thread,
  )
  return await answerOnce(
    there.map(({ content }) => ({ body: content })),
    planned,
    (body) => {
      const comment = {
        content: { raw: toHost(body) },
        ...(thread === null ? {} : { parent: { id: thread } }),
      }
      return api.send('POST', path, comment, signal)
    },
  )
}
