/**
 * What each command does that is no order for a review: it changes the ledger, queues a question, or only says something.
 * Answers are words of ours and ids; not one word of a comment or a finding is repeated in them.
 */
import { createHash } from 'node:crypto'
import { findingOfThread, findingsOnOpenThreads, type GivenScope } from '../../assembly/own-threads.ts'
import { count } from '../../base/count.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import type { LedgerEvent } from '../../ledger/contract.ts'
import { findByName, foldLedger, type Ledger, type LedgerFinding } from '../../ledger/fold.ts'
import type { HostCommand } from '../../ledger/host-commands.ts'
import { markerKeysFor } from '../connections/marker-keys.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import { openSqlLedger } from '../ledger/sql-ledger.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { gateOf, openedOutcome } from '../policies/gate.ts'
import { type IntakeParts, laneOf } from './asked-change.ts'
import type { AskedCommand, Carried, CommandParts, Ordered } from './command-contract.ts'
import { askQuestion, nameOf } from './questions.ts'

/** The same command again changes nothing more. `too early`: nothing was done. Throws as a `ChangeReader` does. */
export async function carryOut(
  parts: IntakeParts & CommandParts,
  ordered: Ordered,
  signal: AbortSignal,
): Promise<Carried | 'too early'> {
  const { command, asked, change } = ordered
  const desk = await openDesk(parts, ordered, signal)
  // A review shows its findings on the host before it ends and they are in the ledger.
  if (!asked.isPatient && namesUnknown(desk, command) && (await isUnderReview(parts, asked)))
    return 'too early'
  switch (command.name) {
    case 'help':
      return { answer: help, outcome: 'answered' }
    case 'config':
      return { answer: configWords(parts, asked, nameOf(change), desk.ledger), outcome: 'answered' }
    case 'pause':
    case 'resume': {
      const type = command.name === 'pause' ? 'paused' : 'resumed'
      await desk.append([{ ...desk.event(type), type, by: desk.by }])
      return { answer: pauseWords[command.name], outcome: type }
    }
    case 'ignore':
      return await ignore(desk, ordered, command, signal)
    case 'right':
      return await confirm(desk, command)
    case 'resolve':
      return await resolveAll(desk, ordered, signal)
    case 'open-gate': {
      const scope = { tenant: asked.tenant, connection: asked.connection.name, repository: nameOf(change) }
      if (!gateOf(effectivePolicy(parts.settings, scope).policy.gate, parts.now()))
        return { answer: 'There is no gate here: the check only informs.', outcome: 'no gate' }
      const opened = { head: change.head, by: desk.by.name, because: command.because }
      const words = `The gate is open for ${change.head.slice(0, 12)} and for no later commit.`
      return { answer: words, outcome: openedOutcome(opened), isRecounted: true }
    }
    case 'explain':
    case 'ask': {
      const about = command.name === 'ask' || command.id === null ? desk.ofThread : null
      const named = command.name === 'explain' && command.id !== null ? desk.find(command.id) : null
      if (named?.problem) return { answer: named.problem, outcome: 'unknown finding' }
      const finding = named?.finding ?? about
      if (command.name === 'explain' && !finding) return { answer: whichOne, outcome: 'unknown finding' }
      const question = command.name === 'ask' ? command.question : explaining
      return await askQuestion(parts, ordered, { question, about: finding ? [...finding.names] : [] })
    }
    // Whoever ordered one is answered by the review.
    case 'review':
    case 'full':
      return { answer: null, outcome: 'ordered' }
  }
}

const explaining =
  'Explain this finding: what is wrong, how it comes to that, what follows from it, and how it can be fixed.'
const whichOne = 'Which finding? Name its id, or write the command in the thread of the finding.'

const pauseWords = {
  pause:
    'Paused: new commits of this change request are not reviewed. `@sightline resume` ends this; `@sightline review` reviews once.',
  resume: 'Resumed: new commits of this change request are reviewed again.',
} as const

function namesUnknown({ ledger, ofThread, namedByThread }: Desk, command: HostCommand): boolean {
  if ('id' in command && command.id !== null) return findByName(ledger, command.id).length === 0
  return namedByThread !== null && ofThread === null
}

