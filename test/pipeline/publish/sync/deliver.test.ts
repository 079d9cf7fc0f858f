/** What a token may not do makes a publication smaller, and never loses a finding. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Finding } from '../../../../src/domain/finding.ts'
import type { Review } from '../../../../src/domain/review.ts'
import { severityRank } from '../../../../src/domain/severity.ts'
import { AnchorsRefused, type ChangeWriter, WriteUnclear } from '../../../../src/hosts/remote/contract.ts'
import { type DeliverOptions, deliverReview } from '../../../../src/pipeline/publish/sync/deliver.ts'
import { Random } from '../../../helpers/random.ts'
import { changeOf, reviewOf } from './bug-world.ts'
import { MemoryHost, type Tree } from './memory-host.ts'

const base: Tree = new Map([['a.ts', ['one', 'two', 'three']]])
const treeWith = (...bugs: number[]): Tree =>
  new Map([['a.ts', ['one', ...bugs.map((bug) => `call() // bug ${bug}`), 'two', 'three']]])

/** Publishes a review of the tree as the next head. */
async function publish(
  host: MemoryHost,
  tree: Tree,
  {
    writer = host,
    maxInline = 10,
    dismissed,
    rate,
    ...further
  }: {
    writer?: ChangeWriter
    maxInline?: number
    dismissed?: number
    rate?: (finding: Finding) => Finding['severity']
  } & Partial<Pick<DeliverOptions, 'isAgain' | 'overview' | 'pause' | 'scope' | 'signal'>> = {},
) {
  const head = String(Number(host.head || 0) + 1).padStart(40, '0')
  const change = changeOf(base, tree, new Map())
  host.push(head, base, tree, change.files)
  return await deliverReview({
    writer,
    review: withDismissal(rated(reviewOf(change, head), rate), dismissed),
    change,
    maxInline,
    gate: null,
    scope: { keys: [], legacy: '', number: 1 },
    readFiles: async () => (side, path) => (side === 'old' ? base : tree).get(path)?.join('\n') ?? null,
    pause: async () => {},
    signal: new AbortController().signal,
    ...further,
  })
}

/** With other severities, the most severe first. */
function rated(review: Review, rate?: (finding: Finding) => Finding['severity']): Review {
  if (!rate) return review
  const findings = review.findings.map((finding) => ({ ...finding, severity: rate(finding) }))
  return {
    ...review,
    findings: findings.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity)),
  }
}

/** As the ledger settles it: the finding on a bug is found and not shown. */
function withDismissal(review: Review, bug: number | undefined): Review {
  const of = (finding: Finding) => bug !== undefined && finding.title.includes(`bug_${bug} `)
  const dismissed = review.findings
    .filter(of)
    .map((finding) => ({ finding, ledger: 'a'.repeat(16), how: 'here' as const, by: 'ada', because: 'no' }))
  return { ...review, findings: review.findings.filter((finding) => !of(finding)), dismissed }
}

/** The host with some of its methods replaced. */
function withMethods(host: MemoryHost, methods: Partial<ChangeWriter>): ChangeWriter {
  return {
    abilities: host.abilities,
    readState: () => host.readState(),
    readCheck: (head) => host.readCheck(head),
    postReview: (review) => host.postReview(review),
    closeThreads: (closings) => host.closeThreads(closings),
    putOverview: (overview) => host.putOverview(overview),
    lock: () => host.lock(),
    unlock: () => host.unlock(),
    putCheck: (check) => host.putCheck(check),
    ...methods,
  }
}

test('a token that may not resolve answers once, and a problem that comes back gets a new comment', async () => {
  const host = new MemoryHost(new Random(1))
  const writer = withMethods(host, {
    async closeThreads(closings) {
      for (const { thread, reply } of closings)
        if (reply !== null)
          host.threads.find(({ id }) => id === thread)?.replies.push({ author: 'us', body: reply })
      return { refused: 'it needs contents=write' }
    },
  })
  await publish(host, treeWith(1, 2), { writer })
  const { remarks, tally } = await publish(host, treeWith(2), { writer })
  expect(tally).toMatchObject({ fixed: 1, open: 1, posted: 0 })
  expect(remarks.join()).toContain('needs contents=write')
  await publish(host, treeWith(2), { writer })
  expect(host.threads.map(({ replies }) => replies.length)).toEqual([1, 0])
  await publish(host, treeWith(1, 2), { writer })
  expect(host.threads).toHaveLength(3)
})

