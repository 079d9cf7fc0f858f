/** Similar code says why it is there, and what merely has words of the change is not most of it. */
import { expect, onTestFinished, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { lookAlikes } from '../../../src/pipeline/context/retrieval/look-alikes.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

test('a definition of a name comes by its name; of the others only the best few come', async () => {
  const repo = createRepo()
  const chatter = Array.from({ length: 12 }, (_, at) => [
    `lib/say${at}.ts`,
    `export function say${at}(): string {\n  // parcel weight, parcel price\n  return 'parcel weight'\n}\n`,
  ])
  repo.commit({
    'lib/scale.ts': 'export function parcelWeight(grams: number): number {\n  return grams / 1000\n}\n',
    ...Object.fromEntries(chatter),
  })
  repo.commit({ 'lib/main.ts': 'const total = parcelWeight(5)\n' })
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
  onTestFinished(() => change.close())
  const paths = (await change.head.list()).map(({ path }) => path)
  const found = await lookAlikes(change.head, sharedFacts(), paths, ['total', 'parcelWeight'])
  expect(found.find(({ path }) => path === 'lib/scale.ts')?.title).toBe(
    'defines parcelWeight, a name in the change',
  )
  const byWords = found.filter(({ title }) => title === 'has words of the change')
  expect(byWords.length).toBeGreaterThan(0)
  expect(byWords.length).toBeLessThanOrEqual(4)
})
