/** Topics that are no longer published, and messages that lost a field. */

import type { Confidence } from '../../../domain/severity.ts'
import type { Break, Provided } from '../../contract.ts'
import { goneOrRenamed } from '../../places.ts'
import { readerBreaks } from '../payload/compare-fields.ts'
import { doesRead } from '../payload/reads.ts'
import { type EventShape, type EventUse, isTelling } from './event.ts'

/** `field`: null for the topic as a whole. */
export type EventBreak = { topic: string; field: string | null; mayLack: boolean }

export function eventBreaks(
  before: readonly Provided<EventShape>[],
  after: readonly Provided<EventShape>[],
): Break<EventBreak>[] {
  const now = Map.groupBy(after, ({ name }) => name)
  const known = new Set(before.map(({ name }) => name))
  const gone = new Set<string>()
  return before.flatMap((old, at): Break<EventBreak>[] => {
    const same = now.get(old.name) ?? []
    if (same.length > 0) return fieldBreaks(old, before, same, at)
    if (gone.has(old.name)) return []
    gone.add(old.name)
    const left = new Set(
      before.filter(({ name, path }) => path === old.path && !now.has(name)).map(({ name }) => name),
    )
    const came = new Map(
      after.filter(({ name, path }) => path === old.path && !known.has(name)).map((one) => [one.name, one]),
    )
    const [renamed] = left.size === 1 && came.size === 1 ? came.values() : []
    return [
      {
        kind: 'event',
        name: old.name,
        ...goneOrRenamed(old, renamed, {
          gone: `\`${old.name}\` is no longer published`,
          renamed: ({ name }) => `\`${old.name}\` is now \`${name}\``,
        }),
        keys: [old.name],
        shape: { topic: old.name, field: null, mayLack: false },
      },
    ]
  })
}

/** With the publication in the same place among those of its topic and kind; a field that any of them has is not gone. */
function fieldBreaks(
  old: Provided<EventShape>,
  before: readonly Provided<EventShape>[],
  after: readonly Provided<EventShape>[],
  at: number,
): Break<EventBreak>[] {
  const isKin = (one: Provided<EventShape>): boolean =>
    one.shape.source === old.shape.source && one.name === old.name
  const olds = before.filter(isKin)
  const nows = after.filter(isKin)
  const next = olds.length === nows.length ? nows[olds.indexOf(before[at] ?? old)] : undefined
  const { fields } = old.shape
  if (!fields || !next?.shape.fields) return []
  return readerBreaks(fields, next.shape.fields, 'message').map(
    ({ field, lostValues: _, mayLack, ...one }) => ({
      kind: 'event',
      name: old.name,
      ...one,
      keys: [old.name],
      shape: { topic: old.name, field, mayLack: mayLack === true },
    }),
  )
}

export function judgeEvent({ topic, field, mayLack }: EventBreak, use: EventUse): Confidence | null {
  if (use.topic !== topic) return null
  const bears = mayLack ? 'a missing value' : 'nothing'
  if (field !== null && !doesRead(use.reads, { field, bears })) return null
  return isTelling(topic) ? 'likely' : 'possible'
}