test('without a check, what is on no line is in the body of a review, once', async () => {
  const host = new MemoryHost(new Random(1))
  const writer = withMethods(host, { putCheck: async () => ({ refused: 'it needs checks=write' }) })
  const first = await publish(host, treeWith(1, 2, 3), { writer, maxInline: 1 })
  expect(first.remarks.join()).toContain('needs checks=write')
  const said = host.bodies.map(({ body }) => body).join('\n')
  expect(host.threads).toHaveLength(1)
  for (const bug of [1, 2, 3]) {
    const isOnLine = host.threads.some(({ body }) => body.includes(`bug\\_${bug} `))
    expect(isOnLine || said.includes(`bug\\_${bug} `), `bug ${bug}`).toBe(true)
  }
  const bodies = host.bodies.length
  await publish(host, treeWith(1, 2, 3), { writer, maxInline: 1 })
  expect(host.bodies).toHaveLength(bodies)
})

test('after a refused check the host gets time to show what was written, and none where nothing was', async () => {
  const host = new MemoryHost(new Random(1))
  const refusing = () => watched(host, { putCheck: async () => ({ refused: 'it needs checks=write' }) })
  const first = refusing()
  await publish(host, treeWith(1), first)
  expect(first.calls).toEqual(['read', 'lock', 'read', 'review', 'check', 'pause', 'read', 'unlock'])
  const again = refusing()
  await publish(host, treeWith(1), again)
  expect(again.calls).toEqual(['read', 'check', 'read'])
})

test('open threads keep no finding off its line that is more severe than they are', async () => {
  const host = new MemoryHost(new Random(1))
  const old = [1, 2, 4, 5, 7]
  const as = (severities: Record<number, Finding['severity']>) => ({
    maxInline: 5,
    rate: ({ title }: Finding): Finding['severity'] => {
      const [, bug = ''] = /bug_(\d+) /.exec(title) ?? []
      return severities[Number(bug)] ?? 'medium'
    },
  })
  await publish(host, treeWith(...old), as({}))
  expect(host.threads).toHaveLength(5)
  // No room for one that is no worse; it is told in no comment.
  const same = await publish(host, treeWith(...old, 8), as({}))
  expect(same.tally).toMatchObject({ posted: 0, open: 6, listed: 1 })
  const worse = await publish(host, treeWith(...old, 8, 10), as({ 10: 'critical' }))
  expect(worse.tally).toMatchObject({ posted: 1, open: 7, listed: 1 })
  expect(host.threads.at(-1)?.body).toContain('bug\\_10 ')
  // And so on, for each open thread one at most.
  const more = await publish(
    host,
    treeWith(...old, 8, 10, 11, 13),
    as({ 10: 'critical', 11: 'high', 13: 'high' }),
  )
  expect(more.tally).toMatchObject({ posted: 2, open: 9 })
  const again = await publish(
    host,
    treeWith(...old, 8, 10, 11, 13),
    as({ 10: 'critical', 11: 'high', 13: 'high' }),
  )
  expect(again.tally.posted).toBe(0)
})

test.each([
  [
    'another head',
    { head: 'f'.repeat(40) },
    'head-moved',
    'it is at ffffffffffff now; the review is of 000000000000',
  ],
  [
    'another repository',
    { repositoryId: '8' },
    'review-unusable',
    'it is not a review of this change request',
  ],
  [
    'a closed change request',
    { state: 'merged' },
    'change-request-closed',
    'it is merged; nothing was posted',
  ],
] as const)('a review for %s is not posted', async (_, overrides, code, message) => {
  const host = new MemoryHost(new Random(1))
  const readState = async () => ({ ...(await host.readState()), ...overrides })
  const writer = withMethods(host, { readState })
  await expect(publish(host, treeWith(1), { writer })).rejects.toMatchObject({ code, message })
  const scope = { keys: [], legacy: '', number: 2 }
  await expect(publish(host, treeWith(1), { scope })).rejects.toMatchObject({ code: 'review-unusable' })
  expect(host.writes).toBe(0)
})

