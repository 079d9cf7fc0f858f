/**
 * GitLab's REST API as far as it is used, from the attribute tables of its documentation: its OpenAPI description is
 * published under CC BY-SA, which this repository could not pass on with its own code, and gives notes as plain objects.
 */
import type { OperationSchemas, Published } from '../openapi.ts'
import { list, object, orNull, ref, type Schema, text, whole, yes } from '../schemas.ts'

const time = text

const sha: Schema = { type: 'string', pattern: '^[0-9a-f]{40}$' }
const lineCode: Schema = { type: 'string', pattern: '^[0-9a-f]{40}_\\d+_\\d+$' }
const rangeEnd = object({
  line_code: lineCode,
  type: { type: ['string', 'null'], enum: ['new', 'old', null] },
  'old_line?': orNull(whole),
  'new_line?': orNull(whole),
})
const lineRange = object({ start: rangeEnd, end: rangeEnd })

const definitions: Record<string, Schema> = {
  user: object({
    id: whole,
    username: text,
    name: text,
    state: text,
    avatar_url: orNull(text),
    web_url: text,
  }),
  currentUser: object({ id: whole, username: text, name: text, state: text, web_url: text, 'bot?': yes }),
  diffRefs: object({ base_sha: sha, head_sha: sha, start_sha: sha }),
  position: object({
    base_sha: sha,
    start_sha: sha,
    head_sha: sha,
    position_type: { type: 'string', enum: ['text', 'image', 'file'] },
    'new_path?': text,
    'old_path?': text,
    'new_line?': orNull(whole),
    'old_line?': orNull(whole),
    'line_range?': orNull(lineRange),
  }),
  note: object({
    id: whole,
    type: { type: ['string', 'null'], enum: ['DiffNote', 'DiscussionNote', null] },
    body: text,
    author: ref('user'),
    created_at: time,
    updated_at: time,
    system: yes,
    noteable_id: whole,
    noteable_type: text,
    noteable_iid: orNull(whole),
    project_id: whole,
    resolvable: yes,
    'resolved?': yes,
    'resolved_by?': orNull(ref('user')),
    'position?': ref('position'),
    confidential: yes,
    internal: yes,
  }),
  discussion: object({ id: text, individual_note: yes, notes: list(ref('note')) }),
  draft: object({
    id: whole,
    author_id: whole,
    merge_request_id: whole,
    resolve_discussion: yes,
    discussion_id: orNull(text),
    note: text,
    commit_id: orNull(text),
    line_code: orNull(text),
    position: object({ position_type: text }),
  }),
  project: object({
    id: whole,
    name: text,
    path: text,
    path_with_namespace: text,
    visibility: { type: 'string', enum: ['private', 'internal', 'public'] },
    default_branch: orNull(text),
    http_url_to_repo: text,
    web_url: text,
    namespace: object({ id: whole, kind: text, full_path: text }),
    'forked_from_project?': object({ id: whole }),
  }),
  mergeRequest: object({
    references: object({ short: text, relative: text, full: text }),
    id: whole,
    iid: whole,
    project_id: whole,
    title: text,
    description: orNull(text),
    state: { type: 'string', enum: ['opened', 'closed', 'locked', 'merged'] },
    author: ref('user'),
    assignees: list(ref('user')),
    reviewers: list(ref('user')),
    labels: list(text),
    draft: yes,
    source_branch: text,
    target_branch: text,
    source_project_id: orNull(whole),
    target_project_id: whole,
    sha: orNull(sha),
    diff_refs: orNull(ref('diffRefs')),
    merge_status: text,
    created_at: time,
    updated_at: time,
    web_url: text,
    user_notes_count: whole,
    changes_count: orNull(text),
  }),
  commit: object({
    id: sha,
    title: text,
    message: text,
    author_name: text,
    author_email: text,
    committer_name: text,
    committer_email: text,
    parent_ids: list(sha),
    created_at: time,
    web_url: text,
  }),
  diff: object({
    old_path: text,
    new_path: text,
    a_mode: text,
    b_mode: text,
    diff: text,
    new_file: yes,
    renamed_file: yes,
    deleted_file: yes,
    collapsed: yes,
    too_large: yes,
  }),
  issue: object({
    id: whole,
    iid: whole,
    project_id: whole,
    title: text,
    description: orNull(text),
    state: { type: 'string', enum: ['opened', 'closed'] },
    labels: list(text),
    author: ref('user'),
    web_url: text,
    created_at: time,
    references: object({ short: text, relative: text, full: text }),
  }),
  status: object({
    id: whole,
    sha,
    ref: orNull(text),
    status: text,
    name: text,
    target_url: orNull(text),
    description: orNull(text),
    created_at: time,
    author: ref('user'),
  }),
  member: object({ id: whole, username: text, name: text, state: text, access_level: whole, web_url: text }),
}

