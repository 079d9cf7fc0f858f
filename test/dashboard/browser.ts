/** A real Chromium on the dashboard: what it asks for, complains about, and how axe judges what it shows. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { prepareDashboard } from '../../src/server/dashboard-build.ts'
import { chromiumPath } from '../helpers/chromium.ts'

export type Watched = {
  page: Page
  /** Addresses on other hosts that the page asked for; there should be none. */
  elsewhere: string[]
  /** Errors of scripts, refusals of the content security policy, dialogs: there should be none. */
  complaints: string[]
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu',
      '--no-zygote',
      '--renderer-process-limit=1',
      '--enable-features=NetworkServiceInProcess2',
    ],
  })
}

/** Chromium for the pages of a server, which can be built first; it ends with the test. */
export async function launchForTest(): Promise<Browser> {
  await prepareDashboard(() => {}, new AbortController().signal)
  const browser = await launch()
  onTestFinished(() => browser.close())
  return browser
}

/** A page that notes whatever should not happen. `origin` is where the dashboard is served. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: { width?: number; height?: number; scheme?: 'light' | 'dark' } = {},
): Promise<Watched> {
  const { width = 1440, height = 900, scheme = 'light' } = options
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' },
  })
  const page = await context.newPage()
  const watched: Watched = { page, elsewhere: [], complaints: [] }
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
      watched.elsewhere.push(request.url())
  })
  page.on('pageerror', (error) => watched.complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // A resource that answers with an error status is said by the page itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      watched.complaints.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    watched.complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return watched
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds against WCAG 2.2 A and AA, as `rule: element`. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe)
  return page.evaluate<string[]>(`
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`)
}

/** The list of reviews of a server, in a browser of its own that ends with the test, as somebody reads it who has a token. */
export async function signedIn(url: string, token: string): Promise<Page> {
  const { page } = await watchedPage(await launchForTest(), url)
  await page.goto(`${url}/runs`)
  await page.getByText('The operator of this server makes the first one with the admin token').waitFor()
  await signIn(page, token)
  return page
}

/** Sends the token on the page that asks for one. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token)
  await page.getByRole('button', { name: 'Sign in with a token' }).click()
  await settled(page)
}

/** Goes on as a link of the dashboard does, without loading it again. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})
    dispatchEvent(new PopStateEvent('popstate'))
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`)
  await settled(page)
}

/** Signed in and loaded, and nothing is on its way. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.locator('#main h1').first().waitFor()
  await expect.poll(() => page.locator('#main').textContent()).not.toMatch(/Loading .* …/)
}

const pictures = process.env.SIGHTLINE_SCREENSHOTS

/** What is on the screen, as `NAME.png` in the folder that SIGHTLINE_SCREENSHOTS names; nothing without it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}
