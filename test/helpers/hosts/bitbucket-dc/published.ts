/**
 * The REST API of Bitbucket Data Center as far as it is used, from its reference for 9.4: the description that Atlassian
 * publishes is under no licence that would let this repository pass it on. Where the reference leaves something out or says it
 * wrongly (paths in anchors, what activities and reactions hold, what a span of lines needs), it is as servers are known to answer.
 */
import type { OperationSchemas, Published } from '../openapi.ts'
import { list, object, ref, type Schema, text, whole, yes } from '../schemas.ts'

const sha: Schema = { type: 'string', pattern: '^[0-9a-f]{40}$' }
const line: Schema = { type: 'integer', minimum: 1 }
const lineType: Schema = { enum: ['ADDED', 'CONTEXT', 'REMOVED'] }
const page = (items: Schema) =>
  object({
    size: whole,
    limit: whole,
    start: whole,
    isLastPage: yes,
    'nextPageStart?': whole,
    values: list(items),
  })

const marker = object({ startLine: line, startLineType: lineType })
const span = object({ srcSpanStart: line, srcSpanEnd: line, dstSpanStart: line, dstSpanEnd: line })
const placed = {
  ...{ path: text, 'srcPath?': text, diffType: { enum: ['COMMIT', 'EFFECTIVE', 'RANGE'] } },
  ...{
    line,
    lineType,
    fileType: { enum: ['FROM', 'TO'] },
    'multilineMarker?': marker,
    'multilineSpan?': span,
  },
}
const filePath = object({ components: list(text), name: text, parent: text, toString: text })
const state: Schema = { enum: ['OPEN', 'PENDING', 'RESOLVED'] }
const buildState: Schema = { enum: ['CANCELLED', 'FAILED', 'INPROGRESS', 'SUCCESSFUL', 'UNKNOWN'] }

const definitions: Record<string, Schema> = {
  errors: object({ errors: list(object({ context: {}, message: text, exceptionName: {} })) }),
  user: object({
    ...{ id: whole, name: text, slug: text, displayName: text, active: yes, emailAddress: text },
    type: { enum: ['NORMAL', 'SERVICE'] },
  }),
  repository: object({
    ...{ id: whole, slug: text, name: text, public: yes, archived: yes, forkable: yes },
    project: object({
      id: whole,
      key: text,
      name: text,
      'public?': yes,
      type: { enum: ['NORMAL', 'PERSONAL'] },
    }),
  }),
  ref: object({
    ...{ id: text, displayId: text, latestCommit: sha, type: { enum: ['BRANCH', 'TAG'] } },
    'repository?': ref('repository'),
  }),
  pull: object({
    ...{ id: whole, version: whole, title: text, 'description?': text, open: yes, closed: yes, draft: yes },
    ...{
      locked: yes,
      createdDate: whole,
      updatedDate: whole,
      state: { enum: ['DECLINED', 'MERGED', 'OPEN'] },
    },
    ...{ fromRef: ref('ref'), toRef: ref('ref'), reviewers: list({}), participants: list({}) },
    author: object({ user: ref('user'), role: { enum: ['AUTHOR'] }, approved: yes, status: text }),
  }),
  anchor: object({ ...placed, fromHash: sha, toHash: sha, orphaned: yes }),
  comment: object({
    ...{ id: whole, version: whole, text, author: ref('user'), createdDate: whole, updatedDate: whole },
    ...{ comments: list(ref('comment')), severity: { enum: ['BLOCKER', 'NORMAL'] }, state },
    ...{ threadResolved: yes, 'anchor?': ref('anchor') },
    properties: object({
      repositoryId: whole,
      'reactions?': list(
        object({ emoticon: object({ shortcut: text, url: text }), users: list(ref('user')) }),
      ),
    }),
  }),
  activity: object({
    ...{ id: whole, createdDate: whole, user: ref('user'), action: text },
    ...{ 'commentAction?': text, 'comment?': ref('comment'), 'commentAnchor?': ref('anchor') },
  }),
  change: object({
    ...{ contentId: text, path: filePath, 'srcPath?': filePath, nodeType: { enum: ['FILE'] } },
    type: { enum: ['ADD', 'COPY', 'DELETE', 'MODIFY', 'MOVE', 'UNKNOWN'] },
  }),
  build: object({
    ...{ key: text, state: buildState, url: text, name: text, description: text },
    ...{ createdDate: whole, updatedDate: whole, 'parent?': text, 'ref?': text },
  }),
}

