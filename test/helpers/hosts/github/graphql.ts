/**
 * The part of GitHub's GraphQL API that has no REST: review threads, their state, and what a pull request closes. Queries
 * are checked by the reference implementation of GraphQL with GitHub's own type, field and argument names.
 */
import { buildSchema, type GraphQLError, graphql } from 'graphql'
import type { Change, HostedReview, Thread } from '../engine/change.ts'
import type { Issue, Note, Person, Project } from '../engine/world.ts'
import { canSee, demand, hasRole } from './access.ts'
import { association, type Renderer } from './render.ts'
import { type GitHubState, type Identity, Refusal } from './state.ts'

const schema = buildSchema(`
  scalar URI
  scalar DateTime
  scalar GitObjectID
  scalar BigInt
  enum DiffSide { LEFT RIGHT }
  enum PullRequestState { OPEN CLOSED MERGED }
  enum IssueState { OPEN CLOSED }
  enum PullRequestReviewState { PENDING COMMENTED APPROVED CHANGES_REQUESTED DISMISSED }
  enum PullRequestReviewThreadSubjectType { LINE FILE }
  enum CommentAuthorAssociation { MEMBER OWNER MANNEQUIN COLLABORATOR CONTRIBUTOR FIRST_TIME_CONTRIBUTOR FIRST_TIMER NONE }
  interface Node { id: ID! }
  interface Actor { login: String! url: URI! }
  type User implements Actor { id: ID! login: String! url: URI! databaseId: Int }
  type Bot implements Actor { id: ID! login: String! url: URI! databaseId: Int }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Commit { id: ID! oid: GitObjectID! }
  type Issue { id: ID! number: Int! title: String! body: String! state: IssueState! url: URI! repository: Repository! }
  type IssueConnection { nodes: [Issue] pageInfo: PageInfo! totalCount: Int! }
  enum ReactionContent { CONFUSED EYES HEART HOORAY LAUGH ROCKET THUMBS_DOWN THUMBS_UP }
  type Reaction { id: ID! databaseId: Int content: ReactionContent! createdAt: DateTime! user: User }
  type ReactionConnection { nodes: [Reaction] pageInfo: PageInfo! totalCount: Int! viewerHasReacted: Boolean! }
  type PullRequestReviewComment implements Node & Minimizable {
    minimizedReason: String
    reactions(first: Int, last: Int, after: String, before: String, content: ReactionContent): ReactionConnection!
    id: ID! databaseId: Int fullDatabaseId: BigInt body: String! author: Actor authorAssociation: CommentAuthorAssociation! path: String!
    line: Int originalLine: Int startLine: Int originalStartLine: Int outdated: Boolean! isMinimized: Boolean! url: URI!
    createdAt: DateTime! updatedAt: DateTime! lastEditedAt: DateTime viewerDidAuthor: Boolean! originalCommit: Commit diffHunk: String!
  }
  type PullRequestReviewCommentConnection { nodes: [PullRequestReviewComment] pageInfo: PageInfo! totalCount: Int! }
  type PullRequestReviewThread implements Node {
    id: ID! isResolved: Boolean! isOutdated: Boolean! isCollapsed: Boolean! path: String! line: Int originalLine: Int
    startLine: Int originalStartLine: Int diffSide: DiffSide! startDiffSide: DiffSide subjectType: PullRequestReviewThreadSubjectType!
    resolvedBy: User viewerCanResolve: Boolean! viewerCanUnresolve: Boolean! viewerCanReply: Boolean!
    comments(first: Int, last: Int, after: String, before: String): PullRequestReviewCommentConnection!
  }
  type PullRequestReviewThreadConnection { nodes: [PullRequestReviewThread] pageInfo: PageInfo! totalCount: Int! }
  type PullRequestReview {
    id: ID! databaseId: Int fullDatabaseId: BigInt body: String! state: PullRequestReviewState! author: Actor
    authorAssociation: CommentAuthorAssociation! viewerDidAuthor: Boolean! commit: Commit submittedAt: DateTime url: URI!
    createdAt: DateTime! lastEditedAt: DateTime
  }
  type PullRequestReviewConnection { nodes: [PullRequestReview] pageInfo: PageInfo! totalCount: Int! }
  type IssueComment {
    id: ID! databaseId: Int fullDatabaseId: BigInt body: String! author: Actor authorAssociation: CommentAuthorAssociation!
    createdAt: DateTime! lastEditedAt: DateTime viewerDidAuthor: Boolean! isMinimized: Boolean! url: URI!
  }
  type IssueCommentConnection { nodes: [IssueComment] pageInfo: PageInfo! totalCount: Int! }
  type PullRequest {
    id: ID! databaseId: Int fullDatabaseId: BigInt number: Int! title: String! body: String! state: PullRequestState! isDraft: Boolean!
    isCrossRepository: Boolean! author: Actor authorAssociation: CommentAuthorAssociation! url: URI! createdAt: DateTime! updatedAt: DateTime!
    headRefOid: GitObjectID! headRefName: String! baseRefOid: GitObjectID! baseRefName: String!
    comments(first: Int, last: Int, after: String, before: String): IssueCommentConnection!
    reviews(first: Int, last: Int, after: String, before: String, author: String): PullRequestReviewConnection
    reviewThreads(first: Int, last: Int, after: String, before: String): PullRequestReviewThreadConnection!
    closingIssuesReferences(first: Int, last: Int, after: String, before: String): IssueConnection
  }
  type Repository { id: ID! databaseId: Int name: String! nameWithOwner: String! isPrivate: Boolean! isFork: Boolean! url: URI! pullRequest(number: Int!): PullRequest }
  type Query {
    viewer: Actor!
    nodes(ids: [ID!]!): [Node]!
    repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
  }
  input ResolveReviewThreadInput { clientMutationId: String threadId: ID! }
  input AddPullRequestReviewThreadReplyInput { clientMutationId: String pullRequestReviewId: ID pullRequestReviewThreadId: ID! body: String! }
  enum ReportedContentClassifiers { SPAM ABUSE OFF_TOPIC OUTDATED DUPLICATE RESOLVED LOW_QUALITY }
  input MinimizeCommentInput { clientMutationId: String subjectId: ID! classifier: ReportedContentClassifiers! }
  interface Minimizable { isMinimized: Boolean! minimizedReason: String }
  type MinimizeCommentPayload { clientMutationId: String minimizedComment: Minimizable }
  type ResolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
  type AddPullRequestReviewThreadReplyPayload { clientMutationId: String comment: PullRequestReviewComment }
  type Mutation {
    minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload
    resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
    addPullRequestReviewThreadReply(input: AddPullRequestReviewThreadReplyInput!): AddPullRequestReviewThreadReplyPayload
  }
`)

