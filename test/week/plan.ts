/** What happens in a week and when, from its seed alone. */
import { type BuiltInHostKind, hostKinds } from '../../src/domain/host-kind.ts'
import { Random } from '../helpers/random.ts'

export type WeekOptions = {
  seed: number
  minutes: number
  repositories: number
  changes: number
  database: 'embedded' | 'postgres'
  /** One each twenty minutes when not given. */
  deploys?: number
  /**
   * How many seconds a day of the stored data takes: all that is kept for a number of days is a day older then, and what is too old
   * is deleted, as an operator's server does. Change requests are closed within `mostDaysOpen`, so that as many are open all the time.
   */
  day?: number
  /** Kinds of happenings that are left out. */
  without?: readonly string[]
}

export type PlannedChange = { host: BuiltInHostKind; owner: string; repository: string; seed: number }

export type Happening =
  | { kind: 'open' | 'push' | 'disturb' | 'ask' | 'close'; change: number }
  | { kind: 'host-down' | 'rate-limit' | 'host-clock'; host: BuiltInHostKind; seconds: number }
  | { kind: 'database-down' | 'model-down' | 'clock-jump'; seconds: number }
  | { kind: 'day' }
  | { kind: 'server-killed'; server: number; seconds: number }
  | { kind: 'deploy' | 'webhook-secrets' | 'secret-key' | 'tokens' | 'delete-tenant' }
  | { kind: 'rename'; project: number }

/** `at`: milliseconds after the beginning. */
export type Planned = Happening & { at: number }

export const deletedOwner = 'initech'
/** Those of few repositories are among the first. */
const owners = ['acme', deletedOwner, 'globex']
/** Of the whole time; what comes after is peace. */
const openUntil = 0.75
const pushedUntil = 0.95
const deletedAt = 0.6
const mostPushes = 5
const mostDaysOpen = 20

/** Outages are as long as on a bad day; a week has few, so a short run has at least one of each. */
export function planWeek(options: WeekOptions): { changes: PlannedChange[]; happenings: Planned[] } {
  const { seed, minutes, repositories, database } = options
  const random = new Random(seed)
  const whole = minutes * 60_000
  const inWhole = (from: number, to: number) => whole * (from + random.next() * (to - from))
  const changes = Array.from({ length: options.changes }, (_, at): PlannedChange => {
    const number = at % repositories
    const host = hostKinds[number % hostKinds.length] ?? 'github'
    const owner =
      host === 'github' ? (owners[Math.floor(number / hostKinds.length) % owners.length] ?? '') : 'acme'
    return { host, owner, repository: `shop-${number}`, seed: seed * 10_000 + at }
  })
  const happenings = changes.flatMap(({ owner }, change): Planned[] => {
    const openAt = inWhole(0, options.day === undefined ? openUntil : pushedUntil)
    const last = whole * (owner === deletedOwner ? deletedAt - 0.02 : pushedUntil)
    if (openAt >= last) return []
    const closesAt =
      options.day === undefined ? last : openAt + options.day * 1000 * random.between(1, mostDaysOpen)
    const end = Math.min(closesAt, last)
    const later = () => openAt + random.next() * (end - openAt)
    const some = (kind: 'push' | 'disturb' | 'ask', most: number) =>
      Array.from({ length: random.between(0, most) }, (): Planned => ({ kind, change, at: later() }))
    const deeds = [...some('push', mostPushes), ...some('disturb', 2), ...some('ask', 1)]
    const isClosed = options.day === undefined ? random.chance(0.2) : closesAt < last
    return [
      { kind: 'open', change, at: openAt },
      ...deeds,
      ...(isClosed ? [{ kind: 'close', change, at: end } as const] : []),
    ]
  })
  const each = (everyMinutes: number, make: () => Happening) =>
    Array.from(
      { length: Math.max(1, Math.round(minutes / everyMinutes)) },
      (): Planned => ({
        ...make(),
        at: inWhole(0.05, 0.9),
      }),
    )
  const host = () => random.pick(hostKinds)
  const troubles: Planned[] = [
    ...each(15, () => ({ kind: 'host-down', host: host(), seconds: random.between(5, 40) })),
    ...each(10, () => ({ kind: 'rate-limit', host: host(), seconds: random.between(10, 60) })),
    ...each(40, () => ({ kind: 'host-clock', host: host(), seconds: random.between(10, 120) })),
    ...each(30, () => ({ kind: 'model-down', seconds: random.between(10, 60) })),
    ...each(20, () => ({
      kind: 'server-killed',
      server: random.between(0, 1),
      seconds: random.between(0, 4),
    })),
    ...each(30, () => ({ kind: 'clock-jump', seconds: random.between(-600, 600) })),
    ...each(minutes / (options.deploys ?? minutes / 20), () => ({ kind: 'deploy' })),
    ...each(60, () => ({ kind: 'webhook-secrets' })),
    ...each(60, () => ({ kind: 'secret-key' })),
    ...each(60, () => ({ kind: 'tokens' })),
    ...each(30, () => ({ kind: 'rename', project: random.between(0, repositories - 1) })),
    ...(database === 'postgres'
      ? each(20, () => ({ kind: 'database-down', seconds: random.between(1, 10) }))
      : []),
    { kind: 'delete-tenant', at: whole * deletedAt },
    ...(options.day === undefined ? [] : eachDay(whole * pushedUntil, options.day * 1000)),
  ]
  const all = [...happenings, ...troubles].filter(({ kind }) => !options.without?.includes(kind))
  return { changes, happenings: all.sort((a, b) => a.at - b.at) }
}

function eachDay(until: number, day: number): Planned[] {
  return Array.from({ length: Math.floor(until / day) }, (_, at) => ({ kind: 'day', at: (at + 1) * day }))
}
