/**
 * What commands in comments do: state changes in the ledger, threads, questions, and answers in their place. On another host, drawn
 * by a seed, also how a change comes in, by webhook and without.
 */
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../../src/base/canonical-json.ts'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { tagOf } from '../../../src/domain/line-tag.ts'
import { factsOf } from '../../../src/hosts/remote/facts.ts'
import { hostOf } from '../../../src/hosts/remote/registry.ts'
import type { LedgerEvent } from '../../../src/ledger/contract.ts'
import { foldLedger } from '../../../src/ledger/fold.ts'
import { outcomeOf } from '../../../src/ledger/outcomes.ts'
import { recordsOf } from '../../../src/ledger/record.ts'
import { writeMarker } from '../../../src/pipeline/publish/sync/marker.ts'
import { addressOf } from '../../../src/server/connections/address.ts'
import { markerKeysFor } from '../../../src/server/connections/marker-keys.ts'
import { reconcileDue } from '../../../src/server/intake/reconcile.ts'
import { ReviewJob } from '../../../src/server/jobs/contract.ts'
import { openSqlLedger } from '../../../src/server/ledger/sql-ledger.ts'
import type { Change } from '../../helpers/hosts/engine/change.ts'
import { drawn } from '../../helpers/matrix.ts'
import { sampleFinding } from '../../helpers/sample-review.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { openIntake, openIntakeWorld, serverKey } from './intake-world.ts'

const base = { 'a.ts': 'export const one = 1\n' }
const files = { 'a.ts': 'export const one = 1\nexport const two = 0\nexport const three = 0\n' }
const signal = new AbortController().signal

type Intake = Pick<Awaited<ReturnType<typeof openIntake>>, 'connections' | 'database'>
type Place = {
  intake: Intake
  connection: string
  tenant: string
  installation: string | null
  /** As the host names it; a number on GitHub. */
  repositoryId?: string
  change: Change
}

/** A finding on a line of `a.ts`, as if it had been reviewed: in a signed thread of ours, and by `enter` in the ledger. */
async function show(place: Place, line: number) {
  const { intake, connection: name, tenant, installation, change } = place
  const connection = intake.connections.get(name)
  if (!connection) throw new Error(`no connection ${name}`)
  const { project, number, head, mergeBase } = change
  const id = place.repositoryId ?? String(project.id)
  const text = files['a.ts'].split('\n')[line - 1] ?? ''
  const finding = sampleFinding({
    rule: 'rules/zero',
    title: `Line ${line} is zero`,
    anchor: { path: 'a.ts', tags: [tagOf({ kind: 'added', old: null, new: line, text, hash: '' })] },
    startLine: line,
    endLine: line,
    excerpt: [],
    fingerprint: sha256(`zero ${line}`),
  })
  const [record] = recordsOf([finding], () => files['a.ts'])
  if (!record) throw new Error('no record')
  const { rule, severity, category, plane } = finding
  const seen: LedgerEvent = {
    ...{ id: `seen ${record.id}`, at: '2026-11-22T20:00:00.000Z', change: `${number}`, type: 'seen' },
    ...{ finding: record.id, record, head, run: null },
    facts: { plane, rule, severity, category, model: null },
  }
  const enter = () =>
    openSqlLedger(intake.database, tenant).append(`${connection.host}/${project.fullName}`, [seen])
  const at = { old: null, new: line, counted: { old: 2, new: line } }
  const access = await connection.open({ installation, id }, 'publish', signal)
  const address = addressOf(connection, { id, fullName: project.fullName }, number)
  const writer = hostOf(connection.kind).openWriter(address, access)
  const { me } = await writer.readState(signal)
  const keys = await markerKeysFor({ secretKey: serverKey, connection, tenant, repository: id })
  const marker = { ...keys, me, repositoryId: id, number }
  await writer.postReview(
    {
      head,
      base: mergeBase,
      body: writeMarker({ kind: 'review', head, inline: [record], listed: [] }, marker),
      comments: [
        {
          ...{ path: 'a.ts', oldPath: 'a.ts', side: 'new', start: at, end: at },
          body: `Zero.\n\n${writeMarker({ kind: 'finding', head, record }, marker)}`,
        },
      ],
    },
    signal,
  )
  const thread = change.threads.at(-1)
  if (!thread) throw new Error('no thread')
  return { id: record.id, thread, enter }
}

async function post(place: Place, line: number) {
  const shown = await show(place, line)
  await shown.enter()
  return shown
}

