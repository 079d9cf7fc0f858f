/** What is indexed after a review is there for the next one, of this tenant and of no other. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isIndexed } from '../../../src/assembly/index-advice.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import { writeFrozen } from '../../../src/hosts/frozen/frozen-change.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { openIndexing } from '../../../src/server/jobs/indexing.ts'
import { makeJobPlaces, placesOf } from '../../../src/server/jobs/places.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { openPullWorld } from './pull-world.ts'

test('an indexer works for one tenant, and leaves nothing but the index', { timeout: 240_000 }, async () => {
  const { data, parts } = await openPullWorld()
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const one = 1\n' }, 'first')
  repo.commit({ 'b.ts': "import { one } from './a.ts'\nexport const two = one + 1\n" }, 'second')
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
  onTestFinished(() => change.close())
  const own = makeJobPlaces(data)
  await writeFrozen(change, own.frozen)
  const ended: string[] = []
  const indexing = openIndexing(parts, (tenant, { end }) => ended.push(`${tenant} ${end.kind}`))
  onTestFinished(() => indexing.stop())
  const { tree } = change.head
  const isIndexedFor = (tenant: string) =>
    isIndexed(tree, change.repositoryLabel, placesOf(data, tenant).cacheOwn)
  expect(isIndexedFor('acme')).toBe(false)
  indexing.add('acme', 'acme/shop', own)
  while (ended.length === 0) await new Promise((done) => setTimeout(done, 50))
  expect(ended).toEqual(['acme done'])
  expect([isIndexedFor('acme'), isIndexedFor('other')]).toEqual([true, false])
  expect(existsSync(dirname(own.frozen))).toBe(false)
})