export type GraphQLCall = {
  identity: Identity
  state: GitHubState
  render: Renderer
  violations: string[]
}

type PageArguments = { first?: number; last?: number; after?: string; before?: string }

/** The answer, always with status 200 once the body can be read. */
export async function answerGraphQL(call: GraphQLCall, body: unknown) {
  const { query, variables } = (body ?? {}) as { query?: unknown; variables?: Record<string, unknown> }
  if (typeof query !== 'string')
    throw new Refusal(400, 'A query attribute must be specified and must be a string.')
  const result = await graphql({
    schema,
    source: query,
    rootValue: roots(call),
    ...(variables ? { variableValues: variables } : {}),
  })
  const errors = result.errors?.map((error) => explain(call, error))
  return {
    status: 200,
    body: { ...(result.data === undefined ? {} : { data: result.data }), ...(errors ? { errors } : {}) },
  }
}

function explain(call: GraphQLCall, error: GraphQLError) {
  const cause = error.originalError
  const type = cause instanceof Refused ? cause.type : cause instanceof Refusal ? 'FORBIDDEN' : undefined
  // A query that GitHub would not understand is a fault of ours, and so is a crash of this fake.
  if (type === undefined) call.violations.push(`GraphQL: ${error.message}`)
  return { ...(type ? { type } : {}), message: error.message, path: error.path, locations: error.locations }
}

class Refused extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

