/**
 * Each kind of host as it is connected with one token: how its fake is begun, how its account is named and what it may do, what its
 * webhooks say, and what it shows of our work.
 */
import { createHmac, randomUUID } from 'node:crypto'
import type { BuiltInHostKind } from '../../../src/domain/host-kind.ts'
import type { FakeHost } from '../../contracts/host-setup.ts'
import { showPull as showAzurePull } from '../hosts/azure/render.ts'
import { startAzure } from '../hosts/azure/server.ts'
import { showPull, showRepository } from '../hosts/bitbucket/render.ts'
import { startBitbucket } from '../hosts/bitbucket/server.ts'
import { showPull as showDcPull, showNote } from '../hosts/bitbucket-dc/render.ts'
import { startBitbucketDc } from '../hosts/bitbucket-dc/server.ts'
import type { Change, Thread } from '../hosts/engine/change.ts'
import type { LogEntry } from '../hosts/engine/server.ts'
import type { Note, Project, Role } from '../hosts/engine/world.ts'
import { startForgejo } from '../hosts/forgejo/server.ts'
import { Renderer } from '../hosts/github/render.ts'
import { startGitHub } from '../hosts/github/server.ts'
import { startGitLab } from '../hosts/gitlab/server.ts'

/** `isEnded`: it waits for nothing more. `isPassed`: a branch rule that requires it lets the change be merged. */
export type ShownCheck = { title: string; isEnded: boolean; isPassed: boolean; text: string }

/** A note is one of the change, of its conversation or of a thread. */
export type HostEvent = { change: Change } & (
  | { action: 'opened' | 'pushed' | 'closed' }
  | { note: Note; thread: Thread | null }
)

export type Delivery = { headers: Readonly<Record<string, string>>; body: object }

/** What the token and its account may do. */
export type Account = { scopes?: readonly string[]; role?: Role }

export type TokenHost = {
  readonly fake: FakeHost & { readonly log: readonly LogEntry[] }
  /** Of the account with all rights that we ask for. */
  readonly role: Role
  /** What its projects belong to, in an organization of that name. */
  ownerIn(organization: string): string
  addToken(login: string, scopes?: Account['scopes']): string
  /** A token of an account of its own, where the host makes one for each. */
  addProjectToken?(project: Project, account?: Account): string
  limitWrites(seconds: number): void
  deliveryOf(event: HostEvent): Delivery
  /** Headers that say whose a body is. */
  sign(body: string, secret: string): Readonly<Record<string, string>>
  /** Null while the commit has none. */
  check(change: Change, commit: string): ShownCheck | null
  isClosed(thread: Thread): boolean
  /** Answers to comments of the conversation, where these are threads and not comments beside it. */
  answers?(): readonly Note[]
  /** Somebody likes a comment, where the host has reactions. */
  like?(login: string, note: number): void
}

const startOf: Readonly<Record<BuiltInHostKind, () => Promise<TokenHost>>> = {
  ...{ github: startGitHubByToken, gitlab: startGitLabByToken, forgejo: startForgejoByToken },
  ...{ bitbucket: startBitbucketByToken, 'bitbucket-dc': startBitbucketDcByToken, azure: startAzureByToken },
}

export async function startTokenHost(kind: BuiltInHostKind): Promise<TokenHost> {
  return await startOf[kind]()
}

/** Sends a webhook; resolves to the status of the answer, or rejects without one. */
export async function sendDelivery(
  host: Pick<TokenHost, 'deliveryOf' | 'sign'>,
  event: HostEvent,
  to: { url: string; secret: string },
): Promise<number> {
  const { headers, body } = host.deliveryOf(event)
  const text = JSON.stringify(body)
  const sent = { 'content-type': 'application/json', ...headers, ...host.sign(text, to.secret) }
  const answer = await fetch(to.url, { method: 'POST', headers: sent, body: text })
  await answer.text()
  return answer.status
}

const hmac = (header: string, prefix: string) => (body: string, secret: string) => ({
  [header]: prefix + createHmac('sha256', secret).update(body).digest('hex'),
})

const timeIn = ({ project: { world } }: Change) => new Date(world.now()).toISOString()

const onWholeCommit = (name: string) => ({
  check: ({ project }: Change, commit: string) => statusOf(project, commit, name),
})

/** The newest status of this name on the commit. */
export function statusOf({ statuses }: Project, commit: string, name: string): ShownCheck | null {
  const status = statuses.findLast((one) => one.commit === commit && one.context === name)
  if (!status) return null
  const isEnded = !['pending', 'running', 'created'].includes(status.state)
  const title = status.description ?? ''
  return { title, isEnded, isPassed: status.state === 'success', text: title }
}

