/**
 * Random histories of a change request: pushes, rebases, squashes, reverts, renames, merges from the base, and people who
 * delete, resolve, answer and edit; with an interruption at every write. After every publication: each open bug has
 * exactly one open comment, on its line; none is lost, none repeated, and what people did stays. `SIGHTLINE_HISTORIES`
 * says how many; `npm run test:histories` plays 1,000.
 */
import { expect, test } from 'vitest'
import { deliverReview } from '../../../../src/pipeline/publish/sync/deliver.ts'
import { planPublication } from '../../../../src/pipeline/publish/sync/plan.ts'
import { Random } from '../../../helpers/random.ts'
import { BugStory, bugOf } from './bug-story.ts'
import { changeOf, reviewOf } from './bug-world.ts'
import { Crash, MemoryHost } from './memory-host.ts'

const histories = Number(process.env.SIGHTLINE_HISTORIES ?? 12)
const firstSeed = 20_261_122
const scope = { keys: ['test'], legacy: 'older', number: 1 }

test(`${histories} histories with interruptions, seeds from ${firstSeed}`, async () => {
  const totals = { publications: 0, comments: 0, closed: 0, crashes: 0 }
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const history = new History(seed)
    try {
      await history.play()
    } catch (error) {
      throw new Error(`seed ${seed}, after: ${history.story.told.join(', ')}: ${(error as Error).message}`, {
        cause: error,
      })
    }
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += history.totals[key]
  }
  console.log(`histories: ${histories}, ${JSON.stringify(totals)}, seeds from ${firstSeed}`)
  expect(totals.comments).toBeGreaterThan(histories)
  expect(totals.closed).toBeGreaterThan(histories / 2)
  expect(totals.crashes).toBeGreaterThan(histories / 2)
}, 1_200_000)

class History {
  readonly totals = { publications: 0, comments: 0, closed: 0, crashes: 0 }
  readonly story: BugStory
  private readonly random: Random
  private readonly host: MemoryHost
  private commits = 0
  /** Bugs whose comment people deleted or resolved, with its line: posted again only in other words and another file. */
  private readonly settled = new Map<string, { path: string; text: string }>()

  constructor(seed: number) {
    this.random = new Random(seed)
    this.host = new MemoryHost(this.random)
    this.story = new BugStory(this.random)
  }

  async play(): Promise<void> {
    for (let step = 0; step < 8; step++) {
      for (let edits = this.random.between(1, 4); edits > 0; edits--) this.story.edit()
      const change = changeOf(this.story.base, this.story.head, this.story.renamed)
      this.host.push(this.commit(), this.story.base, this.story.head, change.files)
      await this.publish()
      this.check()
      if (this.random.chance(0.6)) this.disturb()
    }
  }

  private commit(): string {
    return String(++this.commits).padStart(40, '0')
  }

  /** Again and again until it ends well, as a job that is started anew. */
  private async publish(): Promise<void> {
    const change = changeOf(this.story.base, this.story.head, this.story.renamed)
    const review = reviewOf(change, this.host.head)
    const [base, head] = [this.story.base, this.story.head]
    const textOf = (side: 'old' | 'new', path: string) =>
      (side === 'old' ? base : head).get(path)?.join('\n') ?? null
    const options = { review, change, maxInline: 100, gate: null, scope }
    const threadsBefore = this.host.threads.length
    for (let attempt = 0; ; attempt++) {
      this.host.trouble = attempt < 6 ? 0.3 : 0
      try {
        await deliverReview({
          ...options,
          writer: this.host,
          readFiles: async () => textOf,
          pause: async () => {},
          signal: new AbortController().signal,
        })
        break
      } catch (error) {
        if (!(error instanceof Crash) && !/times in a row/.test((error as Error).message)) throw error
        this.totals.crashes++
      }
    }
    const state = await this.host.readState()
    const { abilities } = this.host
    const rest = planPublication({
      ...options,
      state,
      abilities,
      ...{ overview: 'never', remarks: [] },
      textOf,
      scope: { ...scope, repositoryId: '7', me: 'us', writers: [] },
      withoutPlaces: false,
    })
    expect({ ...rest, tally: null, settled: [] }, 'a finished publication leaves nothing to do').toEqual({
      review: null,
      overview: null,
      closings: [],
      check: null,
      tally: null,
      settled: [],
    })
    this.totals.publications++
    this.totals.comments += this.host.threads.length - threadsBefore
  }

  private check(): void {
    const change = changeOf(this.story.base, this.story.head, this.story.renamed)
    const found = new Map(reviewOf(change, this.host.head).findings.map((one) => [bugOf(one.title), one]))
    const open = this.host.threads.filter(({ isResolved }) => !isResolved)
    const bugs = open.map(({ body }) => bugOf(body))
    expect(new Set(bugs).size, 'no bug has two open comments').toBe(bugs.length)
    for (const { id, body, line, posted } of this.host.threads) {
      if (posted?.commit !== this.host.head) continue
      expect(line, `comment ${id} is on the line of its bug`).toBe(found.get(bugOf(body))?.startLine)
    }
    for (const [bug, { anchor, excerpt, startLine }] of found) {
      const isThere = bugs.includes(bug)
      const settled = this.settled.get(bug)
      const text = excerpt.find((line) => line.new === startLine)?.text.trim() ?? ''
      const isOther =
        settled &&
        (this.story.renamed.get(settled.path) ?? settled.path) !== anchor.path &&
        settled.text !== text
      if (settled && !isOther) expect(isThere, `bug ${bug} is settled and stays so`).toBe(false)
      if (!settled && !this.isSettledTwin(anchor.path, text))
        expect(isThere, `bug ${bug} has an open comment`).toBe(true)
      if (isOther && isThere) this.settled.delete(bug)
    }
    for (const bug of bugs) expect(found.has(bug), `bug ${bug} is gone, and its comment closed`).toBe(true)
    this.totals.closed += this.host.threads.length - open.length
  }

  /** Only a comment, which is not substance, tells it apart from what people settled in the same file. */
  private isSettledTwin(path: string, text: string): boolean {
    const substance = (line: string) => line.replace(/\/\/.*/, '').trim()
    return [...this.settled.values()].some(
      (settled) =>
        (this.story.renamed.get(settled.path) ?? settled.path) === path &&
        substance(settled.text) === substance(text),
    )
  }

  /** What people do. */
  private disturb(): void {
    const open = this.host.threads.filter(({ isResolved }) => !isResolved)
    if (open.length === 0) return
    const thread = this.random.pick(open)
    const deed = this.random.pick(['delete', 'resolve', 'answer', 'edit'] as const)
    this.story.told.push(`people ${deed} ${bugOf(thread.body)}`)
    if (deed === 'delete') this.host.threads.splice(this.host.threads.indexOf(thread), 1)
    if (deed === 'resolve') thread.isResolved = true
    if (deed === 'delete' || deed === 'resolve')
      this.settled.set(bugOf(thread.body), {
        path: thread.path,
        text: thread.tree.get(thread.path)?.[thread.postedOn.line - 1]?.trim() ?? '',
      })
    if (deed === 'answer')
      thread.replies.push({ author: 'eve', body: 'Is that so? <!-- sightline:1 e30= 0 -->' })
    // Words are added; the marker at the end stays, or a rude editor takes it away.
    if (deed === 'edit') {
      const kept = this.random.chance(0.5) ? thread.body : thread.body.replace(/<!--.*-->/g, '')
      thread.body = `Edited. ${kept}`
    }
  }
}
