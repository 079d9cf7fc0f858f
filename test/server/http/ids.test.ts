/** Ids of another tenant at every route, as they are and written in other ways: a few of those that `npm run test:red-team` tries. */
import { expect, test } from 'vitest'
import { seed } from '../../helpers/matrix.ts'
import { runIds } from '../../red-team/ids/run-ids.ts'

test(`an id of another tenant shows nothing and changes nothing, seed ${seed}`, async () => {
  const { hits, routes } = await runIds({ seed, tries: 200 })
  expect(hits).toEqual([])
  expect(routes).toBeGreaterThan(30)
})
