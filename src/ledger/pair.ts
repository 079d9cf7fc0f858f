/** Which findings of a review are those of the ledger, and which are edits of what was dismissed. */
import { openPlaces, type Places } from './locate.ts'
import { matchRecords } from './match.ts'
import type { FindingRecord, TextOf } from './record.ts'

export type Known = {
  id: string
  record: FindingRecord
  /** As it was when it was dismissed; null unless it is. */
  dismissed: FindingRecord | null
}

/** `isEdited`: it is what became of a dismissed one whose code changed in substance, and so a finding of its own. */
export type Paired<One extends Known> = { known: One; isEdited: boolean }

/** By the id of the record. The code of a dismissed one is remembered as it was, so that it is known when it comes back. */
export function pairFindings<One extends Known>(
  known: readonly One[],
  records: readonly FindingRecord[],
  { textOf, pathNow }: { textOf: TextOf; pathNow: (path: string) => string },
): Map<string, Paired<One>> {
  const places = openPlaces(textOf, pathNow)
  const pairs = new Map<string, Paired<One>>()
  const edits = new Map<string, Paired<One>>()
  const byRecord = new Map(records.map((record) => [record.id, record]))
  let open = known
  let left = records
  // Again without the dismissed ones: what looks like an edit of one may be what an open one has become.
  for (const isFirst of [true, false]) {
    for (const { one, record } of match(open, left, places, pathNow)) {
      const now = byRecord.get(record)
      if (!now) continue
      if (one.dismissed === null || isSameSubstance(one.dismissed, now, places.lineNow))
        pairs.set(record, { known: one, isEdited: false })
      else edits.set(record, { known: one, isEdited: true })
    }
    if (!isFirst) break
    const paired = new Set([...pairs.values()].map((pair) => pair.known))
    open = known.filter((one) => one.dismissed === null && !paired.has(one))
    left = records.filter(({ id }) => !pairs.has(id))
  }
  return new Map([...edits, ...pairs])
}

function match<One extends Known>(
  known: readonly One[],
  records: readonly FindingRecord[],
  places: Places,
  pathNow: (path: string) => string,
): { one: One; record: string }[] {
  // Ids of records may be those of others by now.
  const earlier = known.map(({ record, dismissed }, at) => ({
    ...(dismissed ?? record),
    path: record.path,
    id: `${at}`,
  }))
  const matched = matchRecords({
    earlier,
    now: records,
    pathNow,
    isSettled: ({ id }) => known[Number(id)]?.dismissed !== null,
    ...places,
  })
  return known.flatMap((one, at) => {
    const record = matched.get(`${at}`)
    return record === undefined ? [] : [{ one, record }]
  })
}

/** Lines that a formatter may have put between the beginning of the code and what is reported now. */
const withinStatement = 6

/** The code is the same but for its format: what is reported is the old code, or a part of it. */
function isSameSubstance(old: FindingRecord, now: FindingRecord, lineNow: Places['lineNow']): boolean {
  if (old.lines.length === 0 || now.lines.length === 0) return old.lines.length === now.lines.length
  if (!old.code || !now.code) return old.lines.join() === now.lines.join()
  if (old.code.substance === now.code.substance) return true
  const line = lineNow({ ...old, path: now.path, line: now.line })
  return line !== null && line <= now.line && now.line - line <= withinStatement
}