function roots(call: GraphQLCall) {
  const { state, identity } = call
  const show = new Shapes(call)
  const threadOf = (id: string) => {
    for (const change of state.world.projects.flatMap(({ changes }) => [...changes.values()]))
      for (const thread of change.threads)
        if (`PRRT_${thread.id}` === id && canSee(identity, change.project)) return { change, thread }
    throw new Refused('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`)
  }
  const commentOf = (id: string) => {
    for (const change of state.world.projects.flatMap(({ changes }) => [...changes.values()]))
      for (const thread of change.threads)
        for (const note of thread.notes) if (`PRRC_${note.id}` === id) return { change, thread, note }
    throw new Refused('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`)
  }
  const writer = (project: Project): Person => {
    demand(identity, project, 'pull_requests', 'write')
    if (!identity.person) throw new Refusal(401, 'Requires authentication')
    return identity.person
  }
  const settle = (id: string) => {
    const { change, thread } = threadOf(id)
    const who = writer(change.project)
    // Odd, and so on the real host too: of a program it asks for write access to the contents.
    if (identity.kind !== 'classic') demand(identity, change.project, 'contents', 'write')
    else if (change.author !== who && !hasRole(change.project, who.login, 'write'))
      throw new Refusal(403, `${who.login} does not have permission to resolve this thread.`)
    if (thread.notes[0] && thread.notes[0].author !== who)
      call.violations.push(`A thread of ${thread.notes[0].author.login} is resolved by ${who.login}`)
    change.resolve(thread, who.login)
    return { thread: show.thread(change, thread) }
  }
  const own = (project: Project, note: Note) => {
    if (writer(project) === note.author) return
    call.violations.push(`A comment of ${note.author.login} is touched`)
    throw new Refusal(403, 'Must have admin rights to Repository.')
  }
  return {
    viewer: () => {
      if (!identity.person) throw new Refused('FORBIDDEN', 'Resource not accessible by integration')
      return show.actor(identity.person)
    },
    nodes: ({ ids }: { ids: string[] }) => {
      if (ids.length > 100)
        throw new Refused('ARGUMENT_LIMIT', 'You may not provide more than 100 node ids; you provided more.')
      return ids.map((id) => {
        const { change, thread } = threadOf(id)
        demand(identity, change.project, 'pull_requests', 'read')
        return { __typename: 'PullRequestReviewThread', ...show.thread(change, thread) }
      })
    },
    repository: ({ owner, name, followRenames }: { owner: string; name: string; followRenames: boolean }) => {
      const found = state.world.find(`${owner}/${name}`)
      if (!found || (found.isFormer && !followRenames) || !canSee(identity, found.project))
        throw new Refused('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`)
      demand(identity, found.project, 'metadata', 'read')
      return show.repository(found.project)
    },
    minimizeComment: ({ input }: { input: { subjectId: string } }) => {
      const { change, thread, note } = commentOf(input.subjectId)
      own(change.project, note)
      state.minimized.add(note.id)
      return {
        minimizedComment: {
          __typename: 'PullRequestReviewComment',
          ...show.comment(change, thread, note),
          minimizedReason: 'resolved',
        },
      }
    },
    resolveReviewThread: ({ input }: { input: { threadId: string } }) => settle(input.threadId),
    addPullRequestReviewThreadReply: ({
      input,
    }: {
      input: { pullRequestReviewThreadId: string; body: string }
    }) => {
      const { change, thread } = threadOf(input.pullRequestReviewThreadId)
      const who = writer(change.project)
      if (input.body.trim() === '' || input.body.length > 65_536)
        throw new Refused('UNPROCESSABLE', 'Body is too long or blank')
      const { world } = change.project
      const review: HostedReview = {
        ...{ id: world.nextId(), author: who, body: '', state: 'COMMENTED', commit: change.head },
        submittedAt: world.stamp(),
      }
      change.reviews.push(review)
      const note = change.addNote(who, input.body, review.id)
      thread.notes.push(note)
      return { comment: show.comment(change, thread, note) }
    },
  }
}

/** Records in the shapes of the schema; what costs something is a function, run when it is asked for. */
class Shapes {
  private readonly call: GraphQLCall

  constructor(call: GraphQLCall) {
    this.call = call
  }

  actor(person: Person) {
    const { html_url: url } = this.call.render.user(person)
    const login = person.login.replace(/\[bot\]$/, '')
    return {
      __typename: person.isBot ? 'Bot' : 'User',
      id: `U_${person.id}`,
      databaseId: person.id,
      login,
      url,
    }
  }

  repository(project: Project) {
    const { html_url: url } = this.call.render.repository(project)
    return {
      ...{
        id: `R_${project.id}`,
        databaseId: project.id,
        name: project.name,
        nameWithOwner: project.fullName,
        url,
      },
      ...{ isPrivate: project.isPrivate, isFork: project.forkOf !== null },
      pullRequest: ({ number }: { number: number }) => {
        const change = project.changes.get(number)
        if (!change)
          throw new Refused('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`)
        demand(this.call.identity, project, 'pull_requests', 'read')
        return this.pull(change)
      },
    }
  }

  pull(change: Change) {
    const { project } = change
    const { html_url: url } = this.call.render.pullSimple(change)
    const viewer = this.call.identity.person
    return {
      ...{
        id: `PR_${change.id}`,
        databaseId: change.id,
        fullDatabaseId: String(change.id),
        number: change.number,
        url,
      },
      ...{
        title: change.title,
        body: change.body,
        state: change.state.toUpperCase(),
        isDraft: change.isDraft,
      },
      isCrossRepository: change.from !== project,
      author: this.actor(change.author),
      authorAssociation: association(project, change.author),
      ...{ createdAt: change.createdAt, updatedAt: change.updatedAt },
      ...{
        headRefOid: change.head,
        headRefName: change.branch,
        baseRefOid: change.baseHead,
        baseRefName: change.base,
      },
      comments: (by: PageArguments) =>
        connection(by, change.comments, (note) => this.issueComment(change, note)),
      reviews: (by: PageArguments) =>
        connection(
          by,
          change.reviews.filter((one) => one.state !== 'PENDING' || one.author === viewer),
          (review) => this.review(change, review),
        ),
      reviewThreads: (by: PageArguments) =>
        connection(by, change.threads, (thread) => this.thread(change, thread)),
      closingIssuesReferences: (by: PageArguments) =>
        connection(by, closedBy(change), (issue) => this.issue(project, issue)),
    }
  }

  thread(change: Change, thread: Thread): object {
    const { id, path, anchor, resolvedBy, notes } = thread
    const today = change.placeOf(thread)
    const side = (name: string | undefined) => (name === 'old' ? 'LEFT' : 'RIGHT')
    const isMany = anchor !== null && anchor.startLine !== anchor.line
    return {
      ...{ id: `PRRT_${id}`, path, isResolved: resolvedBy !== null, isCollapsed: resolvedBy !== null },
      isOutdated: anchor !== null && today === null,
      ...{ line: today?.line ?? null, originalLine: anchor?.line ?? null },
      ...{
        startLine: isMany && today ? today.startLine : null,
        originalStartLine: isMany ? anchor.startLine : null,
      },
      ...{ diffSide: side(anchor?.side), startDiffSide: isMany ? side(anchor.startSide) : null },
      subjectType: anchor ? 'LINE' : 'FILE',
      resolvedBy: resolvedBy && this.actor(resolvedBy),
      ...{
        viewerCanResolve: resolvedBy === null,
        viewerCanUnresolve: resolvedBy !== null,
        viewerCanReply: true,
      },
      comments: (by: PageArguments) => connection(by, notes, (note) => this.comment(change, thread, note)),
    }
  }

  comment(change: Change, thread: Thread, note: Note): object {
    const shown = this.call.render.reviewComment(change, thread, note)
    return {
      ...{
        id: shown.node_id,
        databaseId: note.id,
        fullDatabaseId: String(note.id),
        body: note.body,
        url: shown.html_url,
      },
      author: this.actor(note.author),
      authorAssociation: shown.author_association,
      ...{
        path: thread.path,
        line: shown.line,
        originalLine: shown.original_line,
        diffHunk: thread.diffHunk,
      },
      ...{ startLine: shown.start_line, originalStartLine: shown.original_start_line },
      outdated: thread.anchor !== null && shown.line === null,
      isMinimized: this.call.state.minimized.has(note.id),
      ...this.times(note),
      viewerDidAuthor: note.author === this.call.identity.person,
      originalCommit: { id: `C_${thread.commit}`, oid: thread.commit },
      reactions: (by: PageArguments) => this.reactions(by, note),
    }
  }

  review(change: Change, review: HostedReview) {
    const { html_url: url } = this.call.render.review(change, review)
    return {
      ...{
        id: `PRR_${review.id}`,
        databaseId: review.id,
        fullDatabaseId: String(review.id),
        body: review.body,
        url,
      },
      ...{
        state: review.state,
        submittedAt: review.submittedAt,
        createdAt: review.submittedAt ?? change.updatedAt,
      },
      lastEditedAt: null,
      author: this.actor(review.author),
      authorAssociation: association(change.project, review.author),
      viewerDidAuthor: review.author === this.call.identity.person,
      commit: { id: `C_${review.commit}`, oid: review.commit },
    }
  }

  private issueComment(change: Change, note: Note) {
    const { html_url: url } = this.call.render.issueComment(change.project, change.number, note)
    return {
      ...{ id: `IC_${note.id}`, databaseId: note.id, fullDatabaseId: String(note.id), body: note.body, url },
      author: this.actor(note.author),
      authorAssociation: association(change.project, note.author),
      ...this.times(note),
      viewerDidAuthor: note.author === this.call.identity.person,
      isMinimized: false,
    }
  }

  private issue(project: Project, issue: Issue) {
    const { html_url: url } = this.call.render.issue(project, issue)
    return {
      ...{ id: `I_${issue.number}`, number: issue.number, title: issue.title, body: issue.body, url },
      state: issue.state.toUpperCase(),
      repository: () => this.repository(project),
    }
  }

  /** A reaction of an App has no user: the type of the field is User, and a Bot is none. */
  private reactions(by: PageArguments, note: Note) {
    const all = this.call.state.reactions.filter((one) => one.note === note.id)
    const names: Readonly<Record<string, string>> = { '+1': 'THUMBS_UP', '-1': 'THUMBS_DOWN' }
    return {
      viewerHasReacted: all.some(({ login }) => login === this.call.identity.person?.login),
      ...connection(by, all, ({ login, content }) => {
        const who = this.call.state.world.people.get(login)
        return {
          ...{ id: `REA_${note.id}_${login}_${content}`, createdAt: note.createdAt },
          content: names[content] ?? content.toUpperCase(),
          user: who && !who.isBot ? this.actor(who) : null,
        }
      }),
    }
  }

  private times({ createdAt, updatedAt }: Note) {
    return { createdAt, updatedAt, lastEditedAt: updatedAt === createdAt ? null : updatedAt }
  }
}

/** `first` or `last` has to be given, from 1 to 100. */
function connection<T>(
  { first, last, after, before }: PageArguments,
  all: readonly T[],
  show: (one: T) => unknown,
) {
  const size = first ?? last
  if (size === undefined)
    throw new Refused(
      'MISSING_PAGINATION_BOUNDARIES',
      'You must provide a `first` or `last` value to properly paginate the connection.',
    )
  if (size < 0 || size > 100)
    throw new Refused(
      'EXCESSIVE_PAGINATION',
      `Requesting ${size} records on the connection exceeds the limit of 100 records.`,
    )
  const from = after ? Number(Buffer.from(after, 'base64').toString('utf8').replace('cursor:', '')) : 0
  const until = before
    ? Number(Buffer.from(before, 'base64').toString('utf8').replace('cursor:', '')) - 1
    : all.length
  const start = first === undefined ? Math.max(from, until - size) : from
  const end = first === undefined ? until : Math.min(until, from + size)
  const cursor = (index: number) => Buffer.from(`cursor:${index}`).toString('base64')
  return {
    nodes: all.slice(start, end).map(show),
    totalCount: all.length,
    pageInfo: {
      hasNextPage: end < all.length,
      hasPreviousPage: start > 0,
      startCursor: end > start ? cursor(start + 1) : null,
      endCursor: end > start ? cursor(end) : null,
    },
  }
}

/** By the words that GitHub knows: `Fixes #12`. */
function closedBy({ body, project }: Change): Issue[] {
  const numbers = [
    ...body.matchAll(/\b(?:close|closes|closed|fix|fixes|fixed|resolve|resolves|resolved):? #(\d+)/gi),
  ]
  return numbers.flatMap(([, number]) => project.issues.get(Number(number)) ?? [])
}