/** As if all jobs had ended with a review on record. */
async function endReviews({ database }: Pick<Intake, 'database'>) {
  const result = JSON.stringify({ run: 'the-run' })
  await database.query(`update job set state = 'reviewed', ended_at = now(), result = $1::jsonb`, [result])
}

async function ledgerOf({ intake, connection, tenant, change }: Place) {
  const host = intake.connections.get(connection)?.host
  const { events } = await openSqlLedger(intake.database, tenant).read(`${host}/${change.project.fullName}`)
  return { events, ledger: foldLedger(events) }
}

async function openOnGitHub() {
  const world = await openIntakeWorld()
  const { github, project, tenant, installation } = world
  project.roles.set('grace', 'write')
  const change = project.open({ branch: 'topic', files, author: 'grace' })
  const place: Place = {
    intake: world,
    connection: 'github',
    tenant,
    installation: String(installation.id),
    change,
  }
  const say = async (login: string, words: string) => {
    const note = change.comment(login, words)
    await github.hooks.comment(change, note)
    await world.settled()
    return note
  }
  const sayIn = async (thread: Change['threads'][number], login: string, words: string) => {
    const note = change.reply(thread, login, words)
    await github.hooks.threadComment(change, thread, note)
    await world.settled()
    return note
  }
  const answers = () => change.comments.filter(({ author }) => author.login === 'sightline[bot]')
  return { world, place, change, say, sayIn, answers }
}

test('GitHub: each command is acknowledged, carried out, answered in its place, and on record', async () => {
  const { world, place, say, sayIn, answers } = await openOnGitHub()
  const { github } = world
  const first = await post(place, 2)
  const second = await post(place, 3)
  const ignoring = await sayIn(first.thread, 'grace', '@sightline ignore because `tests` only')
  expect((await ledgerOf(place)).ledger.findings.get(first.id)).toMatchObject({
    state: 'dismissed',
    dismissal: { by: { kind: 'person', name: 'grace' }, because: 'tests only', kind: 'wrong' },
  })
  expect(github.state.reactions).toContainEqual({
    ...{ id: expect.any(Number), note: ignoring.id, login: 'sightline[bot]', content: 'eyes' },
  })
  expect(first.thread.notes.at(-1)?.body).toContain(`Ignored \`${first.id.slice(0, 8)}\``)
  expect(first.thread.notes.at(-1)?.body).not.toContain('only')
  await say('grace', `@sightline ignore ${second.id.slice(0, 8)} because it is meant so`)
  expect((await ledgerOf(place)).ledger.findings.get(second.id)?.state).toBe('dismissed')
  for (const [words, answer] of [
    ['@sightline help', '`@sightline resolve`'],
    ['@sightline config', '| drafts | `"skip"` | the policy of this server |'],
    ['@sightline ignore 0123456789 because of this', 'No finding here has the id `0123456789`.'],
    ['@sightline ignore 0123456789', '`ignore` needs a reason'],
    ['@sightline ignore because <b>this</b>', 'A command is plain text, without HTML'],
    ['@sightline explain', 'Which finding?'],
    ['@sightline why is that so?', 'no review yet'],
  ] as const) {
    const before = answers().length
    await say('grace', words)
    expect(
      answers()
        .slice(before)
        .map(({ body }) => body),
    ).toEqual([expect.stringContaining(answer)])
  }
  expect(await world.jobs()).toEqual([])
  const rows = await world.database.query(
    'select name, outcome, done_at is not null as is_done from host_command order by at',
  )
  expect(rows).toHaveLength(9)
  expect(rows[0]).toEqual({ name: 'ignore', outcome: `ignored ${first.id}`, is_done: true })
  expect(github.violations).toEqual([])
})

test('GitHub: what would show a finding to be wrong is answered in its thread', async () => {
  const { place, sayIn } = await openOnGitHub()
  const [first, second] = [await post(place, 2), await post(place, 3)]
  await sayIn(first.thread, 'grace', '@sightline wrong')
  await sayIn(second.thread, 'grace', '@sightline right')
  await sayIn(second.thread, 'mallory', '@sightline wrong')
  const { ledger } = await ledgerOf(place)
  const outcomes = [first, second].map(({ id }) => {
    const finding = ledger.findings.get(id)
    return [finding?.state, finding && outcomeOf(ledger, finding)]
  })
  expect(outcomes).toEqual([
    ['dismissed', 'wrong'],
    ['open', 'right'],
  ])
  expect(second.thread.notes.at(-2)?.body).toContain(
    `Confirmed \`${second.id.slice(0, 8)}\`: grace checked it.`,
  )
})

