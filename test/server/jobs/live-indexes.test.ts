/** A push is reviewed against an index that was brought up to date for it, and without one as before. */

import { existsSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { methodsOf } from '../../../src/assembly/collect-change.ts'
import { isIndexed } from '../../../src/assembly/index-advice.ts'
import { descendants, killTree } from '../../../src/base/process-tree.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import { writeFrozen } from '../../../src/hosts/frozen/frozen-change.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { openIndexing } from '../../../src/server/jobs/indexing.ts'
import { type LiveIndexEvent, openLiveIndexes } from '../../../src/server/jobs/live-indexes.ts'
import { makeJobPlaces, placesOf } from '../../../src/server/jobs/places.ts'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { tenantName } from '../../../src/storage/runs/registry.ts'
import { hooks, openPullWorld } from './pull-world.ts'

const offline = { kind: 'review', depth: 'offline', budgetUsd: null, notice: null } as const

test('a push finds its index on disk, brought up to date by a process of its tenant that may die', async () => {
  const { change, job, data, parts } = await openPullWorld({
    base: { 'a.ts': 'export const a = 1\n', 'b.ts': 'export const b = 1\n' },
  })
  const label = `${job.repository.host}/${job.repository.name}`
  const events: LiveIndexEvent[] = []
  const live = openLiveIndexes({ ...parts, patienceMs: 120_000 }, (event) => events.push(event))
  onTestFinished(() => live.stop())
  const indexed: string[] = []
  const indexing = openIndexing(parts, (tenant, { end }) => indexed.push(`${tenant} ${end.kind}`), live)
  onTestFinished(() => indexing.stop())
  const own = makeJobPlaces(data)
  const frozen = await collectLocal({
    folder: change.repository.path,
    selector: { kind: 'commit', commit: change.head },
    limits: defaultConfig.limits,
  })
  await writeFrozen({ ...methodsOf(frozen), repositoryLabel: label }, own.frozen)
  await frozen.close()
  // Nothing is indexed yet, and nothing is started for it.
  expect([await live.refresh('acme', label, own.frozen), events]).toEqual([false, []])
  const { tree: first } = frozen.head
  const isIndexedFor = (tenant: string, tree: string) =>
    isIndexed(tree, label, placesOf(data, tenant).cacheOwn)
  expect(isIndexedFor('acme', first)).toBe(false)
  indexing.add('acme', label, own)
  await expect.poll(() => indexed, { timeout: 200_000 }).toEqual(['acme done'])
  expect([isIndexedFor('acme', first), isIndexedFor('other', first)]).toEqual([true, false])
  expect(existsSync(dirname(own.frozen))).toBe(false)

  change.push({ 'a.ts': 'export const pushed = 2\n' })
  const end = await runJob('acme', { ...job, decision: offline }, { ...parts, live }, hooks())
  expect(end).toMatchObject({ kind: 'outcome', outcome: { state: 'reviewed', head: change.head } })
  const tree = change.repository.git('rev-parse', `${change.head}^{tree}`).trim()
  expect([isIndexedFor('acme', tree), isIndexedFor('other', tree)]).toEqual([true, false])
  // One process for both, which read no more than what was pushed.
  expect(events).toMatchObject([
    { type: 'index-refreshed', tenant: 'acme', read: 0 },
    { type: 'index-refreshed', tenant: 'acme', read: 1 },
  ])

  for (const pid of descendants(process.pid).filter(isLiveIndex)) killTree(pid)
  await expect.poll(() => events.at(-1)).toMatchObject({ type: 'live-index-ended', how: 'died' })
  const again = makeJobPlaces(data)
  expect(await live.refresh('acme', label, again.frozen)).toBe(false)
  again.remove()
})

/** It works in a folder of the tenant, whether a sandbox is around it or not. */
function isLiveIndex(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).includes(`${tenantName('acme')}/own-`)
  } catch {
    return false
  }
}
