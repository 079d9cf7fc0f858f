/**
 * Three hundred files (fifty thousand in `npm run test:matrices`): the index is built, a commit costs what differs, and the first question
 * is answered before.
 */
import { expect, test } from 'vitest'
import { findCallers } from '../../../src/code-index/query/callers.ts'
import { findDefinitions, findTargets } from '../../../src/code-index/query/definitions.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { largeRepo, pathOf } from '../../helpers/large-repo.ts'
import { isWhole } from '../../helpers/matrix.ts'
import { sightline } from '../../helpers/sightline.ts'
import { indexingOf } from './indexing.ts'

const count = isWhole ? 50_000 : 300

test(`a repository of ${count} files`, async () => {
  const { repo, bytes } = largeRepo(count)
  const cache = temporaryFolder()
  const env = { XDG_CACHE_HOME: cache }

  const before = await sightline(['def', 'make_211', '--repo', repo.path], { env })
  expect(before.stdout).toContain(`${pathOf(211)}:4`)
  // Few files are read so quickly that nothing has to be said.
  if (isWhole) expect(before.stderr).toContain('not indexed')

  const indexing = indexingOf(repo, { cacheFolder: temporaryFolder() })
  const built = await indexing.open()
  expect(built.report).toMatchObject({
    files: count,
    indexed: count,
    symbols: count,
    read: count,
    failures: [],
  })
  expect(built.report.diskBytes).toBeLessThan(bytes * 1.5)

  for (let at = 0; at < 10; at++) repo.write({ [pathOf(at * (count / 10))]: `def made_anew_${at}(): pass\n` })
  repo.write({ 'added.py': `from part0.file_1 import make_1\n\nmake_1(1)\n`, [pathOf(7)]: null })
  repo.git('add', pathOf(7), 'added.py', ...Array.from({ length: 10 }, (_, at) => pathOf(at * (count / 10))))
  repo.git('commit', '--quiet', '-m', 'ten files')
  const started = performance.now()
  const next = await indexing.open()
  const tookMs = performance.now() - started
  expect(next.report).toMatchObject({ files: count, read: 11, segments: 2 })
  // Of a few files it says little.
  if (isWhole) expect(tookMs).toBeLessThan(built.report.times.totalMs / 4)

  const { tree } = next
  expect((await findDefinitions(tree, 'made_anew_3')).definitions).toMatchObject([
    { path: pathOf(3 * (count / 10)) },
  ])
  expect((await findDefinitions(tree, 'make_7')).definitions).toEqual([])
  const [target] = await findTargets(tree, 'make_1')
  const { callers } = target ? await findCallers(tree, target) : { callers: [] }
  expect(callers.map(({ path }) => path)).toEqual(['added.py'])
  process.stdout.write(
    `${count} files, ${(bytes / 1e6).toFixed(1)} MB; index ${(built.report.diskBytes / 1e6).toFixed(1)} MB, ` +
      `built in ${Math.round(built.report.times.totalMs)} ms, eleven files in ${Math.round(tookMs)} ms\n`,
  )
})
