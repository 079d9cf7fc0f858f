/**
 * One random history of a change request on a strict host: pushes, rebases, squashes, reverts, renames and merges from the
 * base, and people who delete, resolve, answer and edit. Every publication is attempted once for each of its requests,
 * with the connection or the process broken just before or after that request, or with a push in the middle. When it is
 * done at last, each bug of the head has one open comment, on its line, and what people did stays.
 */
import assert from 'node:assert/strict'
import { defaultConfig } from '../../src/config/schema.ts'
import type { Review } from '../../src/domain/review.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { ChangeAddress, HostedChange } from '../../src/hosts/remote/contract.ts'
import { openTransport, WritePause } from '../../src/hosts/remote/transport.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { deliverReview } from '../../src/pipeline/publish/sync/deliver.ts'
import { Random } from '../helpers/random.ts'
import { reviewOf } from '../pipeline/publish/sync/bug-world.ts'
import { BugChange, copyOf, textIn } from './bug-change.ts'
import type { FakeHost, HostSetup } from './host-setup.ts'

export type HistoryTotals = {
  publications: number
  attempts: number
  requests: number
  crashes: number
  comments: number
  closed: number
}

export const noTotals = (): HistoryTotals => ({
  publications: 0,
  attempts: 0,
  requests: 0,
  crashes: 0,
  comments: 0,
  closed: 0,
})

const steps = 5