/** The host, and what it is asked for, in order of its end; a pause and an unlocking take longer than all else. */
function watched(host: MemoryHost, methods: Partial<ChangeWriter> = {}) {
  const calls: string[] = []
  const real = withMethods(host, methods)
  const slow =
    <Args extends unknown[], Result>(name: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      for (let left = ['pause', 'unlock'].includes(name) ? 5 : 1; left > 0; left--) await turn()
      calls.push(name)
      return await work(...args)
    }
  const writer: ChangeWriter = {
    ...real,
    readState: slow('read', real.readState),
    postReview: slow('review', real.postReview),
    closeThreads: slow('threads', real.closeThreads),
    putOverview: slow('overview', real.putOverview),
    lock: slow('lock', real.lock),
    unlock: slow('unlock', real.unlock),
    putCheck: slow('check', real.putCheck),
  }
  return { calls, writer, pause: slow('pause', async () => {}) }
}

test('what adds is written under the lock, from a state that was read under it; the check comes last', async () => {
  const host = new MemoryHost(new Random(1))
  const first = watched(host)
  expect((await publish(host, treeWith(1, 2), first)).writes).toBe(2)
  expect(first.calls).toEqual(['read', 'lock', 'read', 'review', 'check', 'unlock'])
  // Nothing is added: a thread is only resolved.
  const later = watched(host)
  expect((await publish(host, treeWith(1, 2), { ...later, dismissed: 1 })).writes).toBe(2)
  expect(later.calls).toEqual(['read', 'threads', 'check'])
  const answering = watched(host)
  expect((await publish(host, treeWith(), answering)).writes).toBe(2)
  expect(answering.calls).toEqual(['read', 'lock', 'read', 'threads', 'check', 'unlock'])
})

test('a first overview is added under the lock, a later one is written over it without', async () => {
  const host = new MemoryHost(new Random(1))
  const first = watched(host)
  expect((await publish(host, treeWith(), { ...first, overview: 'always' })).writes).toBe(2)
  expect(first.calls).toEqual(['read', 'lock', 'read', 'overview', 'check', 'unlock'])
  const later = watched(host)
  await publish(host, treeWith(), { ...later, overview: 'always' })
  expect(later.calls).toEqual(['read', 'overview', 'check'])
})

test.each([
  ['whoever writes is waited for, longer for many comments', {}, 7],
  ['an earlier attempt of ours is waited for less', { isAgain: true }, 2],
])('%s; then its lock is taken away', async (_, options, tries) => {
  const host = new MemoryHost(new Random(1))
  await host.lock()
  const { calls, ...world } = watched(host)
  const bugs = Array.from({ length: 10 }, (_, at) => at + 1)
  const { tally } = await publish(host, treeWith(...bugs), { ...world, ...options })
  expect(tally.posted).toBe(10)
  const waiting = Array.from({ length: tries - 1 }, () => ['lock', 'pause']).flat()
  const rest = ['lock', 'unlock', 'lock', 'read', 'review', 'check', 'unlock']
  expect(calls).toEqual(['read', ...waiting, ...rest])
})

test('where no lock is offered nothing is locked, and none is given back', async () => {
  const host = new MemoryHost(new Random(1))
  const { calls, ...world } = watched(host, { lock: async () => null })
  await publish(host, treeWith(1), world)
  expect(calls).toEqual(['read', 'lock', 'review', 'check'])
})

test('what stays unclear is tried five times, each after a pause, and the lock is given back', async () => {
  const host = new MemoryHost(new Random(1))
  const postReview = () => Promise.reject(new WriteUnclear('the connection broke'))
  const unlock = () => Promise.reject(new Error('the connection broke'))
  const { calls, ...world } = watched(host, { postReview, unlock })
  await expect(publish(host, treeWith(1), world)).rejects.toMatchObject({
    code: 'host-unavailable',
    message: 'it failed 5 times in a row while the review was written',
  })
  const again = ['pause', 'read', 'review']
  expect(calls).toEqual(['read', 'lock', 'read', 'review', ...again, ...again, ...again, ...again, 'unlock'])
})

test('only what was written, or may have been, is waited for', async () => {
  const host = new MemoryHost(new Random(1))
  const refuses = { putOverview: async () => ({ refused: 'no' }), putCheck: async () => ({ refused: 'no' }) }
  const first = watched(host, refuses)
  await publish(host, treeWith(1), { ...first, overview: 'always' })
  expect(first.calls.filter((call) => !/^(?:(?:un)?lock|read)$/.test(call))).toEqual([
    ...['overview', 'review', 'check', 'pause'],
  ])
  // Nothing new is written.
  const again = watched(host, { putCheck: refuses.putCheck })
  await publish(host, treeWith(1), again)
  expect(again.calls).toEqual(['read', 'check', 'read'])
})

