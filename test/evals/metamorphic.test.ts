/** Rewrites that change no meaning change no finding of code. All runs: `node bench/metamorphic/run.ts --runs 10000`. */
import { expect, test } from 'vitest'
import { playMetamorphic } from '../helpers/in-memory/metamorphic.ts'
import { seed } from '../helpers/matrix.ts'

test('a sample of changes and rewrites', async () => {
  const { played, withFindings, differences } = await playMetamorphic(60, seed)
  expect(differences).toEqual([])
  expect(played).toBe(60)
  expect(withFindings).toBeGreaterThan(5)
})
