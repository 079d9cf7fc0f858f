/**
 * Signing in to a server in a real browser: through the pages of a provider and back to where one was, with the role that the
 * host gives, until the session ends. Played by the whole matrix; what the server answers is `test/server/access`.
 */
import { expect, onTestFinished, test } from 'vitest'
import { dashboardFolder } from '../../src/server/dashboard-build.ts'
import { assetRoutes } from '../../src/server/http/asset-routes.ts'
import { isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { startSignInWorld } from '../server/access/sign-in-world.ts'
import { axeFindings, launchForTest, settled, takePicture, watchedPage } from './browser.ts'

test.runIf(isWhole)(
  'through GitHub and OpenID Connect, as a viewer and as an admin, in Chromium',
  {
    ...needs('Chromium'),
    timeout: 180_000,
  },
  async () => {
    const browser = await launchForTest()
    const world = await startSignInWorld(assetRoutes(dashboardFolder))
    onTestFinished(() => world.close())
    const { github, oidc } = world.providers
    const { page, elsewhere, complaints } = await watchedPage(browser, world.url)
    const main = page.locator('main')
    const text = async () => {
      await settled(page)
      return (await main.textContent()) ?? ''
    }

    await page.goto(`${world.url}/runs?repository=all`)
    await page.getByRole('link', { name: 'Continue with GitHub' }).waitFor()
    const faults: string[] = []
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      faults.push(...(await axeFindings(page)))
      await takePicture(page, `sign-in-providers-${scheme}`)
    }
    expect(faults).toEqual([])

    // Who can read nothing comes back to the sign-in page, and is told why.
    await page.getByRole('link', { name: 'Continue with GitHub' }).click()
    await page.getByText('This account has no access to any repository').waitFor()
    expect(page.url()).toContain('/sign-in?error=no-access')

    // A viewer of one of two repositories sees that one alone, and no button that would be refused.
    github.person.repositories.set(1, { pull: true })
    await page.goto(`${world.url}/runs?depth=offline`)
    await page.getByRole('link', { name: 'Continue with GitHub' }).click()
    await page.waitForURL(`${world.url}/runs?depth=offline`)
    expect(await text()).toContain('acme/shop')
    expect(await text()).not.toContain('acme/vault')
    expect(await page.locator('.who').textContent()).toContain('octocat')
    expect(await page.locator('.who').textContent()).toContain('viewer')
    expect(await page.getByRole('link', { name: 'Access' }).count()).toBe(0)
    await page.goto(`${world.url}/repositories`)
    expect(await text()).toContain('acme/shop')
    expect(await main.locator('input[type=checkbox]').count()).toBe(0)
    // Without the button, too.
    const refused = await page.evaluate<number[]>(`(async () => {
      const { csrf } = await (await fetch('/api/v1/session')).json()
      const send = (method, path, body) =>
        fetch('/api/v1' + path, {
          method,
          headers: { 'content-type': 'application/json', 'x-sightline-csrf': csrf },
          body: JSON.stringify(body),
        }).then(({ status }) => status)
      return [
        await send('PATCH', '/repositories/github/1', { isEnabled: false }),
        await send('POST', '/runs/${world.shopRun}/ask', { question: 'why?' }),
        await send('POST', '/tokens', { name: 'mine', scopes: ['read'], days: 1 }),
      ]
    })()`)
    expect(refused).toEqual([403, 403, 403])

    // The session ends while somebody works; whoever signs in again is where they were.
    await page.getByRole('link', { name: 'Trends' }).click()
    await page.waitForURL(`${world.url}/trends`)
    await settled(page)
    await world.database.query('update web_session set expires_at = now() - interval $$1 second$$', [])
    await page.getByRole('link', { name: 'Queue' }).click()
    await page.getByText('Your session has ended. Sign in again to continue.').waitFor()
    oidc.person.groups = ['admins', 'partners']
    await page.getByRole('link', { name: 'Continue with Example SSO' }).click()
    await page.waitForURL(`${world.url}/queue`)

    // An administrator of one team who is a guest of another.
    await settled(page)
    await page.getByLabel('Team').selectOption('globex')
    await page.locator('.who', { hasText: 'reviewer' }).waitFor()
    await page.getByLabel('Team').selectOption('acme')
    await page.locator('.who', { hasText: 'admin' }).waitFor()
    await page.getByRole('link', { name: 'Access' }).click()
    expect(await text()).toContain('Who is signed in')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('link', { name: 'Continue with GitLab' }).waitFor()

    const known = [github.url, oidc.url, world.url]
    expect(elsewhere.filter((address) => !known.some((url) => address.startsWith(url)))).toEqual([])
    expect(complaints).toEqual([])
  },
)
