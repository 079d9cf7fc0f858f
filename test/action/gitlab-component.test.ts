/** The job of the GitLab component, played as a runner plays it: one shell script, against a strict GitLab. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startGitLab } from '../helpers/hosts/gitlab/server.ts'
import { root, sightline } from '../helpers/sightline.ts'

/** Has this process do it, with its arguments and its environment, and ends with its exit code. */
const command = `#!/bin/sh
env -0 >environment
printf '%s\\0' "$@" >arguments
echo called
read -r code
exit "$code"
`

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
  writeFileSync(join(folder, 'sightline'), command)
  chmodSync(join(folder, 'sightline'), 0o755)
  const text = readFileSync(join(root, 'examples/ci/gitlab-component.yml'), 'utf8')
  const inputs: Record<string, string> = {
    version: '0.1.0',
    stage: 'test',
    depth: 'offline',
    'fail-on': 'never',
    token: 'REVIEW_TOKEN',
  }
  const filled = text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => inputs[name] ?? '')
  const { before_script: before, script } = parseAllDocuments(filled)[1]?.toJS().sightline ?? {}
  // What installs is a matter of the image and the registry.
  const lines = [...before.filter((line: string) => line.startsWith('export ')), ...script]
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', lines.join('\n')], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      CI: 'true',
      GITLAB_CI: 'true',
      CI_SERVER_URL: gitlab.url,
      CI_API_V4_URL: gitlab.apiUrl,
      CI_MERGE_REQUEST_PROJECT_URL: `${gitlab.url}/${project.fullName}`,
      CI_MERGE_REQUEST_IID: String(change.number),
      ...(token === 'project' ? { REVIEW_TOKEN: gitlab.state.addProjectToken(project) } : {}),
    },
  })
  const fields = (name: string) => readFileSync(join(folder, name), 'utf8').split('\0').slice(0, -1)
  const ended = once(child, 'close')
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  for await (const line of createInterface(child.stdout)) {
    expect(line).toBe('called')
    const variables = fields('environment').map((field) => field.split(/=(.*)/s).slice(0, 2))
    const own = Object.fromEntries(variables.filter(([name]) => name !== 'PATH'))
    const ran = await sightline(fields('arguments'), { cwd: folder, env: own })
    log += ran.stdout + ran.stderr
    child.stdin.write(`${ran.code}\n`)
  }
  const [code] = await ended
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return { gitlab, change, code, log, read }
}

test('both reports are written, and the findings are posted', { timeout: 300_000 }, async () => {
  const { gitlab, change, code, log, read } = await playJob('project')
  expect([code, log]).toEqual([0, expect.any(String)])
  expect(read('gl-code-quality-report.json')).toMatchObject([{ location: { path: 'total.py' } }])
  expect(read('sightline.sarif').runs[0].results).toHaveLength(1)
  expect(change.threads.filter(({ anchor }) => anchor).map(({ path }) => path)).toEqual(['total.py'])
  expect(gitlab.violations).toEqual([])
})

test('without a token that may post, the reports are there all the same', { timeout: 300_000 }, async () => {
  const { gitlab, code, log, read } = await playJob('none')
  expect([code, log]).toEqual([3, expect.stringContaining('token')])
  expect(read('gl-code-quality-report.json')).toHaveLength(1)
  expect(gitlab.writes()).toEqual([])
})
