/** The release of the Action: the same tree and commit each time, which runs by itself. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'

const script = join(import.meta.dirname, '../../scripts/release-action.ts')

test('a dry run and a release have one tree; a release adds a commit and nothing else', {
  timeout: 300_000,
}, () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, expect.any(String)])
    return stdout
  }
  const dry = run()
  const [, tree = ''] = /^tree ([0-9a-f]{40}): \d+ files, [\d.]+ MB, starts in \d+ ms\n/.exec(dry) ?? []
  expect(dry).toContain('no commit was made')
  const one = createRepo()
  const [, commit] = /commit ([0-9a-f]{40})/.exec(run('--write', 'action', '--into', one.path)) ?? []
  expect(one.git('rev-parse', 'action').trim()).toBe(commit)
  expect(one.git('rev-parse', 'action^{tree}').trim()).toBe(tree)
  expect(one.git('status', '--porcelain')).toBe('')
  const files = one.git('ls-tree', '-r', '--name-only', 'action').split('\n')
  for (const name of ['action.yml', 'dist/action/main.js', 'bin/sightline.js', 'THIRD-PARTY-LICENSES.txt'])
    expect(files).toContain(name)
  const yaml = execFileSync('git', ['-C', one.path, 'show', 'action:action.yml'], { encoding: 'utf8' })
  expect(yaml).toContain('main: dist/action/main.js')
})
