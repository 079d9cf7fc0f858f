/**
 * How long the dashboard takes in Chromium over many runs: the first list, a filter, the next page, and trends. Uses the
 * embedded database that `bench/dashboard/catalog.ts --folder FOLDER` filled.
 *
 *   node bench/dashboard/browser.ts --folder FOLDER [--repeats 5]
 *
 * Prints a table. Exit code 1 when the first screen takes more than a second.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDashboard } from '../../scripts/build-dashboard.ts'
import { hostedRoutes } from '../../src/server/api/hosted.ts'
import { dashboardFolder } from '../../src/server/api/local.ts'
import { openSealer } from '../../src/server/connections/sealed-secrets.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { makeToken } from '../../src/server/http/access.ts'
import { assetRoutes } from '../../src/server/http/asset-routes.ts'
import { openDoor } from '../../src/server/http/listen.ts'
import { openLog } from '../../src/server/log.ts'
import { openMetrics } from '../../src/server/metrics.ts'
import { ServerSettings } from '../../src/server/settings/schema.ts'
import { launch, watchedPage } from '../../test/dashboard/browser.ts'

const { values } = parseArgs({
  options: { folder: { type: 'string', default: '' }, repeats: { type: 'string', default: '5' } },
})
const limitMs = 1_000

await buildDashboard()
const database = await openDatabase({ url: undefined, folder: join(values.folder, 'database') })
const log = openLog({ level: 'error', write: (line) => console.error(line) })
const door = await openDoor({
  routes: [
    ...hostedRoutes({
      ...{ database, settings: ServerSettings.parse({}), environment: { XDG_STATE_HOME: values.folder } },
      ...{ data: values.folder, clientSecrets: {}, sealer: openSealer('x'.repeat(32)), log },
      // So early that the catalog is not compared with a store, which has none of these runs.
      now: () => new Date(0),
    }),
    ...assetRoutes(dashboardFolder),
  ],
  ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 100_000, log },
  findTenant: async () => null,
  isAdmin: () => false,
  isMetricsReader: null,
  metrics: openMetrics(),
})
const token = await makeToken(database, 'acme', { name: 'bench', scopes: ['read'], days: 1 })
const browser = await launch()
try {
  const { page } = await watchedPage(browser, door.url)
  await page.goto(door.url)
  await page.getByLabel('API token').fill(token)
  await page.getByRole('button', { name: 'Sign in with a token' }).click()
  const rows = page.locator('tbody tr')
  await rows.first().waitFor()
  const measured = new Map<string, number[]>()
  const measure = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now()
    await work()
    measured.set(name, [...(measured.get(name) ?? []), performance.now() - startedAt])
  }
  for (let at = 0; at < Number(values.repeats); at++) {
    await measure('first screen', async () => {
      await page.goto(`${door.url}/runs`)
      await rows.nth(49).waitFor()
    })
    await measure('next page', async () => {
      await page.getByRole('button', { name: 'Load more' }).click()
      await rows.nth(99).waitFor()
    })
    await measure('filter by words that one run has', async () => {
      await page.goto(`${door.url}/runs?text=-000007`)
      await page
        .getByRole('link', { name: /of part/ })
        .first()
        .waitFor()
    })
    await measure('filter by verdict', async () => {
      await page.goto(`${door.url}/runs?word=APPROVE&depth=deep`)
      await rows.nth(49).waitFor()
    })
    await measure('trends of a year', async () => {
      await page.goto(`${door.url}/trends?from=2025-11-22&to=2026-11-22`)
      await page.locator('.chart svg').first().waitFor()
    })
  }
  for (const [name, times] of measured) {
    const sorted = times.sort((a, b) => a - b)
    const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    console.log(
      `${name.padEnd(34)} median ${median.toFixed(0).padStart(5)} ms, worst ${worst.toFixed(0).padStart(5)} ms`,
    )
    if (name === 'first screen' && median > limitMs) process.exitCode = 1
  }
} finally {
  await browser.close()
  await door.close(0)
  await database.close()
}