async function isUnderReview({ queue }: IntakeParts, asked: AskedCommand): Promise<boolean> {
  const jobs = await queue.jobs(asked.tenant, { lane: laneOf(asked), limit: 5 })
  return jobs.some(({ state }) => state === 'running')
}

/** The ledger of the repository, and what a command writes into it. */
type Desk = {
  ledger: Ledger
  by: Extract<LedgerEvent, { type: 'dismissed' }>['by']
  append(events: readonly LedgerEvent[]): Promise<void>
  /** What all events of this command share. `what`: tells them apart. */
  event(what: string): { id: string; at: string; change: string }
  find(name: string): { finding: LedgerFinding; problem: null } | { finding: null; problem: string }
  /** The finding of the thread that the command was written in; null where there is none. */
  ofThread: LedgerFinding | null
  /** Its id in the thread; the ledger need not have it. */
  namedByThread: string | null
  markers: GivenScope
}

async function openDesk(
  parts: IntakeParts & CommandParts,
  { asked, read, change, address, publishing }: Ordered,
  signal: AbortSignal,
): Promise<Desk> {
  const { connection, tenant, repository, number, comment } = asked
  const { secretKey } = parts
  const key = ledgerKey({ host: connection.host, name: nameOf(change) })
  const store = openSqlLedger(parts.database, tenant)
  const ledger = foldLedger((await store.read(key)).events)
  const keys = await markerKeysFor({ secretKey, connection, tenant, repository: repository.id })
  const markers = { ...keys, number }
  const writer = hostOf(connection.kind).openWriter(address, publishing)
  const record = read.thread === null ? null : await findingOfThread(writer, read.thread, markers, signal)
  return {
    ledger,
    markers,
    ofThread: (record && findByName(ledger, record.id)[0]) ?? null,
    namedByThread: record?.id ?? null,
    by: { kind: 'person', name: read.author.login.slice(0, 200) },
    async append(events) {
      await store.append(key, events)
    },
    event(what) {
      const words = `${connection.name} ${comment} ${what}`
      const id = `command ${createHash('sha256').update(words).digest('hex').slice(0, 32)}`
      return { id, at: parts.now().toISOString(), change: `${number}` }
    },
    find(name) {
      const [finding, ...more] = findByName(ledger, name)
      if (!finding) return { finding: null, problem: `No finding here has the id \`${name}\`.` }
      if (more.length > 0)
        return { finding: null, problem: `Several findings have an id that begins with \`${name}\`.` }
      return { finding, problem: null }
    },
  }
}

async function ignore(
  desk: Desk,
  ordered: Ordered,
  { id, because }: Extract<HostCommand, { name: 'ignore' }>,
  signal: AbortSignal,
): Promise<Carried> {
  const { finding, problem } = id === null ? { finding: desk.ofThread, problem: whichOne } : desk.find(id)
  if (!finding) return { answer: problem, outcome: 'unknown finding' }
  await desk.append([dismissalOf(finding, desk, because, 'wrong')])
  const left = await closeThreads(desk, ordered, (names) => names.has(finding.id), signal)
  const words = `Ignored \`${finding.id.slice(0, 8)}\`: it does not come back until its code changes.`
  const isRecounted = isReviewed(desk, ordered)
  return { answer: [words, ...left].join(' '), outcome: `ignored ${finding.id}`, isRecounted }
}

/** It stays open until it is fixed; that it is right counts for what later reviews show. */
async function confirm(desk: Desk, { id }: Extract<HostCommand, { name: 'right' }>): Promise<Carried> {
  const { finding, problem } = id === null ? { finding: desk.ofThread, problem: whichOne } : desk.find(id)
  if (!finding) return { answer: problem, outcome: 'unknown finding' }
  const { id: name, change } = finding
  await desk.append([
    { ...desk.event(name), change, finding: name, type: 'reacted', by: desk.by, reaction: 'up' },
  ])
  const words = `Confirmed \`${name.slice(0, 8)}\`: ${desk.by.name} checked it.`
  return { answer: words, outcome: `confirmed ${name}` }
}

