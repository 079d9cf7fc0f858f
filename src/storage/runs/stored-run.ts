/** A run as it lies on disk. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { count } from '../../base/count.ts'
import { UserError } from '../../base/errors.ts'
import { asksModel } from '../../domain/journal.ts'
import type { RunEntry, RunHeader, RunSummary } from '../contract.ts'
import { isRunning } from './liveness.ts'
import type { Objects } from './objects.ts'
import { readLog } from './run-log.ts'

export type StoredRun = {
  header: RunHeader
  entries: readonly RunEntry[]
  /** Its log as it stands, as far as it is whole. */
  lines: readonly string[]
  damage: string | null
}

/** Throws `run-unreadable` when its log does not even begin well. */
export function openStoredRun(folder: string, name: string): StoredRun {
  const { entries, lines, damage } = readLog(logPath(folder, name))
  const [first] = entries
  if (first?.type !== 'start')
    throw new UserError('run-unreadable', `run ${name}: ${damage ?? 'its log has no beginning'}`)
  return { header: first.header, entries, lines, damage }
}

/** Newest first. */
export function listRunNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((file) => /^(\d{8}-\d{6}-[0-9a-f]{6})\.log$/.exec(file)?.[1] ?? [])
    .sort()
    .reverse()
}

/** `last`, a whole name, or its beginning or end when only one run has it. Throws `run-unknown`. */
export function findRunName(folder: string, asked: string): string {
  const names = listRunNames(folder)
  const [newest] = names
  if (asked === 'last' && newest !== undefined) return newest
  const found = names.filter((name) => name === asked || name.startsWith(asked) || name.endsWith(asked))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  throw new UserError(
    'run-unknown',
    others.length > 0
      ? `${asked} matches several runs: ${found.slice(0, 5).join(', ')}`
      : `there is no run ${asked}`,
  )
}

/**
 * As `findRunName`, and by place: `local/shop/1a2b3c4d5e6f` is the newest run of that place, and what stands behind the
 * place is an address in it, as in `local/shop/1a2b3c4d5e6f/explore/iter-2` or `last/explore/iter-2`.
 */
export function findRun(folder: string, asked: string): { run: StoredRun; address: string | null } {
  const slash = asked.indexOf('/')
  if (slash < 0) return { run: openStoredRun(folder, findRunName(folder, asked)), address: null }
  const first = asked.slice(0, slash)
  if (first === 'last' || /^\d{8}-\d{6}-[0-9a-f]{6}$/.test(first))
    return { ...findRun(folder, first), address: asked.slice(slash + 1) }
  for (const name of listRunNames(folder)) {
    const run = openIfWhole(folder, name)
    if (run && `${asked}/`.startsWith(`${run.header.place}/`))
      return { run, address: asked.slice(run.header.place.length + 1) || null }
  }
  throw new UserError('run-unknown', `there is no run at ${asked}`)
}

function openIfWhole(folder: string, name: string): StoredRun | null {
  try {
    return openStoredRun(folder, name)
  } catch {
    return null
  }
}

export function logPath(folder: string, name: string): string {
  return join(folder, `${name}.log`)
}

export function summaryOf(
  { header, entries, damage }: StoredRun,
  folder: string,
  objects: Objects,
): RunSummary {
  const end = entries.find((entry) => entry.type === 'end')
  const answers = entries.filter((entry) => entry.type === 'answer')
  const last = entries.at(-1)
  const sizes = [...objectNames(entries)].map((name) => objects.sizeOf(name))
  const missing = sizes.filter((size) => size === 0).length
  return {
    header,
    state: end ? 'finished' : isRunning(folder, header.run) ? 'running' : 'killed',
    durationMs: last && 'at' in last ? last.at : 0,
    findings: end?.findings ?? null,
    calls: answers.filter(asksModel).length,
    usd: end?.usd ?? null,
    unpricedCalls: end?.unpricedCalls ?? 0,
    complete: end?.complete ?? null,
    bytes: sizes.reduce((sum, size) => sum + size, statSync(logPath(folder, header.run)).size),
    damage:
      damage ??
      (missing > 0
        ? `${missing} of its ${count(sizes.length, 'object')} ${missing === 1 ? 'is' : 'are'} missing`
        : null),
  }
}

/** Every object that the run refers to. */
export function objectNames(entries: readonly RunEntry[]): Set<string> {
  const names = new Set<string>()
  for (const entry of entries) {
    if (entry.type === 'answer') for (const name of [entry.request, entry.answer]) if (name) names.add(name)
    if (entry.type === 'end') for (const name of [entry.review, ...entry.parts]) if (name) names.add(name)
  }
  return names
}
