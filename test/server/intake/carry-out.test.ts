/**
 * What commands in comments do on each host: state changes in the ledger, threads, questions, and answers in their place.
 * On GitLab and Forgejo also how a change comes in, by webhook and without.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../../src/base/canonical-json.ts'
import { tagOf } from '../../../src/domain/line-tag.ts'
import { hostOf } from '../../../src/hosts/remote/registry.ts'
import type { LedgerEvent } from '../../../src/ledger/contract.ts'
import { foldLedger } from '../../../src/ledger/fold.ts'
import { recordsOf } from '../../../src/ledger/record.ts'
import { writeMarker } from '../../../src/pipeline/publish/sync/marker.ts'
import { addressOf } from '../../../src/server/connections/address.ts'
import { markerKeysFor } from '../../../src/server/connections/marker-keys.ts'
import { reconcileDue } from '../../../src/server/intake/reconcile.ts'
import { openSqlLedger } from '../../../src/server/ledger/sql-ledger.ts'
import type { Change } from '../../helpers/hosts/engine/change.ts'
import { startForgejo } from '../../helpers/hosts/forgejo/server.ts'
import { startGitLab } from '../../helpers/hosts/gitlab/server.ts'
import { sampleFinding } from '../../helpers/sample-review.ts'
import { openIntake, openIntakeWorld, serverKey, webhookSecret } from './intake-world.ts'

const base = { 'a.ts': 'export const one = 1\n' }
const files = { 'a.ts': 'export const one = 1\nexport const two = 0\nexport const three = 0\n' }
const signal = new AbortController().signal

type Intake = Pick<Awaited<ReturnType<typeof openIntake>>, 'connections' | 'database'>
type Place = {
  intake: Intake
  connection: string
  tenant: string
  installation: string | null
  change: Change
}

/** A finding on a line of `a.ts`, as if it had been reviewed: in a signed thread of ours, and by `enter` in the ledger. */
async function show({ intake, connection: name, tenant, installation, change }: Place, line: number) {
  const connection = intake.connections.get(name)
  if (!connection) throw new Error(`no connection ${name}`)
  const { project, number, head, mergeBase } = change
  const id = String(project.id)
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

test('GitHub: a question becomes one job about the last review, in its own lane', async () => {
  const { world, place, change, sayIn } = await openOnGitHub()
  await world.github.hooks.pull(change, 'opened')
  await world.settled()
  await endReviews(world)
  const { id, thread } = await post(place, 2)
  const asked = await sayIn(thread, 'grace', '@sightline who else reads `two`?')
  const jobs = await world.jobs()
  expect(jobs[0]).toMatchObject({
    kind: 'question',
    payload: {
      decision: {
        ...{ kind: 'answer', run: 'the-run', about: [id], question: 'who else reads two?' },
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

function openIntakeOf(kind: 'gitlab' | 'forgejo', url: string, token: string) {
  return openIntake({
    settings: { connections: { host: { kind, url, tenant: 'platform' } } },
    secrets: { host: { appKey: null, token, webhookSecret, previousWebhookSecret: null } },
  })
}

/** A push that no webhook reports. */
async function expectFound(intake: Awaited<ReturnType<typeof openIntake>>, change: Change) {
  const pushed = change.push({ 'b.ts': 'export const b = 1\n' })
  await intake.database.query('update repository set is_known = true')
  expect(await reconcileDue({ ...intake, everyMinutes: 10 }, signal)).toEqual({ changes: 1, deliveries: 0 })
  await intake.settled()
  expect((await intake.queue.jobs('platform'))[0]?.payload.head).toBe(pushed)
}

test('GitLab: a change comes in by webhook and without; ignore in a thread resolves it, resolve the rest', async () => {
  const gitlab = await startGitLab()
  onTestFinished(() => gitlab.close())
  const project = gitlab.world.createProject('group/sub/shop', { files: base })
  for (const login of ['ada', 'reviewer']) project.roles.set(login, 'write')
  const intake = await openIntakeOf('gitlab', gitlab.url, gitlab.state.addToken('reviewer'))
  const change = project.open({ branch: 'topic', files })
  const place: Place = { intake, connection: 'host', tenant: 'platform', installation: null, change }
  const send = async (event: object) => {
    const answer = await fetch(`${intake.url}/webhooks/host`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gitlab-token': webhookSecret,
        'x-gitlab-event-uuid': randomUUID(),
      },
      body: JSON.stringify({ project: { id: project.id, path_with_namespace: project.fullName }, ...event }),
    })
    await intake.settled()
    expect(answer.status).toBe(202)
  }
  const said = async (note: { id: number }, type: string | null) => {
    const attributes = { id: note.id, action: 'create', type, updated_at: new Date().toISOString() }
    const merge_request = { iid: change.number }
    await send({ object_kind: 'note', merge_request, object_attributes: attributes })
  }
  const [first, second] = [await post(place, 2), await post(place, 3)]
  const attributes = { iid: change.number, action: 'open', last_commit: { id: change.head } }
  await send({
    object_kind: 'merge_request',
    object_attributes: { ...attributes, updated_at: new Date().toISOString() },
  })
  const [job] = await intake.queue.jobs('platform')
  expect(job?.payload).toMatchObject({
    address: `${gitlab.url}/group/sub/shop/-/merge_requests/1`,
    ...{ installation: null, head: change.head, decision: { kind: 'review', depth: 'auto' } },
  })
  await said(change.comment('ada', '@sightline full'), null)
  const [ordered] = await intake.queue.jobs('platform')
  expect(ordered?.payload.trigger).toMatchObject({ kind: 'comment', by: 'ada' })
  await endReviews(intake)
  await said(change.reply(first.thread, 'ada', '@sightline explain'), 'DiffNote')
  const [question] = await intake.queue.jobs('platform')
  expect(question).toMatchObject({
    kind: 'question',
    payload: {
      decision: { kind: 'answer', run: 'the-run', about: [first.id], comment: { place: 'thread' } },
    },
  })
  const order = change.reply(first.thread, 'ada', '@sightline ignore because it is meant so')
  await said(order, 'DiffNote')
  expect(gitlab.state.emoji.at(-1)).toMatchObject({ note: order.id, login: 'reviewer', name: 'eyes' })
  expect((await ledgerOf(place)).ledger.findings.get(first.id)?.state).toBe('dismissed')
  expect(first.thread.notes.at(-1)?.body).toContain('Ignored')
  expect(first.thread.resolvedBy?.login).toBe('reviewer')
  expect(second.thread.resolvedBy).toBeNull()
  await said(change.reply(second.thread, 'eve', '@sightline resolve'), 'DiffNote')
  expect(second.thread.resolvedBy).toBeNull()
  await said(change.comment('ada', '@sightline resolve'), null)
  expect(second.thread.resolvedBy?.login).toBe('reviewer')
  expect(change.comments.at(-1)?.body).toMatch(/^Resolved 1 finding\.\n\n<!-- sightline:1 /)
  for (const [login, name] of [
    ['ada', 'thumbsdown'],
    ['eve', 'thumbsup'],
  ] as const)
    gitlab.state.emoji.push({ id: gitlab.world.nextId(), note: second.thread.firstNote, login, name })
  await expectFound(intake, change)
  change.merge()
  await send({ object_kind: 'merge_request', object_attributes: { iid: change.number, action: 'merge' } })
  await expect.poll(() => reactedTo(place), { timeout: 60_000 }).toEqual([['ada', 'down']])
  expect(gitlab.violations).toEqual([])
})

test('Forgejo: a change comes in by webhook and without; commands in the conversation', async () => {
  const forgejo = await startForgejo()
  onTestFinished(() => forgejo.close())
  const project = forgejo.world.createProject('acme/shop', { files: base })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', 'admin')
  const intake = await openIntakeOf('forgejo', forgejo.url, forgejo.addToken('reviewer'))
  const change = project.open({ branch: 'topic', files })
  const place: Place = { intake, connection: 'host', tenant: 'platform', installation: null, change }
  const { id, thread } = await post(place, 2)
  const send = async (kind: string, event: object) => {
    const body = JSON.stringify({ repository: { id: project.id, full_name: project.fullName }, ...event })
    const answer = await fetch(`${intake.url}/webhooks/host`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forgejo-event': kind,
        'x-forgejo-delivery': randomUUID(),
        'x-forgejo-signature': createHmac('sha256', webhookSecret).update(body).digest('hex'),
      },
      body,
    })
    await intake.settled()
    expect(answer.status).toBe(202)
  }
  const say = async (login: string, words: string) => {
    const note = change.comment(login, words)
    const at = { is_pull: true, issue: { number: change.number }, comment: { id: note.id } }
    await send('issue_comment', { action: 'created', ...at })
    return note
  }
  const pull_request = { head: { sha: change.head } }
  await send('pull_request', { action: 'opened', number: change.number, pull_request })
  const [job] = await intake.queue.jobs('platform')
  expect(job?.payload).toMatchObject({ address: `${forgejo.url}/acme/shop/pulls/1`, head: change.head })
  await endReviews(intake)
  await say('ada', `@sightline explain ${id.slice(0, 8)}`)
  await say('ada', '@sightline who else reads two?')
  expect(
    (await intake.queue.jobs('platform')).slice(0, 2).map(({ payload }) => payload.decision),
  ).toMatchObject([
    { kind: 'answer', run: 'the-run', about: [], comment: { place: 'conversation' } },
    { kind: 'answer', about: [id], question: expect.stringContaining('Explain this finding') },
  ])
  await say('eve', `@sightline ignore ${id} because I say so`)
  expect((await ledgerOf(place)).ledger.findings.get(id)?.state).toBe('open')
  const order = await say('ada', `@sightline ignore ${id.slice(0, 8)} because it is meant so`)
  expect((await ledgerOf(place)).ledger.findings.get(id)?.state).toBe('dismissed')
  expect(forgejo.reactions.at(-1)).toEqual({ note: order.id, login: 'reviewer', content: 'eyes' })
  expect(change.comments.at(-1)).toMatchObject({
    author: { login: 'reviewer' },
    body: expect.stringContaining(`Ignored \`${id.slice(0, 8)}\``),
  })
  await say('ada', '@sightline pause')
  expect([...(await ledgerOf(place)).ledger.paused]).toEqual([`${change.number}`])
  forgejo.reactions.push({ note: thread.firstNote, login: 'ada', content: 'confused' })
  await expectFound(intake, change)
  change.close()
  await send('pull_request', { action: 'closed', number: change.number, pull_request })
  await expect.poll(() => reactedTo(place), { timeout: 60_000 }).toEqual([['ada', 'confused']])
  expect(forgejo.violations).toEqual([])
})
