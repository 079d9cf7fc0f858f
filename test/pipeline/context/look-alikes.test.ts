/** Similar code says why it is there, and what merely has words of the change is not most of it. */
import { expect, test } from 'vitest'
import { lookAlikes } from '../../../src/pipeline/context/retrieval/look-alikes.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

test('a definition of a name comes by its name; of the others only the best few come', async () => {
  const chatter = Array.from({ length: 12 }, (_, at) => [
    `lib/say${at}.ts`,
    `export function say${at}(): string {\n  // parcel weight, parcel price\n  return 'parcel weight'\n}\n`,
  ])
  const head = memorySnapshot({
    'lib/scale.ts': 'export function parcelWeight(grams: number): number {\n  return grams / 1000\n}\n',
    ...Object.fromEntries(chatter),
    'lib/main.ts': 'const total = parcelWeight(5)\n',
  })
  const paths = (await head.list()).map(({ path }) => path)
  const found = await lookAlikes(head, sharedFacts(), paths, ['total', 'parcelWeight'])
  expect(found.find(({ path }) => path === 'lib/scale.ts')?.title).toBe(
    'defines parcelWeight, a name in the change',
  )
  const byWords = found.filter(({ title }) => title === 'has words of the change')
  expect(byWords.length).toBeGreaterThan(0)
  expect(byWords.length).toBeLessThanOrEqual(4)
})
