/** Webhooks of the fake GitHub's Apps: signed as GitHub signs them, sent over HTTP, kept in a log and sent again on demand. */
import { createHmac, randomUUID } from 'node:crypto'
import type { Change, Thread } from '../engine/change.ts'
import type { Note, Project } from '../engine/world.ts'
import { Renderer } from './render.ts'
import type { GitHubApp, GitHubState } from './state.ts'

type Json = { [key: string]: unknown }

export type HookDelivery = {
  readonly id: number
  readonly guid: string
  readonly app: GitHubApp
  readonly event: string
  readonly action: string | null
  readonly body: string
  readonly deliveredAt: string
  readonly isRedelivery: boolean
  readonly installationId: number
  readonly repositoryId: number | null
  /** 0 when nobody answered. */
  status: number
}

export class Hooks {
  /** Where the webhooks of an App go, and what signs them. */
  readonly targets = new Map<GitHubApp, { url: string; secret: string }>()
  /** Oldest first. */
  readonly log: HookDelivery[] = []
  /** True: the delivery gets lost on its way. */
  loses: (delivery: HookDelivery) => boolean = () => false
  private readonly state: GitHubState
  private readonly web: () => string
  private pending: Promise<unknown> = Promise.resolve()

  constructor(state: GitHubState, web: () => string) {
    this.state = state
    this.web = web
  }

  /** To every App that is installed on the project. Returns what each delivery was answered with. */
  async pull(change: Change, action: string): Promise<number[]> {
    const render = this.renderer()
    return await this.send(change.project, 'pull_request', {
      action,
      number: change.number,
      pull_request: { ...render.pull(change), updated_at: this.now() },
      sender: render.user(change.author),
    })
  }

  async comment(change: Change, note: Note, action = 'created'): Promise<number[]> {
    const render = this.renderer()
    const { project, number } = change
    return await this.send(project, 'issue_comment', {
      action,
      issue: { number, title: change.title, pull_request: { url: `${this.web()}/pulls/${number}` } },
      comment: { ...render.issueComment(project, number, note), updated_at: this.now() },
      sender: render.user(note.author),
    })
  }

  async threadComment(change: Change, thread: Thread, note: Note): Promise<number[]> {
    const render = this.renderer()
    return await this.send(change.project, 'pull_request_review_comment', {
      action: 'created',
      pull_request: { number: change.number },
      comment: { ...render.reviewComment(change, thread, note), updated_at: this.now() },
      sender: render.user(note.author),
    })
  }

  async send(project: Project, event: string, fields: Json): Promise<number[]> {
    const installations = this.state.installations.filter(({ projects }) => projects.includes(project))
    return await Promise.all(
      installations.map(async ({ id, app }) => {
        const body = {
          ...fields,
          repository: this.renderer().repository(project),
          installation: { id, node_id: `I_${id}` },
        }
        const delivery = this.record(
          app,
          { event, body: JSON.stringify(body), guid: randomUUID() },
          id,
          project.id,
        )
        return await this.deliver(delivery)
      }),
    )
  }

  /** `installation` and `installation_repositories` belong to no repository. */
  async installation(app: GitHubApp, installationId: number, action = 'created'): Promise<number> {
    const body = JSON.stringify({ action, installation: { id: installationId } })
    const said = { event: 'installation', body, guid: randomUUID() }
    return await this.deliver(this.record(app, said, installationId, null))
  }

  /** Under the same id, as GitHub does it; `settled` waits for it. False for a delivery that is not known. */
  redeliver(app: GitHubApp, id: number): boolean {
    const known = this.log.find((one) => one.id === id && one.app === app)
    if (!known) return false
    const { event, body, guid, installationId, repositoryId } = known
    const again = this.record(app, { event, body, guid }, installationId, repositoryId)
    this.pending = Promise.all([this.pending, this.deliver(again)])
    return true
  }

  async settled(): Promise<void> {
    await this.pending
  }

  private record(
    app: GitHubApp,
    said: { event: string; body: string; guid: string },
    installationId: number,
    repositoryId: number | null,
  ): HookDelivery {
    const action = (JSON.parse(said.body) as { action?: string }).action ?? null
    const made: HookDelivery = {
      ...said,
      ...{
        id: this.state.world.nextId(),
        app,
        action,
        deliveredAt: this.now(),
        installationId,
        repositoryId,
      },
      isRedelivery: this.log.some(({ guid }) => guid === said.guid),
      status: 0,
    }
    this.log.push(made)
    return made
  }

  private async deliver(delivery: HookDelivery): Promise<number> {
    const target = this.targets.get(delivery.app)
    if (!target || this.loses(delivery)) return 0
    const { body, event, guid, app } = delivery
    const mac = (algorithm: string) => createHmac(algorithm, target.secret).update(body).digest('hex')
    const headers = {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/0000000',
      'x-github-delivery': guid,
      'x-github-event': event,
      'x-github-hook-id': String(app.id),
      'x-github-hook-installation-target-id': String(app.id),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature': `sha1=${mac('sha1')}`,
      'x-hub-signature-256': `sha256=${mac('sha256')}`,
    }
    try {
      const answer = await fetch(target.url, { method: 'POST', headers, body })
      await answer.text()
      delivery.status = answer.status
    } catch {
      delivery.status = 0
    }
    return delivery.status
  }

  private renderer(): Renderer {
    return new Renderer(`${this.web()}/api/v3`, this.web())
  }

  private now(): string {
    return new Date(this.state.world.now()).toISOString()
  }
}
