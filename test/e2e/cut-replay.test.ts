/** A review whose surroundings could not be read says so, and its replay says the same, byte for byte. */
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment } from './quick-world.ts'

test('what failed while it was reviewed failed in the replay too', async () => {
  const fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  const repo = createRepo()
  const filler = Array.from({ length: 1_001 }, (_, at) => [`data/${at % 20}/${at}.txt`, `${at}\n`])
  const settings = { '.sightline.yaml': 'limits:\n  treeEntries: 1000\n' }
  repo.commit({ ...Object.fromEntries(filler), ...settings, 'src/a.ts': 'export const a = 1\n' })
  repo.commit({ 'src/a.ts': 'export const a = 2\n' })
  const env = {
    ...fakeEnvironment(fake),
    XDG_STATE_HOME: temporaryFolder(),
    XDG_CACHE_HOME: temporaryFolder(),
  }
  const first = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', 'standard', '--json', '--quiet'],
    { env },
  )
  expect(JSON.parse(first.stdout).coverage.limits).toContain(
    'part of the context is missing: more than 1000 files and folders',
  )
  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})
