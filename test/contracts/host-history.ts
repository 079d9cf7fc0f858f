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
import type { Change, Thread } from '../helpers/hosts/engine/change.ts'
import type { Files } from '../helpers/hosts/engine/repository.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import { Random } from '../helpers/random.ts'
import { BugStory, bugOf } from '../pipeline/publish/sync/bug-story.ts'
import { bugPattern, reviewOf } from '../pipeline/publish/sync/bug-world.ts'
import type { Tree } from '../pipeline/publish/sync/memory-host.ts'
import type { FakeHost, HostSetup } from './host-setups.ts'

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
    const told = history.story.told.join(', ')
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
  readonly story: BugStory
  private readonly setup: HostSetup
  private readonly fake: FakeHost
  private readonly random: Random
  private readonly project: Project
  private readonly change: Change
  private readonly address: ChangeAddress
  private readonly token: { write: string; read: string; tokenName: string }
  private readonly pause = new WritePause()
  /** Trees of the commits that were made last. */
  private pushed: { base: Tree; head: Tree }
  private pushes = 0
  private reviewed: Promise<Reviewed> | null = null
  private hosted: HostedChange | null = null
  /** Bugs whose comment people deleted or resolved, with its line: posted again only in other words and another file. */
  private readonly settled = new Map<string, { path: string; text: string }>()

  constructor(setup: HostSetup, fake: FakeHost, seed: number) {
    this.setup = setup
    this.fake = fake
    this.random = new Random(seed)
    this.story = new BugStory(this.random)
    const { base, head } = this.story
    this.project = fake.world.createProject(`acme/shop-${seed}`, { files: filesOf(base) })
    this.change = this.project.open({ branch: 'topic', files: { 'README.md': 'A change.\n' } })
    this.address = setup.addressOf(fake, this.project, this.change)
    this.token = setup.tokens(fake, this.project)
    this.pushed = { base: copyOf(base), head: copyOf(head) }
  }

  async play(): Promise<void> {
    for (let step = 0; step < steps; step++) {
      this.edit()
      await this.publish()
      await this.check()
      if (this.random.chance(0.7)) this.disturb()
      // Nobody reviews so often; the host counts what is written in a minute and in an hour.
      this.fake.world.passTime(600)
    }
  }

  /** Edits, and the commits that bring them to the host in one of the ways that people have. */
  private edit(): void {
    for (let edits = this.random.between(1, 4); edits > 0; edits--) this.story.edit()
    const { story, project, change, pushed } = this
    const base = changesOf(pushed.base, story.base)
    const isNewBase = Object.keys(base).length > 0
    if (isNewBase) project.commit('main', base)
    const way = this.random.pick(isNewBase ? (['rebase', 'merge'] as const) : (['push', 'rewrite'] as const))
    const main = project.head('main')
    const onto = way === 'push' || way === 'merge'
    const files = {
      ...changesOf(onto ? pushed.head : story.base, story.head),
      'README.md': `Push ${++this.pushes}, by ${way}.\n`,
    }
    const parents = { push: [change.head], merge: [change.head, main], rebase: [main], rewrite: [main] }[way]
    change.move(project.repository.commit({ parents, message: way, files }))
    this.pushed = { base: copyOf(story.base), head: copyOf(story.head) }
    this.reviewed = null
    story.told.push(`[${way}]`)
  }

  private async publish(): Promise<void> {
    const before = this.ownThreads().length
    for (let nth = 1; ; nth++) {
      let isHit = false
      for (const trouble of this.troublesAt(nth)) isHit = (await this.attempt(nth, trouble)) || isHit
      if (!isHit) break
    }
    const writes = this.fake.writes().length
    await this.attempt(0, null)
    assert.equal(this.fake.writes().length, writes, 'a finished publication leaves nothing to write')
    this.totals.publications++
    this.totals.comments += this.ownThreads().length - before
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
    const { change, project, setup, address, token } = this
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
      const { base, head } = { base: copyOf(this.story.base), head: copyOf(this.story.head) }
      return {
        review: { ...review, request: { ...collected.request, repository, changeRequest } },
        diff,
        textOf: (side, path) => textIn(side === 'old' ? base : head, path),
      }
    } finally {
      await collected.close()
    }
  }

  private async check(): Promise<void> {
    const { change, story, fake } = this
    const { diff } = await this.review()
    const moved = new Map(diff.files.flatMap(({ path, oldPath }) => (oldPath ? [[oldPath, path]] : [])))
    const there = bugsIn(story.head)
    const open = this.ownThreads().filter(({ resolvedBy }) => resolvedBy === null)
    const bugs = open.map((thread) => bugOf(thread.notes[0]?.body ?? ''))
    // Where threads cannot be closed, one that is outdated is out of the way.
    const shown = this.setup.resolves ? open : open.filter((thread) => change.placeOf(thread) !== null)
    const about = shown.map((thread) => bugOf(thread.notes[0]?.body ?? ''))
    assert.equal(new Set(about).size, about.length, `no bug has two open comments: ${about.join(' ')}`)
    for (const thread of this.ownThreads()) {
      if (thread.commit !== change.head) continue
      const bug = bugOf(thread.notes[0]?.body ?? '')
      assert.equal(thread.anchor?.line, there.get(bug)?.line, `the comment on bug ${bug} is on its line`)
      assert.equal(thread.path, there.get(bug)?.path, `the comment on bug ${bug} is in its file`)
    }
    for (const [bug, { path, text }] of there) {
      const settled = this.settled.get(bug)
      const isOther = settled && (moved.get(settled.path) ?? settled.path) !== path && settled.text !== text
      // What was settled is not posted again, though an older comment on it may be left that the host cannot close.
      const isThere = (settled ? about : bugs).includes(bug)
      if (settled && !isOther) assert.equal(isThere, false, `bug ${bug} is settled and stays so`)
      if (!settled) assert.equal(isThere, true, `bug ${bug} has an open comment`)
      if (isOther && isThere) this.settled.delete(bug)
    }
    if (this.setup.resolves)
      for (const bug of bugs) assert.ok(there.has(bug), `bug ${bug} is gone, and its comment closed`)
    assert.deepEqual(fake.violations, [])
    this.totals.closed += this.ownThreads().length - open.length
  }

  /** What people do. */
  private disturb(): void {
    const open = this.ownThreads().filter(({ resolvedBy }) => resolvedBy === null)
    if (open.length === 0) return
    const thread = this.random.pick(open)
    const [first] = thread.notes
    if (!first) return
    const deeds = [
      'delete',
      'answer',
      'edit',
      ...(this.setup.resolves ? (['resolve'] as const) : []),
    ] as const
    const deed = this.random.pick(deeds)
    const bug = bugOf(first.body)
    this.story.told.push(`people ${deed} ${bug}`)
    // Where threads cannot be closed, an outdated comment on the bug may be cleared away while the present one is left.
    const isLeft = open.some((other) => other !== thread && this.isOn(other, bug))
    if ((deed === 'delete' && !isLeft) || deed === 'resolve') {
      const text = this.change.repository.read(thread.commit, thread.path)?.toString('utf8') ?? ''
      const line = text.split('\n')[(thread.anchor?.line ?? 0) - 1] ?? ''
      this.settled.set(bug, { path: thread.path, text: line.trim() })
    }
    if (deed === 'delete') for (const note of [...thread.notes]) this.change.deleteNote(note)
    if (deed === 'resolve') this.change.resolve(thread, 'ada')
    if (deed === 'answer') this.change.reply(thread, 'ada', 'Is that so? <!-- sightline:1 e30= 0 -->')
    // Words are added; the marker at the end stays, or a rude editor takes it away.
    if (deed === 'edit') {
      const kept = this.random.chance(0.5) ? first.body : first.body.replace(/<!--.*-->/, '')
      this.change.editNote(first, `Edited. ${kept}`)
    }
  }

  private isOn(thread: Thread, bug: string): boolean {
    return bugOf(thread.notes[0]?.body ?? '') === bug && this.change.placeOf(thread) !== null
  }

  private ownThreads(): Thread[] {
    return this.change.threads.filter(({ anchor }) => anchor !== null)
  }
}

function bugsIn(tree: Tree): Map<string, { path: string; line: number; text: string }> {
  return new Map(
    [...tree].flatMap(([path, lines]) =>
      lines.flatMap((text, at) => {
        const bug = bugPattern.exec(text)?.[1]
        return bug === undefined ? [] : [[bug, { path, line: at + 1, text: text.trim() }] as const]
      }),
    ),
  )
}

function changesOf(from: Tree, to: Tree): Files {
  const gone = [...from.keys()].filter((path) => !to.has(path)).map((path) => [path, null] as const)
  const changed = [...to.keys()].flatMap((path) => {
    const text = textIn(to, path)
    return text === textIn(from, path) ? [] : [[path, text] as const]
  })
  return Object.fromEntries([...gone, ...changed])
}

function filesOf(tree: Tree): Files {
  return Object.fromEntries([...tree.keys()].map((path) => [path, textIn(tree, path)]))
}

function textIn(tree: Tree, path: string): string | null {
  const lines = tree.get(path)
  return lines ? lines.map((line) => `${line}\n`).join('') : null
}

function copyOf(tree: Tree): Map<string, string[]> {
  return new Map([...tree].map(([path, lines]) => [path, [...lines]]))
}
