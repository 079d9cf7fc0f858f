/** The server as a team starts it: one command, a webhook from a strict GitHub, a posted review. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../helpers/sightline.ts'
import { startGitHubWithApp, webhookSecret } from '../server/intake/intake-world.ts'
import { startServer } from '../server/server-world.ts'

const timeout = 240_000

/** The settings of the quick start for teams, with this host and App in the place of the made-up ones. */
function fromReadme(url: string, appId: number): Record<string, unknown> {
  const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## For teams\n')
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? []
  expect(section).toContain('$ sightline serve --settings server.yaml')
  const settings = parse(text) as { connections: { github: Record<string, unknown> } }
  Object.assign(settings.connections.github, { url, appId: String(appId) })
  return settings
}

const leaked = ['const ', "token = 'ghp_", 'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx', "'\n"].join('')

test('one command, one webhook, one review on the pull request', { timeout }, async () => {
  const { github, app } = await startGitHubWithApp()
  const project = github.world.createProject('acme/shop', { files: { 'a.ts': 'export const one = 1\n' } })
  project.roles.set('ada', 'write')
  github.state.install(app, [project])
  const server = await startServer({
    settings: fromReadme(github.url, app.id),
    files: { 'app-key.pem': app.privateKey, 'webhook-secret': webhookSecret },
  })
  github.hooks.targets.set(app, { url: `${server.url}/webhooks/github`, secret: webhookSecret })
  const change = project.open({ branch: 'topic', files: { 'a.ts': `export const one = 1\n${leaked}` } })
  expect(await github.hooks.pull(change, 'opened')).toEqual([202])
  await expect
    .poll(() => github.state.checks.map(({ status }) => status), { timeout: 120_000, interval: 200 })
    .toEqual(['completed'])
  expect(github.state.checks).toMatchObject([{ name: 'Sightline', commit: change.head }])
  expect(change.threads).toHaveLength(1)
  expect(change.threads[0]?.notes[0]?.author.login).toBe('sightline[bot]')
  // The same head again: nothing is posted twice.
  const writes = github.writes().length
  await github.hooks.pull(change, 'reopened')
  expect(await server.stop()).toBe(0)
  expect(github.writes()).toHaveLength(writes)
  expect(github.violations).toEqual([])
  const secrets = [webhookSecret, 'PRIVATE KEY', 'ghs_', 'Zq3vXw8RtB5n', 'export const']
  for (const secret of secrets) expect(server.log.join('\n')).not.toContain(secret)
})
