import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runGit } from '../../evals/base/git.ts'
import { readCases } from '../../evals/cases/read-cases.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole } from '../helpers/matrix.ts'
import { evals } from './run-evals.ts'

/** By `npm run test:matrices`: it builds every world. */
const onlyWhole = test.runIf(isWhole)

onlyWhole('each set has each fault once, each framing equally often, and only words differ', async () => {
  const folder = temporaryFolder()
  const { code, stderr } = await evals(['claims', '--out', folder, '--seed', '3'])
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d+ faults, 5 sets in /)])
  const sets = await Promise.all([1, 2, 3, 4, 5].map((set) => readCases(join(folder, `set-${set}.jsonl`))))
  const faultOf = (id: string) => id.slice(0, id.lastIndexOf('/'))
  const faults = sets.map((cases) => cases.map(({ id }) => faultOf(id)))
  expect(new Set(faults[0]).size).toBe(faults[0]?.length)
  for (const other of faults) expect(other).toEqual(faults[0])
  const versions = Map.groupBy(sets.flat(), ({ id }) => faultOf(id))
  const [[, first = []] = []] = versions
  expect(new Set(first.map(({ source }) => source)).size).toBe(5)
  const repository = join(folder, 'mirrors', (first[0]?.repo ?? '').replace('/', '+'), 'repo')
  const trees = await Promise.all(
    first.map(async ({ head }) =>
      (await runGit(repository, ['rev-parse', `${head}^{tree}`, `${head}^`])).toString(),
    ),
  )
  expect(new Set(trees).size).toBe(1)
  expect(new Set(first.map(({ head }) => head)).size).toBe(5)
  expect(readFileSync(join(folder, 'set-1.jsonl'), 'utf8')).not.toContain('has no bugs')
})
