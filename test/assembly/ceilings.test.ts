/** A repository that asks for more than its operator grants is reviewed within the ceilings, and told so. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { clampLimits, defaultCeilings } from '../../src/config/settings/repositories.ts'
import { reviewChange } from '../../src/index.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'

test('every limit has a ceiling, and none of them is below its default', () => {
  const greedy = Object.fromEntries(
    Object.keys(defaultConfig.limits).map((key) => [key, Number.MAX_SAFE_INTEGER]),
  ) as typeof defaultConfig.limits
  const { config, remarks } = clampLimits({ ...defaultConfig, limits: greedy }, defaultCeilings)
  expect(config.limits).toEqual(defaultCeilings)
  expect(remarks).toHaveLength(Object.keys(defaultConfig.limits).length)
  expect(clampLimits(defaultConfig, defaultCeilings)).toEqual({ config: defaultConfig, remarks: [] })
})

test.each(['fileBytes', 'treeEntries', 'changedFiles', 'planeSeconds', 'groupBytes'])(
  'no configuration sets %s to 9e15',
  (key) => {
    expect(() => parseConfig(`limits: { ${key}: 9000000000000000 }`, '.sightline.yaml')).toThrow(
      /limits\.\w+: `9000000000000000` is more than \d+\./,
    )
  },
)

test('the review goes by the ceiling of the settings and says so', async () => {
  const repo = createRepo()
  const long = `export const text = '${'x'.repeat(3000)}'\n`
  repo.commit({ '.sightline.yaml': 'limits: { fileBytes: 9000000 }\n', 'src/a.ts': 'export {}\n' })
  repo.commit({ 'src/a.ts': long })
  const settings = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(settings, 'repositories: { ceilings: { fileBytes: 2048 } }\n')
  vi.stubEnv('SIGHTLINE_SETTINGS', settings)
  const { review, config } = await reviewChange({
    folder: repo.path,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
  }).finally(() => vi.unstubAllEnvs())
  expect(config.limits.fileBytes).toBe(2048)
  expect(review.coverage.limits).toContain(
    'limits.fileBytes of the configuration is 9000000; this machine allows 2048',
  )
  expect(review.coverage.files).toMatchObject([
    { path: 'src/a.ts', state: 'not-reviewed', reason: 'its diff is larger than 2048 bytes' },
  ])
})
