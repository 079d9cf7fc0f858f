/**
 * Decides whether a sweep is due, and whether the clock can be believed. A clock that once stands weeks ahead makes every
 * run look old; one sweep at that moment would remove them all. So a leap is believed only when the clock still goes on
 * from there a day later. What is kept beside the runs is when the last sweep was, and when a leap was first seen.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../base/durable.ts'

const day = 24 * 60 * 60 * 1000
/** Longer between two reviews than this may be a holiday as well as a leap. */
const leap = 7 * day

/** Milliseconds since 1970. */
type Mark = { sweptAt: number | null; leaptAt: number | null }

/** At most once a day, and not in the first day after a leap; `newestRun` says when anything was done before this run. */
export function isSweepDue(folder: string, newestRun: number | null, now: number): boolean {
  const { sweptAt, leaptAt } = readMark(folder)
  const since = now - (sweptAt ?? newestRun ?? now)
  // A clock that went back makes nothing older than it is.
  const isDay = sweptAt === null || Math.abs(since) >= day
  if (since <= leap) return isDay && writeMark(folder, { sweptAt: now, leaptAt: null })
  if (leaptAt !== null && now >= leaptAt) {
    if (now - leaptAt < day) return false
    // Two leaps are no confirmation: the clock has to go on from the first one.
    if (now - leaptAt <= leap) return writeMark(folder, { sweptAt: now, leaptAt: null })
  }
  writeMark(folder, { sweptAt, leaptAt: now })
  return false
}

function readMark(folder: string): Mark {
  try {
    const [swept = '', leapt = ''] = readFileSync(markPath(folder), 'utf8').split('\n')
    return { sweptAt: timeOf(swept), leaptAt: timeOf(leapt) }
  } catch {
    return { sweptAt: null, leaptAt: null }
  }
}

/** True, since what calls it is about to sweep when it returns. Throws what the disk has against it. */
function writeMark(folder: string, { sweptAt, leaptAt }: Mark): true {
  const lines = [sweptAt, leaptAt].map((time) => (time === null ? '' : new Date(time).toISOString()))
  writeWhole(markPath(folder), Buffer.from(`${lines.join('\n')}\n`), { replace: true })
  return true
}

function timeOf(written: string): number | null {
  const time = Date.parse(written)
  return Number.isNaN(time) ? null : time
}

function markPath(folder: string): string {
  return join(folder, 'SWEPT')
}