test('GitHub: a finding that is on the host already and in the ledger at the end of the review can be named', async () => {
  const { world, place, change, answers } = await openOnGitHub()
  const { github, database } = world
  await github.hooks.pull(change, 'opened')
  await world.settled()
  await database.query(`update job set state = 'running'`)
  const [first, second] = [await show(place, 2), await show(place, 3)]
  await github.hooks.comment(
    change,
    change.comment('grace', `@sightline ignore ${first.id.slice(0, 8)} because it is meant so`),
  )
  await github.hooks.threadComment(
    change,
    second.thread,
    change.reply(second.thread, 'grace', '@sightline resolve'),
  )
  await expect.poll(() => world.lines.join('')).toContain('the review has not ended')
  expect(answers()).toEqual([])
  for (const { enter } of [first, second]) await enter()
  await endReviews(world)
  await world.settled()
  const { findings } = (await ledgerOf(place)).ledger
  expect([first, second].map(({ id }) => findings.get(id)?.dismissal?.kind)).toEqual(['wrong', 'accepted'])
  expect(github.violations).toEqual([])
})

test('GitHub: to resolve a thread whose finding the ledger has lost resolves no other', async () => {
  const { place, sayIn } = await openOnGitHub()
  const [lost, kept] = [await show(place, 2), await post(place, 3)]
  await sayIn(lost.thread, 'grace', '@sightline resolve')
  expect((await ledgerOf(place)).ledger.findings.get(kept.id)?.state).toBe('open')
  expect(lost.thread.notes.at(-1)?.body).toContain('Resolved 0 findings.')
})

test.each(['a comment', 'a webhook', 'the reconciler'])(
  'GitHub: findings stay known under the new name of a repository that %s tells of',
  async (how) => {
    const { world, place, change, say, answers } = await openOnGitHub()
    const { github, project } = world
    await reconcileDue({ ...world, everyMinutes: 10 }, signal)
    await github.hooks.pull(change, 'opened')
    await world.settled()
    const [first, second] = [await post(place, 2), await post(place, 3)]
    await say('grace', `@sightline ignore ${first.id} because it is meant so`)
    project.rename('acme/store')
    if (how === 'a webhook') await github.hooks.pull(change, 'edited')
    await world.settled()
    if (how === 'the reconciler') {
      await world.database.query("update redelivery set at = '-infinity'")
      await reconcileDue({ ...world, everyMinutes: 10 }, signal)
    }
    await say('grace', `@sightline ignore ${second.id} because it is meant so`)
    expect(answers().at(-1)?.body).toContain(`Ignored \`${second.id.slice(0, 8)}\``)
    const { events, ledger } = await ledgerOf(place)
    expect(events.map(({ type }) => type)).toEqual(['seen', 'seen', 'dismissed', 'dismissed'])
    expect([...ledger.findings.values()].map(({ state }) => state)).toEqual(['dismissed', 'dismissed'])
    expect(await openSqlLedger(world.database, place.tenant).repositories()).toHaveLength(1)
  },
)

test('GitHub: a pause holds back pushes and not people, until somebody resumes', async () => {
  const { world, place, change, say } = await openOnGitHub()
  await say('grace', '@sightline pause')
  expect([...(await ledgerOf(place)).ledger.paused]).toEqual([`${change.number}`])
  change.push({ 'b.ts': 'export const b = 1\n' })
  await world.github.hooks.pull(change, 'synchronize')
  await world.settled()
  expect((await world.jobs())[0]?.payload.decision).toEqual({
    ...{ kind: 'skip', why: 'reviews of this change request are paused', by: 'grace', isHeld: true },
  })
  await say('grace', '@sightline review')
  expect((await world.jobs())[0]?.payload.decision).toMatchObject({ kind: 'review' })
  expect((await world.jobs())[0]?.payload.decision).not.toHaveProperty('isFull')
  await say('grace', '@sightline full')
  expect((await world.jobs())[0]?.payload.decision).toMatchObject({ kind: 'review', isFull: true })
  await say('grace', '@sightline resume')
  change.push({ 'b.ts': 'export const b = 2\n' })
  await world.github.hooks.pull(change, 'synchronize')
  await world.settled()
  expect((await world.jobs())[0]?.payload.decision).toMatchObject({ kind: 'review' })
  expect(world.github.violations).toEqual([])
})

