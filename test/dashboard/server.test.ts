/**
 * The dashboard of a server in a real browser, from a webhook of a strict host to the posted comments, and on to questions,
 * a replay with another model, tokens and repositories. One server and one browser for all of it, in the whole matrix.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placesOf } from '../../src/server/jobs/places.ts'
import { emptyAnswer, fakeEnvironment, readsDelay, retryRepo, waitFinding } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { type ServedServer, serveHere } from '../helpers/served/server.ts'
import { startGitHubWithApp, webhookSecret } from '../server/intake/intake-world.ts'
import { axeFindings, launchForTest, settled, signIn, takePicture, visit, watchedPage } from './browser.ts'

const reviews: CodedStep = {
  answer: 'good',
  times: 'always',
  // Long enough for somebody to watch.
  delivery: { kind: 'slow', delayMs: 60 },
  value: { ...emptyAnswer, findings: [waitFinding] },
}
const answers: CodedStep = {
  answer: 'good',
  when: { contains: 'The question:' },
  times: 'always',
  value: {
    statements: [
      {
        text: 'The base is doubled with each attempt.',
        quotes: [{ id: 'D2', quote: 'const base = 250' }],
      },
    ],
    disputed: '',
    cannot: '',
  },
}

async function startWorld() {
  const { github, app } = await startGitHubWithApp()
  const repo = retryRepo()
  const at = (commit: string) =>
    Object.fromEntries(
      ['src/retry.ts', 'src/delay.ts'].map((path) => [path, repo.git('show', `${commit}:${path}`)]),
    )
  const project = github.world.createProject('acme/shop', {
    files: { ...at('HEAD~1'), '.sightline.yaml': 'review: { depth: quick }\n' },
  })
  project.roles.set('ada', 'write')
  const installation = github.state.install(app, [project])
  const fake = await startFakeProvider('anthropic', { steps: [readsDelay, answers, reviews] })
  onTestFinished(() => fake.close())
  const folder = temporaryFolder()
  const server = await serveHere({
    folder,
    settings: { connections: { github: { kind: 'github', url: github.url, appId: String(app.id) } } },
    connections: {
      github: { appKey: app.privateKey, token: null, webhookSecret, previousWebhookSecret: null },
    },
    env: fakeEnvironment(fake),
  })
  onTestFinished(() => server.stop())
  github.hooks.targets.set(app, { url: `${server.url}/webhooks/github`, secret: webhookSecret })
  const makeToken = async (name: string, scopes: string[]): Promise<string> => {
    const response = await fetch(`${server.url}/api/v1/operator/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant: await tenantOf(server), name, scopes, days: 1 }),
    })
    return ((await response.json()) as { token: string }).token
  }
  return {
    ...{ github, server, folder, makeToken },
    announce: () => github.hooks.installation(app, installation.id),
    change: () => project.open({ branch: 'topic', files: at('HEAD') }),
  }
}

/** The one tenant that the webhook made known. */
async function tenantOf({ url, adminToken }: ServedServer): Promise<string> {
  const response = await fetch(`${url}/api/v1/operator/tenants`, {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  const { tenants } = (await response.json()) as { tenants: { tenant: string }[] }
  return tenants[0]?.tenant ?? ''
}

test.runIf(isWhole)(
  'from a webhook to posted comments, questions, a swapped model, tokens and repositories, in Chromium',
  {
    ...needs('Chromium'),
    timeout: 600_000,
  },
  async () => {
    const { github, server, folder, makeToken, announce, change } = await startWorld()
    const opened = change()
    // The first word of a host says which tenants there are; its review waits until somebody watches.
    expect(await announce()).toBe(202)
    await expect.poll(() => tenantOf(server).catch(() => ''), { timeout: 60_000 }).not.toBe('')
    const token = await makeToken('ada', ['read', 'review', 'admin'])
    const browser = await launchForTest()
    const watched = await watchedPage(browser, server.url)
    const { page } = watched
    const faults: string[] = []
    /** As people see it now, and in the other theme. */
    const look = async (name: string): Promise<void> => {
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        faults.push(...(await axeFindings(page)).map((each) => `${name}, ${scheme}: ${each}`))
        await takePicture(page, `${name}-${scheme}`)
      }
    }

    await page.goto(`${server.url}/queue`)
    await page.getByLabel('API token').fill('slt_wrong')
    await page.getByRole('button', { name: 'Sign in with a token' }).click()
    await page.getByText('This token is wrong').waitFor()
    await look('sign-in')
    await page.getByLabel('API token').fill(token)
    await page.getByRole('button', { name: 'Sign in with a token' }).click()
    await page.getByText('Nothing runs and nothing waits.').waitFor()

    // Live: the page is not loaded again until the review is posted.
    expect(await github.hooks.pull(opened, 'opened')).toEqual([202])
    const row = page.locator('tbody tr').first()
    await row.getByText('Running').waitFor({ timeout: 60_000 })
    // Each stage as it comes, in the words of the worker.
    await row.locator('.progress', { hasText: /collect|review/ }).waitFor({ timeout: 120_000 })
    await look('queue-live')
    await row.getByText('Reviewed').waitFor({ timeout: 180_000 })
    expect(opened.threads).toHaveLength(1)
    // By its title, which nobody had to look up.
    await row.getByRole('link', { name: 'Change topic' }).click()
    await page.locator('.finding').first().waitFor()
    const run = /runs\/([^/?]+)/.exec(page.url())?.[1] ?? ''

    await visit(page, `/runs/${run}/ask`)
    await page.getByLabel('Question').fill('Is the base used?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('status').filter({ hasText: '…' }).waitFor()
    await page.locator('.answer, .turns .notice-bad').waitFor({ timeout: 180_000 })
    expect(await page.locator('.turns').textContent()).toContain('The base is doubled with each attempt.')
    await page.getByText('Around it').first().click()
    await page.locator('blockquote pre', { hasText: 'const base' }).waitFor()
    await look('ask-server')
    // On record: whoever comes back finds the conversation.
    await page.reload()
    await page.getByText('The base is doubled with each attempt.').waitFor()
    await page.getByRole('button', { name: 'Start a new conversation' }).click()
    await page.getByText('The base is doubled with each attempt.').waitFor({ state: 'detached' })

    await visit(page, `/runs/${run}/replay`)
    await page.getByRole('button', { name: 'Replay from the record' }).click()
    const ended = page.getByText('Fidelity').or(page.locator('.notice-bad'))
    await ended.waitFor({ timeout: 180_000 })
    expect(await page.locator('main').textContent()).toContain('Identical, byte for byte.')
    await page.getByLabel('Model').fill('fake/claude-opus-5')
    await page.getByLabel('Role').selectOption('reviewer')
    await page.getByRole('button', { name: 'Swap and replay' }).click()
    await page.getByText('Identical, byte for byte.').waitFor({ state: 'detached' })
    await ended.waitFor({ timeout: 180_000 })
    expect(await page.locator('main').textContent()).toContain('Fidelity')
    await look('replay-server')

    // However often it is pushed to, a change request is one row, with all that was found and spent.
    opened.push({ 'NOTES.md': 'More words.\n' })
    expect(await github.hooks.pull(opened, 'synchronize')).toEqual([202])
    const reviewed = () => github.state.checks.filter(({ status }) => status === 'completed').length
    await expect.poll(reviewed, { timeout: 180_000, interval: 200 }).toBe(2)
    const only = page.locator('tbody tr')
    await expect
      .poll(
        async () => {
          await page.goto(`${server.url}/runs`)
          await settled(page)
          return await only.filter({ hasText: '2 reviews' }).count()
        },
        { timeout: 180_000, interval: 2_000 },
      )
      .toBe(1)
    expect(await only.count()).toBe(1)
    expect((await only.textContent())?.match(/Change topic/g)).toHaveLength(1)
    await look('runs-server')
    await only.getByRole('link', { name: 'Change topic' }).click()
    await page.getByRole('heading', { name: 'Pushes' }).waitFor()
    expect(await page.locator('.facts').textContent()).toMatch(/Open findings1.*Fixed0.*Reviews2/)
    for (const width of [390, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      await look(`change-${width}`)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }

    // As a worker's own process leaves what it read; roles in the test's process keep it in memory.
    writeFileSync(join(placesOf(join(folder, 'data'), await tenantOf(server)).cacheOwn, 'facts'), '')
    await visit(page, '/repositories')
    // It is small, and no index would make its reviews faster.
    await page.getByText('not needed').waitFor()
    await page.getByRole('checkbox', { name: 'on' }).click()
    await page.getByRole('checkbox', { name: 'off' }).waitFor()
    await look('repositories-server')

    await visit(page, '/access')
    await page.getByLabel('Name of the new token').fill('reader')
    await page.getByRole('button', { name: 'Make a token' }).click()
    const reader = (await page.locator('.token code').textContent()) ?? ''
    expect(reader).toMatch(/^slt_/)
    await look('access')

    // A viewer sees no button that would be refused.
    const viewer = await watchedPage(browser, server.url)
    await viewer.page.goto(server.url)
    await signIn(viewer.page, reader)
    for (const path of ['/repositories', `/runs/${run}/ask`, `/runs/${run}/replay`, '/access']) {
      await visit(viewer.page, path)
      expect(
        await viewer.page.locator('main').locator('input[type=checkbox], form.ask-form, .swap').count(),
      ).toBe(0)
    }
    expect(await viewer.page.getByRole('link', { name: 'Access' }).count()).toBe(0)
    // Revoked: the session of the viewer ends with its next question.
    await page.getByRole('button', { name: 'Revoke reader' }).click()
    await page.getByRole('button', { name: 'Revoke it now' }).click()
    await page.getByRole('button', { name: 'Revoke reader' }).waitFor({ state: 'detached' })
    await viewer.page.getByRole('link', { name: 'Trends' }).click()
    await viewer.page.getByText('Your session has ended.').waitFor()

    await visit(page, '/policy?part=audit')
    const log = (await page.locator('main').textContent()) ?? ''
    for (const action of [
      'session.begin',
      'run.ask',
      'run.replay',
      'repository.update',
      'token.create',
      'token.revoke',
    ])
      expect(log).toContain(action)
    await look('audit-server')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API token').waitFor()

    expect(faults).toEqual([])
    expect([...watched.elsewhere, ...viewer.elsewhere]).toEqual([])
    expect([...watched.complaints, ...viewer.complaints]).toEqual([])
    expect(github.violations).toEqual([])
  },
)
