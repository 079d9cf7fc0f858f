/**
 * Decides when what is too old is removed: at most once a day, and not while the clock may have leapt. A clock that once
 * stands weeks ahead makes every run look old; one sweep at that moment would remove them all. So a leap is believed only
 * when the clock still goes on from there a day later. What is kept beside the runs is when the last sweep was, and when a
 * leap was first seen.
 */
import type { RunStore, Swept } from './contract.ts'

const day = 24 * 60 * 60 * 1000
/** Longer between two reviews than this may be a holiday as well as a leap. */
const leap = 7 * day

/** After the run `run`. Each time when nothing is to be kept. Never rejects: what cannot be removed stays. */
export async function sweepDaily(
  store: RunStore,
  { run, keepDays, now }: { run: string; keepDays: number; now: Date },
): Promise<Swept | null> {
  try {
    if (keepDays > 0 && !(await isSweepDue(store, run, now.getTime()))) return null
    return await store.sweep(keepDays, now)
  } catch {
    return null
  }
}

/** Milliseconds since 1970. */
type Mark = { sweptAt: number | null; leaptAt: number | null }

async function isSweepDue(store: RunStore, run: string, now: number): Promise<boolean> {
  const { sweptAt, leaptAt } = readMark(await store.lastSweep())
  const since = now - (sweptAt ?? (await store.lastWritten(run)) ?? now)
  // A clock that went back makes nothing older than it is.
  const isDay = sweptAt === null || Math.abs(since) >= day
  const swept = () => store.setLastSweep(written({ sweptAt: now, leaptAt: null })).then(() => true)
  if (since <= leap) return isDay && (await swept())
  if (leaptAt !== null && now >= leaptAt) {
    if (now - leaptAt < day) return false
    // Two leaps are no confirmation: the clock has to go on from the first one.
    if (now - leaptAt <= leap) return await swept()
  }
  await store.setLastSweep(written({ sweptAt, leaptAt: now }))
  return false
}

function readMark(text: string): Mark {
  const [swept = '', leapt = ''] = text.split('\n')
  return { sweptAt: timeOf(swept), leaptAt: timeOf(leapt) }
}

function written({ sweptAt, leaptAt }: Mark): string {
  const lines = [sweptAt, leaptAt].map((time) => (time === null ? '' : new Date(time).toISOString()))
  return `${lines.join('\n')}\n`
}

function timeOf(text: string): number | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}
