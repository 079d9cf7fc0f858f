/** Rewrites that change no meaning change no finding of code. More runs: `node bench/metamorphic/run.ts --runs 10000`. */
import { expect, test } from 'vitest'
import { playMetamorphic } from '../helpers/in-memory/metamorphic.ts'
import { isWhole, seed } from '../helpers/matrix.ts'

const runs = isWhole ? 60 : 20

test('a sample of changes and rewrites', async () => {
  const { played, withFindings, differences } = await playMetamorphic(runs, seed)
  expect(differences).toEqual([])
  expect(played).toBe(runs)
  expect(withFindings).toBeGreaterThan(runs / 12)
})
