/** Similar code says why it is there, and what merely has words of the change is not much of it. */
import { expect, test } from 'vitest'
import { lookAlikes } from '../../../src/pipeline/context/retrieval/look-alikes.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

test('only the best few come, code before its tests', async () => {
  const chatter = Array.from({ length: 12 }, (_, at) => [
    `lib/say${at}.ts`,
    `export function say${at}(): string {\n  // parcel weight, parcel price\n  return 'parcel weight'\n}\n`,
  ])
  const head = memorySnapshot({
    'lib/say.test.ts': 'const parcelWeight = 5\n',
    ...Object.fromEntries(chatter),
    'lib/main.ts': 'const total = parcelWeight(5)\n',
  })
  const paths = (await head.list()).map(({ path }) => path)
  const found = await lookAlikes(head, sharedFacts(), paths, ['total', 'parcelWeight'])
  expect(found.map(({ path }) => path)).toContain('lib/main.ts')
  expect(found.map(({ title }) => title)).toEqual(Array(4).fill('has words of the change'))
  expect(found.map(({ path }) => path)).not.toContain('lib/say.test.ts')
})