const award = object({ id: whole, name: text, user: ref('user'), awardable_id: whole, awardable_type: text })
const pages = { page: whole, per_page: whole }
const read = (answer: Schema, query: Record<string, Schema> = {}): OperationSchemas => ({
  query,
  body: null,
  answers: { '200': answer, '301': null },
})
const write = (status: number, body: Schema | null, answer: Schema | null): OperationSchemas => ({
  query: {},
  body,
  answers: { [status]: answer },
})

const project = '/projects/{id}'
const change = `${project}/merge_requests/{iid}`
const notes = `${change}/notes`
const discussions = `${change}/discussions`
const drafts = `${change}/draft_notes`

const operations: Published['operations'] = {
  'GET /user': read(ref('currentUser')),
  'GET /users/{user_id}': read(ref('currentUser')),
  'GET /personal_access_tokens/self': read(
    object({
      ...{ id: whole, name: text, revoked: yes, created_at: time, scopes: list(text), user_id: whole },
      ...{ active: yes, expires_at: orNull(text), last_used_at: orNull(text) },
    }),
  ),
  [`GET ${project}`]: read(ref('project')),
  [`GET ${project}/members/all/{user_id}`]: read(ref('member')),
  [`GET ${project}/issues`]: read(list(ref('issue')), { ...pages, state: text, order_by: text }),
  [`GET ${project}/issues/{issue_iid}`]: read(ref('issue')),
  [`GET ${project}/merge_requests`]: read(list(ref('mergeRequest')), {
    ...pages,
    state: text,
    order_by: text,
    sort: text,
  }),
  [`GET ${change}`]: read(ref('mergeRequest')),
  [`GET ${change}/diffs`]: read(list(ref('diff')), { ...pages, unidiff: yes }),
  [`GET ${change}/closes_issues`]: read(list(ref('issue')), pages),
  [`GET ${notes}`]: read(list(ref('note')), { ...pages, sort: text, order_by: text }),
  [`POST ${notes}`]: write(201, object({ body: text, 'internal?': yes }), ref('note')),
  [`GET ${notes}/{note_id}`]: read(ref('note')),
  [`GET ${notes}/{note_id}/award_emoji`]: read(list(award), pages),
  [`POST ${notes}/{note_id}/award_emoji`]: write(201, object({ name: text }), award),
  [`GET ${change}/award_emoji`]: read(list(award), pages),
  [`POST ${change}/award_emoji`]: write(201, object({ name: text }), award),
  [`DELETE ${change}/award_emoji/{award_id}`]: write(204, null, null),
  [`PUT ${notes}/{note_id}`]: write(200, object({ body: text }), ref('note')),
  [`GET ${discussions}`]: read(list(ref('discussion')), pages),
  [`POST ${discussions}`]: write(
    201,
    object({ body: text, 'commit_id?': text, 'position?': ref('position') }),
    ref('discussion'),
  ),
  [`PUT ${discussions}/{discussion_id}`]: write(200, object({ resolved: yes }), ref('discussion')),
  [`POST ${discussions}/{discussion_id}/notes`]: write(201, object({ body: text }), ref('note')),
  [`GET ${drafts}`]: read(list(ref('draft')), pages),
  [`POST ${drafts}`]: write(
    201,
    object({
      note: text,
      'commit_id?': text,
      'position?': ref('position'),
    }),
    ref('draft'),
  ),
  [`DELETE ${drafts}/{draft_id}`]: write(204, null, null),
  [`PUT ${drafts}/{draft_id}/publish`]: write(204, null, null),
  [`POST ${drafts}/bulk_publish`]: write(204, object({}), null),
  [`GET ${project}/repository/commits/{sha}/statuses`]: read(list(ref('status')), {
    ...pages,
    ref: text,
    stage: text,
    name: text,
    pipeline_id: whole,
    all: yes,
  }),
  [`GET ${project}/repository/merge_base`]: read(ref('commit'), { 'refs[]': text }),
  [`GET ${project}/repository/commits/{sha}/merge_requests`]: read(list(ref('mergeRequest')), pages),
  [`POST ${project}/statuses/{sha}`]: write(
    201,
    object({
      state: { type: 'string', enum: ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] },
      'ref?': text,
      'name?': text,
      'context?': text,
      'target_url?': text,
      'description?': text,
      'coverage?': { type: 'number' },
      'pipeline_id?': whole,
    }),
    ref('status'),
  ),
}

export const publishedGitLab: Published = { operations, definitions }
