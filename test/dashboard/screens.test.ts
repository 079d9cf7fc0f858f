/**
 * Every screen in a real browser, over runs that real reviews left, in the whole matrix. With `SIGHTLINE_SCREENSHOTS=FOLDER`
 * each screen is also written there as a picture, light and dark: the pictures in docs/dashboard are made this way.
 */
import { expect, test } from 'vitest'
import { apiBase } from '../../src/server/api/contract/common.ts'
import { RunTimeline } from '../../src/server/api/contract/runs.ts'
import { isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import {
  axeFindings,
  launchForTest,
  settled,
  takePicture,
  visit,
  type Watched,
  watchedPage,
} from './browser.ts'
import { type RecordedRuns, recordRuns, serveDashboard } from './recorded-runs.ts'

/** Each with words that are there only when its data is. */
function screensOver(runs: RecordedRuns, call: number): [name: string, path: string, words: string][] {
  return [
    ['runs', '/runs', 'Changes requested'],
    ['queue', '/queue', 'commit'],
    ['review', `/runs/${runs.offline}`, 'Evidence'],
    ['review-deep', `/runs/${runs.deep}`, 'The total is subtracted'],
    ['candidates', `/runs/${runs.quick}/candidates`, 'Nobody uses the base'],
    ['coverage', `/runs/${runs.deep}/coverage`, 'read by two readers independently'],
    ['cost', `/runs/${runs.deep}/cost`, 'By role'],
    ['timeline', `/runs/${runs.deep}/timeline`, 'planes'],
    ['spans', `/runs/${runs.deep}/timeline?as=spans`, 'Exported as'],
    ['call', `/runs/${runs.quick}/timeline?call=${call}`, 'answer'],
    ['retrieval', `/runs/${runs.deep}/retrieval`, 'fused'],
    ['ask', `/runs/${runs.deep}/ask`, 'the first one already gives a negative sum'],
    ['replay', `/runs/${runs.quick}/replay`, 'Replay from the record'],
    ['compare', `/compare/${runs.quick}/${runs.again}`, 'Fidelity'],
    ['trends', '/trends', 'Stages'],
    ['policy', '/policy', 'Effective configuration'],
    ['memory', '/policy?part=memory', 'helped 3, harmed 0'],
    ['audit', '/policy?part=audit', 'the tests compare NaN on purpose'],
    ['repositories', '/repositories', 'parcel-desk'],
    ['workspace', '/workspace?provider=price-client', '@parcels/price#rebate'],
    ['health', '/health', 'run store'],
  ]
}

/** Tools are asked beside models, so its number is not always the same. */
async function firstModelCall({ page }: Watched, run: string): Promise<number> {
  const response = await page.request.get(new URL(`${apiBase}/runs/${run}/timeline`, page.url()).href)
  const { spans } = RunTimeline.parse(await response.json())
  const call = spans.find(({ kind }) => kind === 'model')?.call ?? null
  if (call === null) throw new Error('the run asked no model')
  return call
}

test.runIf(isWhole)(
  'every screen shows its data in Chromium, light and dark; axe finds nothing; no other host is asked',
  {
    ...needs('Chromium'),
    timeout: 600_000,
  },
  async () => {
    const runs = await recordRuns()
    const served = await serveDashboard(runs.env)
    const browser = await launchForTest()
    let call = 0
    try {
      const light = await watchedPage(browser, served.url)
      await light.page.goto(served.open)
      await settled(light.page)
      expect(light.page.url()).not.toContain('token')
      call = await firstModelCall(light, runs.quick)
      const dark = await watchedPage(browser, served.url, { scheme: 'dark' })
      await dark.page.context().addCookies(await light.page.context().cookies())
      const faults = [...(await walk(light, 'light')), ...(await walk(dark, 'dark'))]
      const phone = await watchedPage(browser, served.url, { width: 390, height: 780 })
      await phone.page.context().addCookies(await light.page.context().cookies())
      faults.push(...(await walkOnPhone(phone)))
      expect(faults).toEqual([])
      await useKeys(light.page)
      expect([...light.elsewhere, ...dark.elsewhere]).toEqual([])
      expect([...light.complaints, ...dark.complaints]).toEqual([])
    } finally {
      await served.stop()
    }

    /** Nothing is wider than the screen. */
    async function walkOnPhone({ page }: Watched): Promise<string[]> {
      const faults: string[] = []
      await page.goto(served.url)
      await settled(page)
      for (const [name, path] of screensOver(runs, call)) {
        await visit(page, path)
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        if (width > 390) faults.push(`${name}: ${width} pixels wide on a phone`)
        if (name === 'review' || name === 'runs') await takePicture(page, `${name}-phone`)
      }
      return faults
    }

    /** From the list to a finding and on to other areas, without a pointer. */
    async function useKeys(page: Watched['page']): Promise<void> {
      await page.goto(`${served.url}/runs`)
      await settled(page)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/runs\/\d{8}-/)
      await page.locator('.finding').first().waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/finding=/)
      await page.keyboard.press(']')
      await page.waitForURL(/\/candidates$/)
      await page.goto(`${served.url}/runs/${runs.deep}/timeline?as=spans`)
      await settled(page)
      // From a span to its call, from the call to its span, and with the id of the trace back to the run.
      await page.locator('.spans td:first-child a').first().click()
      // In the panel alone: the table behind it has links of the same kind, which the panel covers.
      const panel = page.getByRole('dialog')
      await panel.getByRole('link', { name: /^[0-9a-f]{16}$/ }).click()
      await page.locator('.row-chosen').waitFor()
      const trace = (await page.locator('.trace code').textContent()) ?? ''
      await page.goto(`${served.url}/runs?text=${trace}`)
      await settled(page)
      expect(await page.locator('tbody tr').count()).toBe(1)
      await page.keyboard.press('?')
      await page.locator('dialog.keys[open]').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('g')
      await page.keyboard.press('t')
      await page.waitForURL(/\/trends$/)
    }

    async function walk({ page }: Watched, scheme: 'light' | 'dark'): Promise<string[]> {
      const faults: string[] = []
      await page.goto(served.url)
      await settled(page)
      for (const [name, path, words] of screensOver(runs, call)) {
        await visit(page, path)
        const text = (await page.locator('main').textContent()) ?? ''
        if (!text.includes(words)) faults.push(`${name}: no “${words}” in: ${text.slice(0, 300)}`)
        faults.push(...(await axeFindings(page)).map((each) => `${name}, ${scheme}: ${each}`))
        await takePicture(page, `${name}-${scheme}`)
      }
      return faults
    }
  },
)