const isResolved = { isClosed: ({ resolvedBy }: Thread) => resolvedBy !== null }
const flat = { ownerIn: (organization: string) => organization }

/** With a webhook of the repository, which names no installation. */
async function startGitHubByToken(): Promise<TokenHost> {
  const fake = await startGitHub()
  const render = new Renderer(fake.apiUrl, fake.url)
  return {
    ...{ fake, role: 'write', sign: hmac('x-hub-signature-256', 'sha256='), ...flat },
    addToken: (login, scopes) => fake.state.addToken(login, scopes),
    limitWrites: (seconds) => fake.limits.beginSecondary(seconds),
    deliveryOf({ change, ...event }) {
      const { project, number } = change
      const updated_at = timeIn(change)
      const repository = render.repository(project)
      const of = (name: string, body: object) => ({
        headers: { 'x-github-event': name, 'x-github-delivery': randomUUID() },
        body: { repository, ...body },
      })
      if ('action' in event) {
        const action = { opened: 'opened', pushed: 'synchronize', closed: 'closed' }[event.action]
        return of('pull_request', { action, number, pull_request: { ...render.pull(change), updated_at } })
      }
      const { note, thread } = event
      if (thread) {
        const comment = { ...render.reviewComment(change, thread, note), updated_at }
        return of('pull_request_review_comment', { action: 'created', pull_request: { number }, comment })
      }
      const comment = { ...render.issueComment(project, number, note), updated_at }
      return of('issue_comment', { action: 'created', issue: { number, pull_request: {} }, comment })
    },
    ...onWholeCommit('Sightline'),
    isClosed: ({ resolvedBy, firstNote }) => resolvedBy !== null || fake.state.minimized.has(firstNote),
  }
}

async function startGitLabByToken(): Promise<TokenHost> {
  const fake = await startGitLab()
  type Scopes = Parameters<typeof fake.state.addToken>[1]
  return {
    ...{ fake, role: 'write', sign: (_, secret) => ({ 'x-gitlab-token': secret }), ...flat },
    addToken: (login, scopes) => fake.state.addToken(login, scopes as Scopes),
    addProjectToken: (project, account) =>
      fake.state.addProjectToken(project, account?.scopes as Scopes, account?.role),
    limitWrites: (seconds) => fake.state.beginLimit(seconds),
    deliveryOf({ change, ...event }) {
      const { project, number: iid, head: id } = change
      const updated_at = timeIn(change)
      const of = (body: object) => ({
        headers: { 'x-gitlab-event-uuid': randomUUID() },
        body: { project: { id: project.id, path_with_namespace: project.fullName }, ...body },
      })
      if ('action' in event) {
        const action = { opened: 'open', pushed: 'update', closed: 'close' }[event.action]
        const oldrev = event.action === 'pushed' ? { oldrev: 'a'.repeat(40) } : {}
        const attributes = { iid, action, ...oldrev, last_commit: { id }, updated_at }
        return of({ object_kind: 'merge_request', object_attributes: attributes })
      }
      const type = event.thread ? 'DiffNote' : null
      const noted = { id: event.note.id, action: 'create', type, updated_at }
      return of({ object_kind: 'note', merge_request: { iid }, object_attributes: noted })
    },
    like: (login, note) => fake.state.emoji.push({ id: fake.world.nextId(), note, login, name: 'thumbsup' }),
    ...{ ...onWholeCommit('sightline'), ...isResolved },
  }
}

async function startForgejoByToken(): Promise<TokenHost> {
  const fake = await startForgejo()
  return {
    ...{ fake, role: 'admin', sign: hmac('x-forgejo-signature', ''), ...flat },
    addToken: (login, scopes) => fake.addToken(login, scopes),
    limitWrites: (seconds) => fake.beginLimit(seconds),
    deliveryOf({ change, ...event }) {
      const { project, number, head: sha } = change
      const updated_at = timeIn(change)
      const of = (name: string, body: object) => ({
        headers: { 'x-forgejo-event': name, 'x-forgejo-delivery': randomUUID() },
        body: { ...body, repository: { id: project.id, full_name: project.fullName } },
      })
      if ('action' in event) {
        const action = { opened: 'opened', pushed: 'synchronized', closed: 'closed' }[event.action]
        return of('pull_request', { action, number, pull_request: { head: { sha }, updated_at } })
      }
      const comment = { id: event.note.id, updated_at }
      const issue = { number, pull_request: {} }
      return of('issue_comment', { action: 'created', is_pull: true, issue, comment })
    },
    like: (login, note) => fake.reactions.push({ note, login, content: '+1' }),
    ...onWholeCommit('sightline'),
    isClosed: ({ notes }) => /^Fixed in [\s\S]*<details>/.test(notes[0]?.body ?? ''),
  }
}

