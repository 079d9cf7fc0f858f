/**
 * The REST API of Bitbucket Cloud as far as it is used, from its reference: the description that Atlassian serves is under no
 * licence that would let this repository pass it on.
 */

import type { OperationSchemas, Published } from '../openapi.ts'
import { list, object, orNull, ref, type Schema, text, whole, yes } from '../schemas.ts'

const uuid: Schema = { type: 'string', pattern: '^\\{[0-9a-f-]{36}\\}$' }
/** Commits in pull requests have twelve digits. */
const short: Schema = { type: 'string', pattern: '^[0-9a-f]{12}$' }
const sha: Schema = { type: 'string', pattern: '^[0-9a-f]{40}$' }
const content = object({ raw: text, markup: { enum: ['markdown', 'creole', 'plaintext'] }, html: text })
const line: Schema = orNull({ type: 'integer', minimum: 1 })
const page = (items: Schema) =>
  object({
    'size?': whole,
    'page?': whole,
    'pagelen?': whole,
    'next?': text,
    'previous?': text,
    values: list(items),
  })

const definitions: Record<string, Schema> = {
  error: object({
    type: { enum: ['error'] },
    error: object({ message: text, 'detail?': {}, 'data?': {} }),
  }),
  account: object({ type: text, uuid, display_name: text, 'nickname?': text, 'account_id?': text }),
  repository: object({ type: text, uuid, full_name: text, name: text, 'is_private?': yes }),
  end: object({
    branch: object({ name: text }),
    commit: orNull(object({ type: text, hash: short })),
    repository: orNull(ref('repository')),
  }),
  pull: object({
    type: text,
    id: whole,
    title: text,
    description: text,
    state: { enum: ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'] },
    draft: yes,
    author: orNull(ref('account')),
    source: ref('end'),
    destination: ref('end'),
    comment_count: whole,
    created_on: text,
    updated_on: text,
  }),
  comment: object({
    type: text,
    id: whole,
    created_on: text,
    updated_on: text,
    content,
    user: orNull(ref('account')),
    deleted: yes,
    pending: yes,
    'parent?': object({ id: whole }),
    'inline?': object({
      path: text,
      ...{ from: line, to: line, 'start_from?': line, 'start_to?': line, 'outdated?': yes },
    }),
    'resolution?': orNull(ref('resolution')),
    pullrequest: object({ type: text, id: whole, title: text }),
  }),
  resolution: object({ type: text, user: ref('account'), created_on: text }),
  commit: object({ type: text, hash: sha, message: text, date: text }),
  status: object({
    type: text,
    key: text,
    state: { enum: ['FAILED', 'INPROGRESS', 'STOPPED', 'SUCCESSFUL'] },
    name: text,
    description: text,
    url: text,
    refname: orNull(text),
    created_on: text,
    updated_on: text,
  }),
  diffstat: object({
    type: text,
    status: { enum: ['added', 'removed', 'modified', 'renamed'] },
    lines_added: whole,
    lines_removed: whole,
    old: orNull(object({ type: text, path: text })),
    new: orNull(object({ type: text, path: text })),
  }),
  permission: object({ type: text, permission: { enum: ['admin', 'write', 'read'] }, user: ref('account') }),
}

/** What may be sent of a comment; only these are written, whatever else the reference lists. */
const sentComment = object({
  content: object({ raw: { type: 'string', minLength: 1, maxLength: 32_768 } }),
  'parent?': object({ id: whole }),
  'inline?': object({ path: text, 'from?': line, 'to?': line, 'start_from?': line, 'start_to?': line }),
})

const pages = { page: whole, pagelen: { type: 'integer', minimum: 1, maximum: 100 } }
const read = (answer: Schema | null, query: Record<string, Schema> = {}): OperationSchemas => ({
  ...{ query, body: null },
  answers: { '200': answer, '302': null },
})
const write = (status: number, body: Schema | null, answer: Schema | null): OperationSchemas => ({
  ...{ query: {}, body },
  answers: { [status]: answer },
})

const repository = '/repositories/{workspace}/{repo_slug}'
const pull = `${repository}/pullrequests/{pull_request_id}`
const comment = `${pull}/comments/{comment_id}`
const commit = `${repository}/commit/{commit}`

const operations: Published['operations'] = {
  'GET /user': read(ref('account')),
  'GET /workspaces/{workspace}/permissions/repositories/{repo_slug}': read(page(ref('permission')), {
    ...{ ...pages, q: text, sort: text },
  }),
  [`GET ${repository}`]: read(ref('repository')),
  [`GET ${repository}/pullrequests`]: read(page(ref('pull')), {
    ...{ page: whole, pagelen: { type: 'integer', minimum: 1, maximum: 50 }, q: text, sort: text },
    state: { enum: ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'] },
  }),
  [`GET ${pull}`]: read(ref('pull')),
  [`GET ${pull}/commits`]: read(page(ref('commit')), pages),
  [`GET ${pull}/diff`]: read(null),
  [`GET ${pull}/diffstat`]: read(page(ref('diffstat')), pages),
  [`GET ${repository}/diff/{spec}`]: read(null, { from_pullrequest_id: whole, topic: yes }),
  [`GET ${repository}/diffstat/{spec}`]: read(page(ref('diffstat')), {
    ...{ from_pullrequest_id: whole, topic: yes, page: whole },
    pagelen: { type: 'integer', minimum: 1, maximum: 500 },
  }),
  [`GET ${pull}/comments`]: read(page(ref('comment')), { ...pages, q: text, sort: text }),
  [`POST ${pull}/comments`]: write(201, sentComment, ref('comment')),
  [`GET ${comment}`]: read(ref('comment')),
  [`PUT ${comment}`]: write(200, sentComment, ref('comment')),
  [`DELETE ${comment}`]: write(204, null, null),
  [`POST ${comment}/resolve`]: write(200, null, ref('resolution')),
  [`GET ${commit}`]: read(ref('commit')),
  [`GET ${repository}/merge-base/{spec}`]: read(ref('commit')),
  [`GET ${commit}/statuses/build/{key}`]: read(ref('status')),
  [`POST ${commit}/statuses/build`]: write(
    201,
    object({
      key: { type: 'string', minLength: 1, maxLength: 40 },
      state: { enum: ['FAILED', 'INPROGRESS', 'STOPPED', 'SUCCESSFUL'] },
      url: { type: 'string', pattern: '^https?://' },
      'name?': { type: 'string', maxLength: 255 },
      'description?': { type: 'string', maxLength: 255 },
      'refname?': text,
    }),
    ref('status'),
  ),
}

export const publishedBitbucket: Published = { operations, definitions }
