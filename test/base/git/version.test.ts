/** The least git, and none at all. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAtLeast, parseGitVersion, requireGit } from '../../../src/base/git/version.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

test.each([
  ['git version 2.39.5', { major: 2, minor: 39 }],
  ['git version 2.39.5 (Apple Git-154)', { major: 2, minor: 39 }],
  ['git version 2.47.0.windows.1', { major: 2, minor: 47 }],
  ['git version 3.0-rc1', { major: 3, minor: 0 }],
  ['hub version 2.14', null],
])('%s', (said, version) => {
  expect(parseGitVersion(said)).toEqual(version)
})

test('older than 2.34 is refused, by what it said', () => {
  const require = (said: string) => () => requireGit(parseGitVersion(said), said)
  expect(require('git version 2.34.0')()).toEqual({ major: 2, minor: 34 })
  expect(require('git version 2.33.9')).toThrow('found git version 2.33.9')
  expect(require('git version 1.99.0')).toThrow(expect.objectContaining({ code: 'git-missing' }))
  expect(require('something')).toThrow('found something')
  expect(isAtLeast({ major: 3, minor: 0 }, { major: 2, minor: 34 })).toBe(true)
})

test('without git on the PATH the error says so', () => {
  const source = JSON.stringify(join(import.meta.dirname, '../../../src/base/git/version.ts'))
  const script = `import { gitVersion } from ${source}
    await gitVersion().catch((error) => console.log(error.code, error.message))`
  const env = { PATH: temporaryFolder() }
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  })
  expect(said.trim()).toBe('git-missing spawn git ENOENT')
})