const secret = `ghp_${'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx'}`

test('GitHub: a question becomes one job about the last review, in its own lane', async () => {
  const { world, place, change, sayIn } = await openOnGitHub()
  await world.github.hooks.pull(change, 'opened')
  await world.settled()
  await endReviews(world)
  const { id, thread } = await post(place, 2)
  const asked = await sayIn(thread, 'grace', `@sightline who else reads \`two\`, and is ${secret} known?`)
  const jobs = await world.jobs()
  expect(jobs[0]).toMatchObject({
    kind: 'question',
    payload: {
      decision: {
        ...{
          kind: 'answer',
          run: 'the-run',
          about: [id],
          question: 'who else reads two, and is ghp_… known?',
        },
        ...{ comment: { id: String(asked.id), place: 'thread' }, budgetUsd: 2 },
      },
    },
  })
  expect(new Set(jobs.map(({ lane }) => lane)).size).toBe(2)
  await world.github.hooks.threadComment(change, thread, asked)
  await world.settled()
  expect(await world.jobs()).toHaveLength(jobs.length)
  await sayIn(thread, 'grace', '@sightline explain')
  expect((await world.jobs())[0]?.payload.decision).toMatchObject({
    ...{ kind: 'answer', about: [id], question: expect.stringContaining('Explain this finding') },
  })
})

/** Who said what of a finding, as the ledger keeps it: read after the event is answered. */
async function reactedTo(place: Place) {
  const { ledger } = await ledgerOf(place)
  return ledger.reactions.map(({ by, reaction }) => [by.name, reaction])
}

test('GitHub: what people show of a finding is kept; programs and strangers show nothing', async () => {
  const { world, place, change } = await openOnGitHub()
  const { thread } = await post(place, 2)
  const note = thread.firstNote
  for (const [login, content] of [
    ['grace', '+1'],
    ['helper[bot]', '-1'],
    ['mallory', '-1'],
    ['grace', 'eyes'],
  ] as const) {
    world.github.world.person(login)
    world.github.state.reactions.push({ id: world.github.world.nextId(), note, login, content })
  }
  change.merge()
  for (let nth = 0; nth < 2; nth++) {
    await world.github.hooks.pull(change, 'closed')
    await world.settled()
  }
  await expect.poll(() => reactedTo(place), { timeout: 60_000 }).toEqual([['grace', 'up']])
  // A day later it is read once more, and never again.
  world.github.world.person('linus')
  world.project.roles.set('linus', 'write')
  world.github.state.reactions.push({ id: world.github.world.nextId(), note, login: 'linus', content: '+1' })
  const reconcileAfter = async (hours: number) => {
    await world.database.query(
      'update review_trigger set received_at = received_at - make_interval(hours => $1)',
      [hours],
    )
    await world.database.query("update repository set reconciled_at = now() - interval '2 hours'")
    await reconcileDue({ ...world, everyMinutes: 10 }, new AbortController().signal)
    await world.settled()
  }
  await reconcileAfter(25)
  const both = [
    ['grace', 'up'],
    ['linus', 'up'],
  ]
  await expect.poll(() => reactedTo(place), { timeout: 60_000 }).toEqual(both)
  await reconcileAfter(3)
  expect((await world.triggers()).filter(({ kind }) => kind === 'reconciler')).toHaveLength(1)
  expect(world.github.violations).toEqual([])
})

test('commands that are nobody’s to give get nothing, and leave nothing behind', async () => {
  const { world, place, change, say, sayIn, answers } = await openOnGitHub()
  const { id, thread } = await post(place, 2)
  const command = `@sightline ignore ${id.slice(0, 8)} because I say so`
  await say('mallory', command)
  await say('helper[bot]', command)
  await sayIn(thread, 'mallory', '@sightline resolve')
  // In code, in a quote, in the middle of a sentence, of another name.
  for (const words of [
    `\`\`\`\n${command}\n\`\`\``,
    `> ${command}`,
    `    ${command}`,
    `please ${command}`,
    command.replace('@sightline', '@sightline-fan'),
    `<!--\n${command.replace('@', '&#64;')}\n-->`,
  ])
    await say('grace', words)
  // Somebody with more rights edited it: nobody knows whose words they are.
  const edited = change.comment('grace', 'fine')
  change.editNote(edited, command)
  await world.github.hooks.comment(change, edited, 'edited')
  // A marker of ours, copied by a stranger, makes no thread of ours.
  const copied = change.comment('mallory', thread.notes[0]?.body ?? '')
  await world.github.hooks.comment(change, copied)
  change.title = command
  change.body = command
  change.push({ 'a.ts': `${files['a.ts']}// ${command}\n` })
  await world.github.hooks.pull(change, 'edited')
  await world.settled()
  const { events, ledger } = await ledgerOf(place)
  expect(events.map(({ type }) => type)).toEqual(['seen'])
  expect(ledger.findings.get(id)?.state).toBe('open')
  expect(answers()).toEqual([])
  expect(thread.notes.map(({ author }) => author.login)).toEqual(['sightline[bot]', 'mallory'])
  expect(await world.database.query('select name from host_command')).toEqual([])
})

