/**
 * What every host's reader and writer must do, against a server on 127.0.0.1 that enforces the true API over a real git
 * repository. A host joins with an entry in `host-setups.ts` that says how its fake is set up.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { UserError } from '../../src/base/errors.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { Review } from '../../src/domain/review.ts'
import { parseAddress, parseRepositoryAddress } from '../../src/hosts/remote/addresses.ts'
import type { HostAccess } from '../../src/hosts/remote/contract.ts'
import { repositoryUrl } from '../../src/hosts/remote/facts.ts'
import { fetchDefaultBranch, fetchHeads } from '../../src/hosts/remote/fetch-default-branch.ts'
import { makeOnlyMirror } from '../../src/hosts/remote/mirror.ts'
import { hostedSource } from '../../src/hosts/remote/source.ts'
import { openTransport, WritePause } from '../../src/hosts/remote/transport.ts'
import { readOpenPatches } from '../../src/hosts/repository/open-patches.ts'
import { linksAt } from '../../src/pipeline/publish/links.ts'
import { type Delivery, deliverReview } from '../../src/pipeline/publish/sync/deliver.ts'
import { answerMarks } from '../../src/pipeline/publish/sync/marker.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import type { Change } from '../helpers/hosts/engine/change.ts'
import { drawn } from '../helpers/matrix.ts'
import { bugPattern, changeOf, reviewOf } from '../pipeline/publish/sync/bug-world.ts'
import type { HostSetup } from './host-setup.ts'

/** Another one for each test: all requests of one listen to it, and each looks through those that listen already. */
let signal: AbortSignal
beforeEach(() => {
  signal = new AbortController().signal
})