const sentComment = object({
  'text?': text,
  'parent?': object({ id: whole }),
  'anchor?': object(placed),
  ...{ 'version?': whole, 'state?': state, 'threadResolved?': yes },
})
const short: Schema = { type: 'string', maxLength: 255 }
const sentBuild = object({
  ...{ key: short, state: buildState, url: { type: 'string', maxLength: 450, pattern: '^https?://' } },
  ...{ 'name?': short, 'description?': short, 'parent?': { type: 'string', maxLength: 1024 } },
  'ref?': { type: 'string', maxLength: 1024, pattern: '^refs\\/.*' },
})

const paged = { start: whole, limit: { type: 'integer', minimum: 1 } }
const read = (answer: Schema | null, query: Record<string, Schema> = {}): OperationSchemas => ({
  ...{ query, body: null, answers: { '200': answer } },
})
const write = (status: number, answer: Schema | null, body: Schema | null = null): OperationSchemas => ({
  ...{ query: {}, body, answers: { [status]: answer } },
})

const repository = '/api/latest/projects/{projectKey}/repos/{repositorySlug}'
const pull = `${repository}/pull-requests/{pullRequestId}`
const comment = `${pull}/comments/{commentId}`
const commit = `${repository}/commits/{commitId}`

const operations: Published['operations'] = {
  'GET /api/latest/application-properties': read(
    object({ version: text, buildNumber: text, buildDate: text, displayName: text }),
  ),
  'GET /api/latest/users': read(page(ref('user')), {
    ...{ ...paged, filter: text, permission: { enum: ['REPO_ADMIN', 'REPO_WRITE', 'REPO_READ'] } },
    ...{ 'permission.projectKey': text, 'permission.repositorySlug': text },
  }),
  [`GET ${repository}`]: read(ref('repository')),
  [`GET ${repository}/pull-requests`]: read(page(ref('pull')), {
    ...{
      ...paged,
      state: { enum: ['ALL', 'DECLINED', 'MERGED', 'OPEN'] },
      order: { enum: ['NEWEST', 'OLDEST'] },
    },
  }),
  [`GET ${pull}`]: read(ref('pull')),
  [`GET ${pull}.diff`]: read(null),
  [`GET ${pull}/changes`]: read(page(ref('change')), { ...paged, withComments: { enum: ['true', 'false'] } }),
  [`GET ${pull}/activities`]: read(page(ref('activity')), paged),
  [`GET ${pull}/review`]: read(page(ref('comment')), paged),
  [`POST ${pull}/comments`]: write(201, ref('comment'), sentComment),
  [`GET ${comment}`]: read(ref('comment')),
  [`PUT ${comment}`]: write(200, ref('comment'), sentComment),
  [`DELETE ${comment}`]: { ...write(204, null), query: { version: whole } },
  [`PUT ${comment.replace('/api', '/comment-likes')}/reactions/{emoticon}`]: write(200, null, object({})),
  [`GET ${commit}/merge-base`]: {
    ...read(object({ id: sha, displayId: text }), { otherCommitId: sha }),
    answers: { '200': object({ id: sha, displayId: text }), '204': null },
  },
  [`GET ${commit}/builds`]: read(ref('build'), { key: text }),
  [`POST ${commit}/builds`]: write(204, null, sentBuild),
}

export const publishedBitbucketDc: Published = { operations, definitions }