test('a host that has no checks is not asked for one, and all is in the body', async () => {
  const host = new MemoryHost(new Random(1), { check: null })
  const { calls, ...world } = watched(host)
  const { remarks } = await publish(host, treeWith(1), world)
  expect([calls, remarks]).toEqual([['read', 'lock', 'read', 'review', 'unlock'], []])
  expect(host.bodies.map(({ body }) => body).join()).toContain('1 finding.')
})

test('where the host refuses a place, all findings are in the body; refused again, it is an error', async () => {
  const host = new MemoryHost(new Random(1))
  const postReview: ChangeWriter['postReview'] = async (review) => {
    if (review.comments.length > 0) throw new AnchorsRefused('off the diff')
    await host.postReview(review)
  }
  const { remarks } = await publish(host, treeWith(1), { writer: withMethods(host, { postReview }) })
  expect(remarks.join()).toContain('the host refused the place of a comment')
  expect(host.threads).toEqual([])
  expect(host.bodies.map(({ body }) => body).join()).toContain('bug\\_1 ')
  const never = withMethods(host, { postReview: () => Promise.reject(new AnchorsRefused('off the diff')) })
  await expect(publish(host, treeWith(2), { writer: never })).rejects.toThrow('off the diff')
})

test('a publication that was called off writes nothing', async () => {
  const host = new MemoryHost(new Random(1))
  const { calls, ...world } = watched(host)
  const signal = AbortSignal.abort(new Error('called off'))
  await expect(publish(host, treeWith(1), { ...world, signal })).rejects.toThrow('called off')
  expect(calls).toEqual([])
})

test('an overview that is refused is told in the review', async () => {
  const host = new MemoryHost(new Random(1))
  const putOverview = async () => ({ refused: 'it needs issues=write' })
  const { calls, ...world } = watched(host, { putOverview })
  const { remarks, writes } = await publish(host, treeWith(1), { ...world, overview: 'always' })
  expect(remarks).toEqual(['the overview could not be written: it needs issues=write'])
  expect(writes).toBe(2)
  expect(calls.filter((call) => call === 'overview')).toHaveLength(1)
  expect(calls, 'nothing was written that the host may not show yet').not.toContain('pause')
  expect(host.bodies.map(({ body }) => body).join()).toContain('1 finding.')
})

test('who deletes the outdated one of two comments has not dismissed what the other one says', async () => {
  const bugIn = (path: string): Tree =>
    new Map([...base, [path, [`${path} begins`, 'call() // bug 1', `${path} ends`]]])
  for (const { deleted, comments } of [
    { deleted: 'b.ts', comments: ['c.ts', 'd.ts'] },
    { deleted: 'c.ts', comments: ['b.ts'] },
  ]) {
    const host = new MemoryHost(new Random(1), { resolve: false })
    await publish(host, bugIn('b.ts'))
    await publish(host, bugIn('c.ts'))
    expect(host.threads.map(({ path, line }) => ({ path, line }))).toEqual([
      { path: 'b.ts', line: null },
      { path: 'c.ts', line: 2 },
    ])
    host.threads.splice(
      host.threads.findIndex(({ path }) => path === deleted),
      1,
    )
    await publish(host, bugIn('d.ts'))
    expect(
      host.threads.map(({ path }) => path),
      `after ${deleted}`,
    ).toEqual(comments)
  }
})

test('the thread of a finding that was dismissed elsewhere is resolved, and not called fixed', async () => {
  const host = new MemoryHost(new Random(1))
  await publish(host, treeWith(1, 2))
  const { tally } = await publish(host, treeWith(1, 2), { dismissed: 1 })
  expect(tally).toMatchObject({ fixed: 0, dismissed: 1, open: 1, posted: 0 })
  expect(host.threads.map(({ isResolved, replies }) => [isResolved, replies.length])).toEqual([
    [true, 0],
    [false, 0],
  ])
  // Once it is resolved, it stays so, also when the ledger forgets it.
  const writes = host.writes
  await publish(host, treeWith(1, 2))
  expect(host.threads).toHaveLength(2)
  expect(host.writes).toBe(writes + 1)
})