const plain = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}`)
const withBugs = (bugs: readonly number[], count = 60) => {
  const lines = plain(count)
  for (const bug of bugs) lines[(bug * 4) % count] = `call() // bug ${bug}`
  return `${lines.join('\n')}\n`
}
/** Of all files that a test here changes. */
const names = ['a.ts', 'b.ts', 'c.ts', 'z.ts']
const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`

/** Suites so far: each host draws other rows. */
let suites = 0

/** `plays` says which of the stories are told here in which all that differs between hosts is in other stories too. */
export function testHost(setup: HostSetup, plays: (story: number) => boolean = () => true): void {
  const open = async (
    files: Record<string, string> = { 'a.ts': withBugs([1, 2, 3]) },
    fullName = 'acme/shop',
  ) => {
    const fake = await setup.start()
    onTestFinished(() => fake.close())
    const project = fake.world.createProject(fullName, {
      files: { 'a.ts': textOf(plain(60)), 'b.ts': textOf(plain(20)) },
    })
    const change = project.open({ branch: 'topic', files, title: 'A title', body: 'A body', labels: ['bug'] })
    const address = setup.addressOf(fake, project, change)
    const tokens = setup.tokens(fake, project)
    const pause = new WritePause()
    const accessWith = (token: string | null): HostAccess => ({
      token,
      tokenName: tokens.tokenName,
      // Waiting is only said to the clock of the fake.
      fetch: openTransport({
        pause,
        now: () => fake.world.now(),
        sleep: async (ms) => fake.world.passTime(Math.ceil(ms / 1000)),
      }),
    })
    const collect = async () => {
      const reader = setup.host.openReader(address, accessWith(tokens.read))
      const source = hostedSource(address, reader)
      const collected = await source.collect(defaultConfig.limits, signal)
      onTestFinished(async () => {
        await collected.close()
        await source.close?.()
      })
      return collected
    }
    const filesOf = (commit: string) =>
      new Map(
        names.flatMap((name) => {
          const bytes = change.repository.read(commit, name)
          return bytes === null ? [] : [[name, String(bytes).split('\n').slice(0, -1)] as const]
        }),
      )
    /**
     * A new process each time: nothing is remembered but what the host has. Git is not asked for the files, which the reader's
     * half is about. `becomes` happens after reading.
     */
    const publish = async (
      options: {
        maxInline?: number
        becomes?: () => void
        overview?: 'always' | 'findings'
        /** Awaited by a process that has read what is there. */
        onceRead?: () => Promise<void>
      } = {},
    ): Promise<Delivery & { review: Review }> => {
      const hosted = await setup.host.openReader(address, accessWith(tokens.read)).read(signal)
      const [base, head] = [filesOf(change.mergeBase), filesOf(hosted.head)]
      const diff = changeOf(base, head, new Map())
      const review = reviewOf(diff, hosted.head)
      const { repository, changeRequest } = hosted
      Object.assign(review.request, { repository, changeRequest, base: { commit: change.mergeBase } })
      options.becomes?.()
      const writer = setup.host.openWriter(address, accessWith(tokens.write))
      const { onceRead = async () => {}, overview = 'never' } = options
      let isRead = false
      const delivery = await deliverReview({
        writer: new Proxy(writer, {
          get(target, name: keyof typeof writer) {
            if (name !== 'readState') return target[name]
            return async (ending: AbortSignal) => {
              const state = await target.readState(ending)
              if (!isRead) await onceRead()
              isRead = true
              return state
            }
          },
        }),
        overview,
        review,
        change: diff,
        maxInline: options.maxInline ?? 100,
        gate: null,
        scope: { keys: ['contract'], legacy: '', number: address.number },
        readFiles: async () => (side, path) => {
          const lines = (side === 'old' ? base : head).get(path)
          return lines ? textOf(lines) : null
        },
        pause: async () => {
          // However slow this machine is: until the other one is done.
          while (options.onceRead && setup.reactions(fake).length > 0) await delay(20)
        },
        signal,
      })
      return { ...delivery, review }
    }
    return { fake, project, change, address, accessWith, tokens, collect, publish }
  }

  /** Open threads by bug, with the line on which the host shows each. */
  const openThreads = (change: Change) =>
    change.threads
      .filter(({ resolvedBy, anchor, notes }) => anchor && !resolvedBy && !isAnswered(notes))
      .map((thread) => ({ bug: bugOf(thread.notes[0]?.body ?? ''), line: change.placeOf(thread)?.line }))
      .sort((a, b) => Number(a.bug) - Number(b.bug))

  const overviewsOf = (change: Change) =>
    change.comments.filter(({ body }) => body.includes('What was reviewed, and what was not'))

  /** What the lines of the head say. */
  const bugsOf = (change: Change, path = 'a.ts') =>
    String(change.repository.read(change.head, path))
      .split('\n')
      .flatMap((text, at) => {
        const bug = bugPattern.exec(text)?.[1]
        return bug === undefined ? [] : [{ bug, line: at + 1 }]
      })
      .sort((a, b) => Number(a.bug) - Number(b.bug))

  const lacks = (what: Parameters<NonNullable<HostSetup['lacks']>['has']>[0]) =>
    setup.lacks?.has(what) ?? false
  const marker = lacks('html') ? '\\[//\\]: # \\(sightline:' : '<!-- sightline:'
  const postsComments = (path: string) => (setup.commentPath ?? /reviews|draft_notes/).test(path)
  const it = (words: string, run: () => Promise<void>, timeout = 120_000) =>
    test(`${setup.name}: ${words}`, run, timeout)
  const itUnless = (what: Parameters<typeof lacks>[0]) => (lacks(what) ? () => {} : it)
  const shift = suites++
  let stories = 0
  const itOnSome = (words: string, run: () => Promise<void>) => {
    if (plays(stories++)) it(words, run)
  }

  it('a change request is read with its words and people, and its commits without a clone', async () => {
    const { change, project, collect, address } = await open()
    const { request, head, base } = await collect()
    expect(request).toMatchObject({
      title: 'A title',
      body: 'A body',
      head: { commit: change.head },
      base: { commit: change.mergeBase },
      repository: { name: address.name, owner: address.owner },
      changeRequest: {
        number: change.number,
        isFork: false,
        headRef: 'topic',
        baseRef: 'main',
        labels: lacks('labels') ? [] : ['bug'],
      },
    })
    expect(request.changeRequest?.author.login).toBe('ada')
    // Of its commits, whatever the host says of them.
    const message = change.repository.git('log', '-1', '--format=%B', change.head).trim()
    expect(request.messages).toEqual([message])
    expect((await head.readMany(['a.ts'])).get('a.ts')?.text).toContain('bug 2')
    expect((await base.readMany(['b.ts'])).get('b.ts')?.text).toContain('line 7')
    expect(request.limits).toEqual([])
    expect(request.repository?.visibility).toBe(project.isPrivate ? 'private' : 'public')
  })

  const { spacedName } = setup
  if (spacedName !== undefined)
    it('names that an address has to encode are read, fetched, linked and posted to', async () => {
      const { fake, change, address, collect, publish } = await open(undefined, spacedName)
      const { request, head, repositoryLabel } = await collect()
      const [name, ...owner] = spacedName.split('/').toReversed()
      expect(request.repository).toMatchObject({ owner, name })
      expect(repositoryLabel).toBe(`${address.host}/${spacedName}`)
      expect((await head.readMany(['a.ts'])).get('a.ts')?.text).toContain('bug 2')
      const { url } = request.changeRequest ?? {}
      expect(url).toMatch(/^[\w:/.%-]+$/)
      expect(parseAddress(url ?? '', [address])).toEqual(address)
      const link = linksAt(repositoryUrl(address), request, address.kind)
      expect(link?.({ path: 'a.ts', side: 'new', startLine: 1, endLine: 1 })).toMatch(/^http[^ ()']+$/)
      expect((await publish()).tally).toMatchObject({ posted: 3, open: 3 })
      expect(openThreads(change)).toEqual(bugsOf(change))
      expect((await publish()).writes).toBe(0)
      expect(fake.violations).toEqual([])
    })

  itUnless('forks')('the head of a deleted fork is still read', async () => {
    const { fake, project, accessWith, tokens } = await open()
    const fork = project.fork('eve')
    const change = project.open({
      branch: 'evil',
      from: fork,
      files: { 'a.ts': withBugs([7]) },
      author: 'eve',
    })
    change.deleteFork()
    const address = setup.addressOf(fake, project, change)
    const source = hostedSource(address, setup.host.openReader(address, accessWith(tokens.read)))
    if (lacks('heads of deleted forks')) {
      await expect(source.collect(defaultConfig.limits, signal)).rejects.toThrow(/fork was deleted/)
      return
    }
    const collected = await source.collect(defaultConfig.limits, signal)
    expect(collected.request.changeRequest?.isFork).toBe(true)
    expect((await collected.head.readMany(['a.ts'])).get('a.ts')?.text).toContain('bug 7')
    await collected.close()
    await source.close?.()
  })

  const accounts = [
    ['grace', 'write', 0],
    ['ada', 'read', 3],
    ['eve', 'none', 3],
  ] as const
  for (const [login, role, posted] of drawn(accounts, shift))
    it(`a marker of another account counts where that account may write: ${role}`, async () => {
      const { fake, project, change, publish } = await open()
      // On Forgejo, only administrators may ask what others may do.
      project.roles.set('sightline', 'admin')
      project.roles.set(login, role)
      await publish()
      const [deleted, ...others] = change.threads.filter(({ anchor }) => anchor)
      for (const note of [...(deleted?.notes ?? [])]) change.deleteNote(note)
      // As if an earlier token had been theirs; or copied by a stranger or by the author, word for word.
      const author = fake.world.person(login)
      const notes = [...change.comments, ...others.flatMap((thread) => thread.notes)]
      for (const one of [...change.reviews, ...notes]) Object.assign(one, { author })
      expect((await publish()).tally).toMatchObject({ posted })
      expect((await publish()).tally).toMatchObject({ posted: 0 })
      expect(fake.violations).toEqual([])
    })

  itUnless('renaming')(
    'a renamed project is read and posted to by its old address, and nothing is repeated',
    async () => {
      const { fake, project, change, publish, collect, address, accessWith, tokens } = await open()
      await publish()
      const { repositoryId } = await setup.host
        .openWriter(address, accessWith(tokens.write))
        .readState(signal)
      project.rename('acme/store')
      if (lacks('former names')) {
        await expect(collect()).rejects.toMatchObject({ code: 'change-request-unknown' })
        const known = { ...address, repositoryId }
        const access = accessWith(tokens.read)
        expect((await setup.host.openReader(known, access).read(signal)).repository.name).toBe('store')
        expect(await setup.host.openRepository(known, access).listOpen(signal)).toHaveLength(1)
        const writer = setup.host.openWriter(known, accessWith(tokens.write))
        expect((await writer.readState(signal)).repositoryId).toBe(repositoryId)
        expect(fake.violations).toEqual([])
        return
      }
      expect((await collect()).request.repository?.name).toBe('store')
      const writes = fake.writes().length
      await publish()
      expect(fake.writes().length).toBe(writes)
      change.push({ 'a.ts': withBugs([1, 2, 3, 4]) })
      expect((await publish()).tally).toMatchObject({ posted: 1, open: 4 })
      expect(openThreads(change)).toEqual(bugsOf(change))
      expect(fake.violations).toEqual([])
    },
  )

  it('a repository says what it is and who may read it, and its default branch is fetched', async () => {
    const { fake, project, address, accessWith, tokens } = await open()
    const { number: _, ...place } = address
    const lookUp = async () =>
      await setup.host.openRepository(place, accessWith(tokens.read)).lookUp?.(signal)
    const found = await lookUp()
    if (!found) return expect(setup.host.facts.title).toBe('Gerrit')
    expect(found.repository).toMatchObject({ owner: ['acme'], name: 'shop', visibility: project.visibility })
    expect(parseRepositoryAddress(repositoryUrl(place), [place])).toEqual(place)
    expect(parseRepositoryAddress(found.fetch.url, [place])).toEqual(place)
    const mirror = await makeOnlyMirror()
    onTestFinished(() => mirror.release())
    const fetch = () => fetchDefaultBranch(mirror, found.fetch, { fileBytes: 1000, signal })
    expect(await fetch()).toBe(project.head('main'))
    const pushed = project.commit('main', { 'b.ts': 'newer\n' })
    expect(await fetch()).toBe(pushed)
    project.isPrivate = true
    expect((await lookUp())?.repository.visibility).toBe('private')
    project.isDeleted = true
    await expect(lookUp()).rejects.toMatchObject({ code: 'change-request-unknown' })
    expect(fake.violations).toEqual([])
  })

  it('open change requests are listed with their branches and words, and their heads are fetched', async () => {
    const { fake, project, change, address, accessWith, tokens } = await open()
    const from = lacks('forks') ? {} : { from: project.fork('eve') }
    const isFork = !lacks('forks')
    const branch = isFork ? 'topic' : 'other'
    const other = project.open({ branch, ...from, files: { 'b.ts': 'other\n' }, author: 'eve' })
    const reader = setup.host.openRepository(address, accessWith(tokens.read))
    const listed = await reader.listOpen(signal)
    const plainly = listed.map(({ number, title, body, branch, isFork }) => ({
      ...{ number, title, body, branch, isFork },
    }))
    expect(plainly.toSorted((a, b) => a.number - b.number)).toEqual([
      { number: change.number, title: 'A title', body: 'A body', branch: 'topic', isFork: false },
      { number: other.number, title: `Change ${branch}`, body: '', branch, isFork },
    ])
    const found = await reader.lookUp?.(signal)
    if (!found) return expect(setup.host.facts.title).toBe('Gerrit')
    const mirror = await makeOnlyMirror()
    onTestFinished(() => mirror.release())
    const options = { fileBytes: 1000, signal, kind: address.kind }
    await fetchDefaultBranch(mirror, found.fetch, options)
    const fetch = async (changes: typeof listed) => {
      const heads = await fetchHeads(mirror, found.fetch, { ...options, changes })
      return [...heads].toSorted(([a], [b]) => a - b)
    }
    const hasForks = setup.host.facts.headRef !== null
    const ofFork = hasForks ? [[other.number, other.head] as const] : []
    expect(await fetch(listed)).toEqual([[change.number, change.head], ...ofFork])
    change.push({ 'a.ts': 'newer\n' })
    const again = await reader.listOpen(signal)
    expect(await fetch(again)).toEqual([[change.number, change.head], ...ofFork])
    expect(await fetch(again.filter(({ number }) => number === other.number))).toEqual(ofFork)
    expect(fake.violations).toEqual([])
  })

  it('what does not exist, and what a token may not see, is refused in words', async () => {
    const { fake, project, change, address, accessWith } = await open()
    const readWith = (access: HostAccess, number = address.number) =>
      setup.host.openReader({ ...address, number }, access).read(signal)
    await expect(readWith(accessWith(null), 99)).rejects.toMatchObject({ code: 'change-request-unknown' })
    await expect(readWith(accessWith('wrong'))).rejects.toMatchObject({ code: 'host-refused' })
    project.isPrivate = true
    await expect(readWith(accessWith(null))).rejects.toBeInstanceOf(UserError)
    expect(change.threads).toEqual([])
    expect(fake.violations).toEqual([])
  })

  it('a review is posted once, each finding on its line, and the check seals it', async () => {
    const { fake, change, publish, address, accessWith, tokens } = await open()
    const first = await publish()
    expect(first.tally).toMatchObject({ posted: 3, open: 3 })
    expect(openThreads(change)).toEqual(bugsOf(change))
    const writes = fake.writes().length
    const state = await setup.host.openWriter(address, accessWith(tokens.write)).readState(signal)
    if (!lacks('checks')) expect(state.check?.key).toMatch(/^[a-z0-9-]+$/)
    const second = await publish()
    expect(second.writes).toBe(0)
    expect(fake.writes().length).toBe(writes)
    const own = setup.bodyIsNote ? 1 : 0
    expect(change.comments, 'nothing in the conversation but reviews').toHaveLength(own)
    expect(fake.violations).toEqual([])
  })

  it('fifty findings take few writes', async () => {
    const { fake, change, publish } = await open({ 'a.ts': withBugs([]), 'c.ts': withBugs(range(50), 200) })
    const { tally } = await publish({ maxInline: 10 })
    expect(tally).toMatchObject({ posted: 10, listed: 40 })
    expect(openThreads(change)).toHaveLength(10)
    expect(fake.writes().length).toBeLessThanOrEqual(setup.mostWrites)
  })

  itOnSome('of more findings than a body holds, as many are told as fit, and the rest later', async () => {
    const { fake, change, publish } = await open({ 'a.ts': withBugs([]), 'c.ts': withBugs(range(120), 500) })
    const { bodyLength } = setup.host.facts.abilities
    await publish({ maxInline: 40 })
    expect(openThreads(change)).toHaveLength(40)
    change.push({ 'b.ts': textOf(['pushed', ...plain(20)]) })
    await publish({ maxInline: 40 })
    expect(openThreads(change)).toHaveLength(40)
    const bodies = [...change.reviews, ...change.comments].map(({ body }) => body)
    expect(bodies.filter(({ length }) => length > bodyLength)).toEqual([])
    expect(fake.violations).toEqual([])
  })

  it('after a push the fixed are closed, the new are added, and the rest stays', async () => {
    const { change, publish, fake } = await open()
    await publish()
    const before = openThreads(change)
    change.push({ 'a.ts': `${textOf(['new', 'lines', 'above'])}${withBugs([2, 3, 5])}` })
    const { tally } = await publish()
    expect(tally).toMatchObject({ posted: 1, open: 3, fixed: 1 })
    expect(openThreads(change)).toEqual(bugsOf(change))
    expect(change.threads).toHaveLength(before.length + 1)
    const writes = fake.writes().length
    await publish()
    expect(fake.writes().length).toBe(writes)
    expect(fake.violations).toEqual([])
  })

  itOnSome('a rebase, a squash, a forced push and a merge from the base repeat nothing', async () => {
    const { change, project, publish } = await open()
    await publish()
    project.commit('main', { 'b.ts': textOf(['first', ...plain(20)]) })
    change.rebase()
    await publish()
    change.squash()
    await publish()
    project.commit('main', { 'z.ts': 'z\n' })
    change.mergeFromBase()
    await publish()
    change.forcePush({ 'a.ts': withBugs([1, 2, 3]), 'b.ts': textOf(['other', ...plain(20)]) })
    await publish()
    expect(change.threads.filter(({ anchor }) => anchor)).toHaveLength(3)
    expect(openThreads(change).map(({ bug }) => bug)).toEqual(['1', '2', '3'])
  })

  itOnSome('what people delete or resolve stays so', async () => {
    const { change, publish } = await open()
    await publish()
    const [first, second] = change.threads.filter(({ anchor }) => anchor)
    if (!first || !second) throw new Error('there are no threads')
    change.resolve(first, 'ada')
    for (const note of [...second.notes]) change.deleteNote(note)
    change.push({ 'a.ts': `above\n${withBugs([1, 2, 3])}` })
    const { tally } = await publish()
    expect(tally).toMatchObject({ posted: 0, open: 1, dismissed: 2 })
    expect(openThreads(change)).toHaveLength(1)
  })

  // Each host in one way, drawn by a seed; a crash at every request: `histories.test.ts`.
  for (const kind of drawn(['drop-before', 'drop-after', 'fail-after'] as const, shift))
    itOnSome(`interrupted at every write (${kind}), nothing is lost or double`, async () => {
      for (let nth = 1; nth <= 4; nth++) {
        const { change, publish, fake } = await open()
        const fault = kind === 'fail-after' ? { kind, status: 502 } : { kind }
        fake.faults.at(nth, fault, ({ isWrite }) => isWrite)
        await publish()
        fake.faults.clear()
        change.push({ 'a.ts': withBugs([1, 3]) })
        fake.faults.at(nth, fault, ({ isWrite }) => isWrite)
        await publish()
        fake.faults.clear()
        await publish()
        const open_ = openThreads(change)
        expect(open_.filter(({ bug }) => bug !== '2')).toEqual(bugsOf(change))
        expect(change.threads.filter(({ anchor }) => anchor)).toHaveLength(3)
        expect(fake.violations).toEqual([])
      }
    })

  itUnless('lock')('two processes that publish at the same moment say each finding once', async () => {
    const { change, publish, fake } = await open()
    let reading = 2
    const bothRead = Promise.withResolvers<void>()
    const onceRead = async () => {
      if (--reading === 0) bothRead.resolve()
      await bothRead.promise
    }
    await Promise.all([publish({ onceRead, overview: 'always' }), publish({ onceRead, overview: 'always' })])
    expect(openThreads(change)).toEqual(bugsOf(change))
    expect(overviewsOf(change)).toHaveLength(1)
    expect(change.reviews.length + change.comments.length).toBe(2)
    expect(setup.reactions(fake), 'the lock is free again').toEqual([])
    expect(fake.violations).toEqual([])
  })

  itUnless('lock')('who was killed while it published keeps nobody from publishing', async () => {
    const { change, publish, fake, address, accessWith, tokens } = await open()
    expect(await setup.host.openWriter(address, accessWith(tokens.write)).lock(signal)).toBe(true)
    expect(setup.reactions(fake)).toHaveLength(1)
    await publish()
    expect(openThreads(change)).toEqual(bugsOf(change))
    expect(setup.reactions(fake)).toEqual([])
  })

  itUnless('edits')(
    'the overview is one comment that is edited from then on, and stays away when people delete it',
    async () => {
      const { change, publish, fake } = await open()
      await publish({ overview: 'always' })
      const [overview] = overviewsOf(change)
      expect(overview?.body).toMatch(/\*\*On lines of the change\*\*\n\n- .*bug/)
      expect(overview?.body).toContain(
        lacks('html')
          ? '**What was reviewed, and what was not**'
          : '<summary>What was reviewed, and what was not</summary>',
      )
      const [review] = setup.bodyIsNote ? change.comments.slice(1) : change.reviews
      expect(review?.body).toMatch(new RegExp(`^On lines of the change: 3 new findings\\.\n\n${marker}`))
      const writes = fake.writes().length
      await publish({ overview: 'always' })
      expect(fake.writes().length).toBe(writes)
      change.push({ 'a.ts': withBugs([2]) })
      await publish({ overview: 'always' })
      expect(overviewsOf(change)).toEqual([overview])
      expect(overview?.body).toContain('1 finding, 2 fixed')
      expect(overview?.body).toContain(change.head.slice(0, 12))
      if (overview) change.deleteNote(overview)
      change.push({ 'a.ts': withBugs([2, 4]) })
      await publish({ overview: 'always' })
      expect(overviewsOf(change)).toEqual([])
      expect(openThreads(change)).toEqual(bugsOf(change))
      expect(fake.violations).toEqual([])
    },
  )

  itOnSome('a change without findings has an overview too, unless it is to be silent', async () => {
    const clean = { 'a.ts': textOf(['above', ...plain(60)]) }
    for (const overview of ['always', 'findings', undefined] as const) {
      const { change, publish } = await open(clean)
      await publish(overview ? { overview } : {})
      expect(change.threads.filter(({ anchor }) => anchor)).toEqual([])
      expect(overviewsOf(change)).toHaveLength(overview === 'always' ? 1 : 0)
      if (overview !== 'findings') continue
      change.push({ 'a.ts': withBugs([1]) })
      await publish({ overview })
      expect(overviewsOf(change)).toHaveLength(1)
    }
  })

  it('a place that the host refuses loses no finding', async () => {
    const { change, publish, fake } = await open()
    // The first write of a review is refused as GitHub does: without saying for which comment.
    const isPost = ({ isWrite, path }: { isWrite: boolean; path: string }) => isWrite && postsComments(path)
    fake.faults.at(setup.locksByComment ? 2 : 1, { kind: 'fail-before', status: 422 }, isPost)
    const { remarks } = await publish()
    const said = [...change.reviews, ...change.comments, ...change.threads.flatMap(({ notes }) => notes)]
      .map(({ body }) => body)
      .join('\n')
    for (const bug of ['1', '2', '3']) expect(said).toMatch(new RegExp(`bug\\\\?_${bug} `))
    expect(remarks.join()).toContain('refused the place')
    const writes = fake.writes().length
    await publish()
    expect(fake.writes().length).toBe(writes)
  })

  it('a secondary rate limit stops all writes, and they go on when it ends', async () => {
    const { change, publish, fake } = await open()
    await publish()
    change.push({ 'a.ts': withBugs([1, 2, 3, 4]) })
    const began = fake.world.now()
    setup.limitWrites(fake, 90)
    await publish()
    expect(fake.world.now() - began).toBeGreaterThanOrEqual(90_000)
    expect(openThreads(change)).toHaveLength(4)
    expect(fake.violations).toEqual([])
  })

  it('a repository that became public after its change was collected gets nothing of it', async () => {
    const { fake, project, change, publish } = await open()
    project.isPrivate = true
    project.roles.set('sightline', 'write')
    const opened = publish({
      becomes: () => {
        project.isPrivate = false
      },
    })
    await expect(opened).rejects.toMatchObject({ code: 'host-refused' })
    expect(change.threads).toEqual([])
    expect(fake.writes()).toEqual([])
    expect((await publish()).tally).toMatchObject({ posted: 3 })
  })

  it('a comment is answered once, also by who does not know of an earlier answer', async () => {
    const { change, address, accessWith, tokens, publish, fake } = await open()
    await publish()
    const [thread] = change.threads
    if (!thread) throw new Error('nothing was posted')
    // A host whose comments cannot be closed has no threads to answer in.
    const isThread = setup.host.facts.abilities.resolve
    const ask = (words: string) =>
      isThread ? change.reply(thread, 'ada', words) : change.comment('ada', words)
    const said = () => (isThread ? thread.notes : change.comments).map(({ body }) => body)
    const [first, second] = [ask('why?'), ask('and how?')]
    let asked = 0
    const answer = (id: number, body: string) => {
      const scope = { keys: ['contract'], legacy: '', repositoryId: 'shop', number: change.number }
      const marks = answerMarks(String(id), scope)
      const beforeWrite = async () => {
        asked++
      }
      const place = {
        number: change.number,
        id: setup.noteId?.(fake, change, id) ?? String(id),
        place: isThread ? 'thread' : 'conversation',
      } as const
      const access = accessWith(tokens.write)
      return setup.host.answer(address, access, place, { body, marks, beforeWrite }, signal)
    }
    expect(await answer(first.id, 'because')).toBe(true)
    expect(await answer(first.id, 'in other words')).toBe(false)
    expect(await answer(second.id, 'like this')).toBe(true)
    expect(said().filter((body) => /because|in other words|like this/.test(body))).toEqual([
      expect.stringMatching(new RegExp(`^because\n\n${marker}`)),
      expect.stringMatching(new RegExp(`^like this\n\n${marker}`)),
    ])
    expect(asked).toBe(2)
    expect(fake.violations).toEqual([])
  })

  it('what other open change requests change is read once for each of their heads', async () => {
    const { fake, project, change, address, accessWith, tokens } = await open()
    const other = project.open({
      ...{ branch: 'other', title: 'Another', author: 'eve' },
      files: { 'a.ts': textOf(plain(60).with(8, 'changed')), 'new.ts': 'added\n' },
    })
    project.open({ branch: 'done', title: 'Done', files: { 'b.ts': 'gone\n' } }).close()
    const file = join(temporaryFolder(), 'open.json')
    const read = async (isOutOfTime = () => false) => {
      const reader = setup.host.openRepository(address, accessWith(tokens.read))
      const { patches, open: all } = await readOpenPatches(reader, { address, file, isOutOfTime }, signal)
      return { patches, all }
    }
    const { patches, all } = await read()
    expect(patches.map(({ name, title, author }) => [name.slice(1), title, author])).toEqual([
      [String(other.number), 'Another', 'eve'],
    ])
    expect(patches[0]?.head).toBe(lacks('whole ids in lists') ? other.head.slice(0, 12) : other.head)
    expect(all).toBe(1)
    expect(patches[0]?.files).toEqual([
      expect.objectContaining({ path: 'a.ts', oldPath: 'a.ts' }),
      expect.objectContaining({ path: 'new.ts' }),
    ])
    expect(patches[0]?.files[0]?.patch ?? '').toMatch(
      lacks('patches') ? /^$/ : /^@@ -6,7 \+6,7 @@.*\n line 6\n line 7\n line 8\n-line 9\n\+changed\n/,
    )
    // Every further request for a patch would fail.
    const isPatch = ({ path }: { path: string }) => /\/(?:files|diffs?|changes|patch)$|\.diff$/.test(path)
    fake.faults.at(1, { kind: 'fail-before', status: 404 }, isPatch)
    expect((await read()).patches).toEqual(patches)
    other.push({ 'a.ts': textOf(plain(60)) })
    expect(await read(() => true)).toEqual({ patches: [], all: 1 })
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/change-request-unknown|host/) })
    expect((await read()).patches[0]?.files.map(({ path }) => path)).toEqual(['new.ts'])
    expect([change.number, ...fake.violations]).toEqual([address.number])
  })

  it('a comment is acknowledged where the host has reactions', async () => {
    const { fake, change, address, tokens, accessWith } = await open()
    const note = change.comment('ada', '@sightline review')
    const id = setup.noteId?.(fake, change, note.id) ?? String(note.id)
    const place = { number: change.number, id, place: 'conversation' } as const
    const before = fake.writes().length
    await setup.host.acknowledge(address, accessWith(tokens.write), place, signal)
    const { reactions } = setup.host.facts
    expect(fake.writes().slice(before)).toHaveLength(reactions === null ? 0 : 1)
    expect(fake.violations).toEqual([])
  })

  it('a head that moved, and a closed change request, get nothing', async () => {
    const { change, publish, fake } = await open()
    fake.faults.at(1, { kind: 'run', action: () => change.push({ 'b.ts': 'moved\n' }) }, ({ path }) =>
      (setup.commentPath ?? /graphql|discussions|reviews/).test(path),
    )
    await publish().then(
      () => {},
      (error: unknown) => expect(error).toMatchObject({ code: 'head-moved' }),
    )
    change.close()
    await expect(publish()).rejects.toMatchObject({ code: 'change-request-closed' })
  })
}

function isAnswered(notes: readonly { body: string }[]): boolean {
  return notes.some(({ body }) => /^Fixed in /.test(body))
}

function bugOf(body: string): string {
  return /bug\\?_(\d+)/.exec(body)?.[1] ?? ''
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