/** Throws with the seed and what was done when something is lost, double, on a wrong line, or back again. */
export async function playHistory(setup: HostSetup, fake: FakeHost, seed: number): Promise<HistoryTotals> {
  const history = new HostHistory(setup, fake, seed)
  try {
    await history.play()
    return history.totals
  } catch (error) {
    const told = history.bugs.story.told.join(', ')
    throw new Error(`${setup.name}, seed ${seed}, after: ${told}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** What is interrupted, and whether the host has done what was asked. */
const troubles = ['drop-before', 'drop-after', 'kill-before', 'kill-after', 'fail-after', 'push'] as const
type Trouble = (typeof troubles)[number]

class Killed extends Error {}

/** What one head is reviewed with: the diff by git, and what the files say. */
type Reviewed = {
  review: Review
  diff: Parameters<typeof deliverReview>[0]['change']
  textOf: (side: 'old' | 'new', path: string) => string | null
}

class HostHistory {
  readonly totals = noTotals()
  readonly bugs: BugChange
  private readonly setup: HostSetup
  private readonly fake: FakeHost
  private readonly random: Random
  private readonly address: ChangeAddress
  private readonly token: { write: string; read: string; tokenName: string }
  private readonly pause = new WritePause()
  private reviewed: Promise<Reviewed> | null = null
  private hosted: HostedChange | null = null

  constructor(setup: HostSetup, fake: FakeHost, seed: number) {
    this.setup = setup
    this.fake = fake
    this.random = new Random(seed)
    this.bugs = new BugChange({
      random: this.random,
      project: fake.world.createProject(`acme/shop-${seed}`),
      resolves: setup.host.facts.abilities.resolve,
    })
    const { project, change } = this.bugs
    this.address = setup.addressOf(fake, project, change)
    this.token = setup.tokens(fake, project)
  }

  async play(): Promise<void> {
    for (let step = 0; step < steps; step++) {
      this.edit()
      await this.publish()
      this.check()
      if (this.random.chance(0.7)) this.bugs.disturb()
      // Nobody reviews so often; the host counts what is written in a minute and in an hour.
      this.fake.world.passTime(600)
    }
  }

  private edit(): void {
    this.bugs.edit()
    this.reviewed = null
  }

  private async publish(): Promise<void> {
    const before = this.bugs.ownThreads().length
    for (let nth = 1; ; nth++) {
      let isHit = false
      for (const trouble of this.troublesAt(nth)) isHit = (await this.attempt(nth, trouble)) || isHit
      if (!isHit) break
    }
    const writes = this.fake.writes().length
    await this.attempt(0, null)
    assert.equal(this.fake.writes().length, writes, 'a finished publication leaves nothing to write')
    this.totals.publications++
    this.totals.comments += this.bugs.ownThreads().length - before
  }

  /** Both before and after what the host does; now and then people push meanwhile. */
  private troublesAt(nth: number): Trouble[] {
    const before = this.random.pick(['drop-before', 'kill-before'] as const)
    const after = this.random.pick(['drop-after', 'kill-after', 'fail-after'] as const)
    const push = nth < 6 && this.random.chance(0.04) ? (['push'] as const) : []
    return [before, after, ...push]
  }

  /** A process that publishes, with the trouble at one of its requests. True when it got that far. */
  private async attempt(nth: number, trouble: Trouble | null): Promise<boolean> {
    const { review, diff, textOf } = await this.review()
    const process = new AbortController()
    let requests = 0
    const send: typeof fetch = async (input, init) => {
      requests++
      const isKilled = requests === nth && trouble?.startsWith('kill')
      if (isKilled && trouble === 'kill-before') process.abort(new Killed())
      process.signal.throwIfAborted()
      const answer = await fetch(input, init)
      if (isKilled) process.abort(new Killed())
      process.signal.throwIfAborted()
      return answer
    }
    if (trouble === 'drop-before' || trouble === 'drop-after') this.fake.faults.at(nth, { kind: trouble })
    if (trouble === 'fail-after') this.fake.faults.at(nth, { kind: trouble, status: 502 })
    if (trouble === 'push') this.fake.faults.at(nth, { kind: 'run', action: () => this.edit() })
    try {
      await deliverReview({
        writer: this.setup.host.openWriter(this.address, {
          token: this.token.write,
          tokenName: this.token.tokenName,
          fetch: openTransport({
            fetch: send,
            pause: this.pause,
            now: () => this.fake.world.now(),
            sleep: async (ms) => this.fake.world.passTime(Math.ceil(ms / 1000)),
          }),
        }),
        review,
        change: diff,
        maxInline: 100,
        gate: null,
        scope: { keys: ['history'], legacy: '', number: this.address.number },
        readFiles: async () => textOf,
        pause: async () => {},
        signal: process.signal,
      })
    } catch (error) {
      const isMoved = trouble === 'push' && (error as { code?: string }).code === 'head-moved'
      // A push between the last look at the head and the writing ends as the host likes: refused, or on the older commit.
      if (!(error instanceof Killed) && !isMoved) throw error
      this.totals.crashes++
    } finally {
      this.fake.faults.clear()
    }
    this.totals.attempts++
    this.totals.requests += requests
    return trouble !== null && requests >= nth
  }

  private review(): Promise<Reviewed> {
    this.reviewed ??= this.collect()
    return this.reviewed
  }

  private async collect(): Promise<Reviewed> {
    const { setup, address, token } = this
    const { change, project, story } = this.bugs
    const signal = new AbortController().signal
    this.hosted ??= await setup.host
      .openReader(address, { token: token.read, tokenName: token.tokenName, fetch: openTransport() })
      .read(signal)
    const { repository, changeRequest } = this.hosted
    const selector = { kind: 'range', range: `${change.mergeBase}..${change.head}` } as const
    const folder = project.repository.path
    const collected = await collectLocal({ folder, selector, limits: defaultConfig.limits, signal })
    try {
      const diff = await readChangeSet(await collected.diff(), {
        ...defaultConfig.paths,
        base: collected.base,
      })
      const review = reviewOf(diff, change.head)
      const { base, head } = { base: copyOf(story.base), head: copyOf(story.head) }
      return {
        review: { ...review, request: { ...collected.request, repository, changeRequest } },
        diff,
        textOf: (side, path) => textIn(side === 'old' ? base : head, path),
      }
    } finally {
      await collected.close()
    }
  }

  private check(): void {
    this.bugs.check()
    assert.deepEqual(this.fake.violations, [])
    const threads = this.bugs.ownThreads()
    this.totals.closed += threads.filter(({ resolvedBy }) => resolvedBy !== null).length
  }
}