/** In a thread its finding, otherwise all that are open on the change request. */
async function resolveAll(desk: Desk, ordered: Ordered, signal: AbortSignal): Promise<Carried> {
  const own = desk.ofThread?.id ?? desk.namedByThread
  const findings = [...desk.ledger.findings.values()].filter((finding) =>
    own !== null
      ? finding.id === own
      : finding.change === `${ordered.asked.number}` &&
        (finding.state === 'open' || finding.state === 'reopened'),
  )
  const because = `${ordered.read.author.login} resolved it with a command`
  await desk.append(findings.map((finding) => dismissalOf(finding, desk, because, 'accepted')))
  const left = await closeThreads(desk, ordered, (names) => own === null || names.has(own), signal)
  const words = count(findings.length, 'finding')
  const isRecounted = findings.length > 0 && isReviewed(desk, ordered)
  return { answer: [`Resolved ${words}.`, ...left].join(' '), outcome: `resolved ${words}`, isRecounted }
}

/** Has a check that counts findings, and nobody paused it. */
function isReviewed({ ledger: { heads, paused } }: Desk, { asked }: Ordered): boolean {
  const change = `${asked.number}`
  return heads.has(change) && !paused.has(change)
}

function dismissalOf(
  finding: LedgerFinding,
  desk: Desk,
  because: string,
  kind: 'wrong' | 'accepted',
): LedgerEvent {
  return {
    ...desk.event(finding.id),
    change: finding.change,
    finding: finding.id,
    type: 'dismissed',
    by: desk.by,
    because,
    kind,
    reach: { kind: 'here' },
  }
}

/** Returns what could not be done, in words. */
async function closeThreads(
  desk: Desk,
  { asked, address, publishing }: Ordered,
  isMeant: (names: ReadonlySet<string>) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const writer = hostOf(asked.connection.kind).openWriter(address, publishing)
  if (!writer.abilities.resolve) return []
  const open = await findingsOnOpenThreads(writer, desk.markers, signal)
  const closings = open.flatMap(({ thread, record }) => {
    const [finding] = findByName(desk.ledger, record.id)
    const names = new Set([record.id, ...(finding ? [finding.id] : [])])
    return isMeant(names) ? [{ thread, reply: null }] : []
  })
  if (closings.length === 0) return []
  const { refused } = await writer.closeThreads(closings, signal)
  return refused === null ? [] : ['Its thread stays open: Sightline lacks the right to resolve it.']
}

function configWords(
  { settings }: IntakeParts,
  { connection, tenant, number }: AskedCommand,
  repository: string,
  ledger: Ledger,
): string {
  const scope = { tenant, connection: connection.name, repository }
  const { policy, sources, perReviewUsd, offBy } = effectivePolicy(settings, scope)
  const shown = (value: unknown) => `\`${JSON.stringify(value).replaceAll('`', "'").replaceAll('|', '\\|')}\``
  const rows = Object.entries(policy).map(
    ([key, value]) => `| ${key} | ${shown(value)} | ${sources[key as keyof typeof sources]} |`,
  )
  return [
    offBy === null ? 'Reviews are on.' : `Reviews are turned off by ${offBy}.`,
    ledger.paused.has(`${number}`) ? 'This change request is paused.' : '',
    perReviewUsd === null ? '' : `A review may cost $${perReviewUsd.toFixed(2)}.`,
    `\n\n| Setting | Value | Set by |\n|---|---|---|\n${rows.join('\n')}`,
    '\n\nThe rest is in `.sightline.yaml` of the target branch.',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

const help = `Write one of these on a separate line:

| Command | What it does |
|---|---|
| \`@sightline review\` | reviews the change as it is now |
| \`@sightline full\` | the same, and asks models about all of it again |
| \`@sightline explain ID\` | explains a finding; in its thread without the id |
| \`@sightline wrong ID\`, \`@sightline right ID\` | answers what "Wrong if" says; in its thread without the id |
| \`@sightline ignore ID because …\` | dismisses a finding; in its thread without the id |
| \`@sightline open-gate because …\` | lets the check of this commit pass; not for the author |
| \`@sightline resolve\` | in a thread, resolves its finding; elsewhere, all open findings |
| \`@sightline pause\`, \`@sightline resume\` | stops and restarts reviews of new commits |
| \`@sightline config\` | shows the settings that apply here |
| \`@sightline help\` | shows this list |
| \`@sightline\` and a question | answers it from the code, with evidence |`
