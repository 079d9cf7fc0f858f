/** The job of the GitLab component, played as a runner plays it: one shell script, against a strict GitLab. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startGitLab } from '../helpers/hosts/gitlab/server.ts'
import { componentScript, runScript } from '../helpers/run-recipe.ts'

async function playJob(token: 'project' | 'none') {
  const gitlab = await startGitLab()
  onTestFinished(() => gitlab.close())
  const project = gitlab.world.createProject('acme/shop', {
    files: {
      'total.py': 'def total(items, tax):\n    return sum(items) * tax\n',
      'use.py': 'from total import total\n\nprint(total([1], 2))\n',
    },
  })
  const change = project.open({
    branch: 'topic',
    files: { 'total.py': 'def total(items):\n    return sum(items)\n' },
  })
  const folder = temporaryFolder()
  const { code, log } = await runScript(componentScript(), {
    folder,
    env: {
      ...{ GITLAB_CI: 'true', CI_SERVER_URL: gitlab.url, CI_API_V4_URL: gitlab.apiUrl },
      CI_MERGE_REQUEST_PROJECT_URL: `${gitlab.url}/${project.fullName}`,
      CI_MERGE_REQUEST_IID: String(change.number),
      ...(token === 'project' ? { REVIEW_TOKEN: gitlab.state.addProjectToken(project) } : {}),
    },
  })
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return { gitlab, change, code, log, read }
}

test('both reports are written, and the findings are posted', async () => {
  const { gitlab, change, code, log, read } = await playJob('project')
  expect([code, log]).toEqual([0, expect.any(String)])
  expect(read('gl-code-quality-report.json')).toMatchObject([{ location: { path: 'total.py' } }])
  expect(read('sightline.sarif').runs[0].results).toHaveLength(1)
  expect(change.threads.filter(({ anchor }) => anchor).map(({ path }) => path)).toEqual(['total.py'])
  expect(gitlab.violations).toEqual([])
})

test('without a token that may post, the reports are there all the same', async () => {
  const { gitlab, code, log, read } = await playJob('none')
  expect([code, log]).toEqual([3, expect.stringContaining('token')])
  expect(read('gl-code-quality-report.json')).toHaveLength(1)
  expect(gitlab.writes()).toEqual([])
})
