/** `sightline compare`, and a recorded review as one page. */
import { parse } from 'parse5'
import { expect, test } from 'vitest'
import { Comparison } from '../../src/domain/comparison.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'

test('two recorded reviews are compared, and either is shown as one self-contained page', async () => {
  const repo = createRepo()
  repo.commit({
    'src/a.ts': 'export function one() {\n  return 1\n}\n',
    'src/b.ts': "import { one } from './a.ts'\none()\n",
  })
  repo.commit({ 'src/a.ts': 'export function two() {\n  return 1\n}\n' }, '<script>alert(1)</script>')
  const options = {
    cwd: repo.path,
    env: ownFolders(),
  }
  await sightline(['review', 'HEAD~1..HEAD', '--depth', 'offline', '--quiet'], options)
  repo.commit({ 'src/b.ts': "import { two } from './a.ts'\ntwo()\n" })
  await sightline(['review', 'HEAD~2..HEAD', '--depth', 'offline', '--quiet'], options)
  const { stdout } = await sightline(['runs', '--json'], options)
  const names = JSON.parse(stdout).map((one: { header: { run: string } }) => one.header.run)
  const [after = '', before = ''] = names
  const compared = await sightline(['compare', before, after, '--json'], options)
  expect(compared.code).toBe(0)
  const { counts, fidelity } = Comparison.parse(JSON.parse(compared.stdout).comparison)
  expect(counts.lost).toBeGreaterThan(0)
  expect(fidelity).toBeLessThan(1)
  const words = await sightline(['compare', before, before], options)
  expect(words.stdout).toContain('fidelity 1.00')
  expect(words.stdout).toContain(' 0 lost, 0 new')
  expect((await sightline(['compare', before], options)).code).toBe(2)

  const page = await sightline(['show', before, '--html'], options)
  expect(page.code).toBe(0)
  expect(page.stdout).toMatch(/^<!doctype html>/i)
  expect(page.stdout).not.toMatch(/<script|<link|src="http/)
  expect(JSON.stringify(parse(page.stdout).childNodes.map(({ nodeName }) => nodeName))).toContain('html')
  expect((await sightline(['show', before, '--html', '--json'], options)).code).toBe(2)
})