test('one person gets an answer for ten commands in an hour, and one that says so', async () => {
  const { world, say, answers } = await openOnGitHub()
  for (let nth = 1; nth <= 13; nth++) await say('grace', '@sightline help')
  expect(answers()).toHaveLength(11)
  expect(answers().at(-1)?.body).toContain('Too many commands')
  expect(await world.database.query('select name from host_command where not is_refused')).toHaveLength(10)
})

/** Commands are the same everywhere, and rows of them above: this is what each host makes of them. */
const others = hostKinds.filter((kind) => kind !== 'github')

test.each(drawn(others))('%s: a change comes in by webhook and without, and commands', async (kind) => {
  const host = await connectHost(kind, { base, files })
  onTestFinished(() => host.close())
  const { change } = host
  const intake = await openIntake({
    settings: { connections: { host: { ...host.connection(), url: host.url } } },
    secrets: { host: host.secrets },
  })
  const newest = async () => (await intake.queue.jobs('platform'))[0]?.payload
  const announce = async (action: 'opened' | 'closed') => {
    await host.announce(intake.url, action)
    await intake.settled()
  }
  const say = async (login: string, words: string) => {
    await host.say(intake.url, change.comment(login, words))
    await intake.settled()
  }
  await announce('opened')
  expect(await newest()).toMatchObject({
    ...{ address: host.address(), installation: null, head: change.head },
    decision: { kind: 'review', depth: 'auto' },
  })
  const repositoryId = ReviewJob.parse(await newest()).repository.id ?? ''
  const about = { connection: 'host', tenant: 'platform', installation: null }
  const place: Place = { intake, change, repositoryId, ...about }
  const [first, second] = [await post(place, 2), await post(place, 3)]
  const stateOf = async ({ id }: { id: string }) => (await ledgerOf(place)).ledger.findings.get(id)?.state
  await say('ada', '@sightline full')
  expect((await newest())?.trigger).toMatchObject({ kind: 'comment', by: 'ada' })
  await endReviews(intake)
  await say('ada', `@sightline explain ${first.id.slice(0, 8)}`)
  expect((await newest())?.decision).toMatchObject({
    ...{
      kind: 'answer',
      run: 'the-run',
      about: [first.id],
      comment: { place: host.answers ? 'thread' : 'conversation' },
    },
  })
  await say('eve', `@sightline ignore ${first.id} because I say so`)
  expect(await stateOf(first)).toBe('open')
  await say('ada', `@sightline ignore ${first.id.slice(0, 8)} because it is meant so`)
  expect(await stateOf(first)).toBe('dismissed')
  const said = () => [...change.comments, ...(host.answers?.() ?? [])].map(({ body }) => body).join('\n')
  expect(said()).toContain(`Ignored \`${first.id.slice(0, 8)}\``)
  const { resolve } = factsOf(kind).abilities
  expect(first.thread.resolvedBy !== null).toBe(resolve)
  expect(second.thread.resolvedBy).toBeNull()
  await say('ada', '@sightline resolve')
  expect(said()).toMatch(/Resolved [01] finding/)
  expect(second.thread.resolvedBy !== null).toBe(resolve)
  for (const login of ['ada', 'eve']) host.like?.(login, second.thread.firstNote)
  // A push that no webhook reports.
  const pushed = change.push({ 'b.ts': 'export const b = 1\n' })
  await intake.database.query('update repository set is_known = true')
  expect(await reconcileDue({ ...intake, everyMinutes: 10 }, signal)).toEqual({ changes: 1, deliveries: 0 })
  await intake.settled()
  expect((await newest())?.head).toBe(pushed)
  change.close()
  await announce('closed')
  await expect.poll(() => reactedTo(place), { timeout: 60_000 }).toEqual(host.like ? [['ada', 'up']] : [])
  expect(host.violations).toEqual([])
})