async function startBitbucketByToken(): Promise<TokenHost> {
  const fake = await startBitbucket()
  return {
    ...{ fake, role: 'admin', sign: hmac('x-hub-signature', 'sha256='), ...flat },
    addToken: (login, scopes) => fake.addToken(login, scopes, `${login}@example.com`),
    limitWrites: (seconds) => fake.beginLimit(seconds),
    deliveryOf({ change, ...event }) {
      const now = timeIn(change)
      const of = (key: string, more: object) => ({
        headers: { 'x-event-key': key, 'x-request-uuid': randomUUID(), 'x-attempt-number': '1' },
        body: {
          repository: showRepository(change.project),
          pullrequest: { ...showPull(change), updated_on: now },
          ...more,
        },
      })
      if ('note' in event) {
        const comment = { id: event.note.id, created_on: now, ...(event.thread ? { inline: {} } : {}) }
        return of('pullrequest:comment_created', { comment })
      }
      const closed = change.state === 'merged' ? 'fulfilled' : 'rejected'
      return of(`pullrequest:${{ opened: 'created', pushed: 'updated', closed }[event.action]}`, {})
    },
    ...{ ...onWholeCommit('sightline'), ...isResolved },
  }
}

async function startBitbucketDcByToken(): Promise<TokenHost> {
  const fake = await startBitbucketDc()
  const { state } = fake
  return {
    ...{ fake, role: 'read', sign: hmac('x-hub-signature', 'sha256='), ...flat },
    addToken: (login, scopes) => fake.addToken(login, scopes),
    limitWrites: (seconds) => fake.beginLimit(seconds),
    deliveryOf({ change, ...event }) {
      const date = timeIn(change).replace(/\.\d+Z$/, '+0000')
      const of = (eventKey: string, more: object) => ({
        headers: { 'x-event-key': eventKey, 'x-request-id': randomUUID() },
        body: { eventKey, date, pullRequest: showDcPull(change), ...more },
      })
      if ('action' in event) {
        const closed = change.state === 'merged' ? 'merged' : 'declined'
        return of(`pr:${{ opened: 'opened', pushed: 'from_ref_updated', closed }[event.action]}`, {})
      }
      const talk = state.talks(change).find(({ notes }) => notes.includes(event.note))
      if (!talk) throw new Error('the note is in no thread')
      return of('pr:comment:added', { comment: showNote(change, talk, event.note, state) })
    },
    like: (login, note) =>
      state.reactions.push({ note, emoticon: 'thumbsup', person: fake.world.person(login) }),
    ...{ ...onWholeCommit('sightline'), ...isResolved },
    answers: () => [...state.replies.values()].flat(),
  }
}

async function startAzureByToken(): Promise<TokenHost> {
  const fake = await startAzure()
  return {
    ...{ fake, role: 'write', ownerIn: (organization) => `${organization}/Our web`, ...isResolved },
    sign: (_, secret) => ({ authorization: `Basic ${Buffer.from(`hooks:${secret}`).toString('base64')}` }),
    addToken: (login, scopes) => fake.addToken(login, scopes),
    limitWrites: (seconds) => fake.beginLimit(seconds),
    deliveryOf({ change, ...event }) {
      const pullRequest = showAzurePull(change, `${fake.url}/${change.project.owner.split('/')[0]}`)
      const of = (eventType: string, resource: object) => ({
        headers: {},
        body: { id: randomUUID(), eventType, publisherId: 'tfs', createdDate: timeIn(change), resource },
      })
      if ('note' in event) {
        const [thread, id] = fake.state.idOf(change, event.note.id).split('/')
        const self = { href: `${pullRequest.url}/threads/${thread}/comments/${id}` }
        const comment = { id: Number(id), content: event.note.body, commentType: 'text', _links: { self } }
        return of('ms.vss-code.git-pullrequest-comment-event', { comment, pullRequest })
      }
      return of(`git.pullrequest.${event.action === 'opened' ? 'created' : 'updated'}`, pullRequest)
    },
    like: (login, note) => fake.state.likes.push({ note, person: fake.world.person(login) }),
    check({ versions }, commit) {
      const status = fake.state.statuses.findLast(
        ({ context, iterationId }) =>
          context.name === 'review' && versions[(iterationId ?? 0) - 1]?.head === commit,
      )
      if (!status) return null
      const { description: title, state } = status
      return { title, isEnded: state !== 'pending', isPassed: state === 'succeeded', text: title }
    },
    answers: () => [...fake.state.replies.values()].flat(),
  }
}
