/** The step of the recipe for Bitbucket Pipelines, played as a runner plays it, against a strict Bitbucket. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startBitbucket } from '../helpers/hosts/bitbucket/server.ts'
import { runScript } from '../helpers/run-recipe.ts'
import { root } from '../helpers/sightline.ts'

test('a pull request is reviewed from the variables of its pipeline, and its findings are posted', async () => {
  const bitbucket = await startBitbucket()
  onTestFinished(() => bitbucket.close())
  const project = bitbucket.world.createProject('acme/shop', {
    files: {
      'total.py': 'def total(items, tax):\n    return sum(items) * tax\n',
      'use.py': 'from total import total\n\nprint(total([1], 2))\n',
    },
  })
  project.roles.set('bot', 'write')
  const change = project.open({
    branch: 'topic',
    files: { 'total.py': 'def total(items):\n    return sum(items)\n' },
  })
  const recipe = parse(readFileSync(join(root, 'examples/ci/bitbucket-pipelines.yml'), 'utf8'))
  const { script } = recipe.pipelines['pull-requests']['**'][0].step as { script: string[] }
  const folder = temporaryFolder()
  const settings = join(folder, 'settings.yaml')
  const { host } = new URL(bitbucket.url)
  writeFileSync(
    settings,
    `hosts:\n  "${host}": { kind: bitbucket, url: '${bitbucket.url}', token: SIGHTLINE_BITBUCKET_TOKEN }\n`,
  )
  const { code, log } = await runScript(script.join('\n').replace('https://bitbucket.org', bitbucket.url), {
    folder,
    env: {
      ...{ BITBUCKET_REPO_FULL_NAME: project.fullName, BITBUCKET_PR_ID: String(change.number) },
      SIGHTLINE_BITBUCKET_TOKEN: bitbucket.addToken('bot', undefined, 'bot@example.com'),
      SIGHTLINE_SETTINGS: settings,
    },
  })
  expect([code, log]).toEqual([0, expect.any(String)])
  expect(change.threads.map(({ path }) => path)).toEqual(['total.py'])
  expect(project.statuses.at(-1)).toMatchObject({ context: 'sightline', state: 'success' })
  expect(bitbucket.violations).toEqual([])
})
