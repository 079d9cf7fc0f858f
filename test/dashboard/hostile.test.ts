/** A review of a hostile change by a hostile model: all of it is shown, and none of it does anything. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { prepareDashboard } from '../../src/server/dashboard-build.ts'
import { emptyAnswer, fakeEnvironment, waitFinding } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { launch, settled, watchedPage } from './browser.ts'
import { review, serveDashboard } from './recorded-runs.ts'
import { storedScripts } from './stored-scripts.ts'

const markup = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
const bidi = 'ad\u202enim\u2066 user\u200b'
const hostileName = 'src/<img src=x onerror=alert(1)>.ts'
/** As names of files, where no path allows a slash; all of them as code, and in the words of author, ticket and model. */
const hostileFiles = Object.fromEntries(
  storedScripts.flatMap((text, at) =>
    /[/\n]/.test(text) ? [] : [[`src/${text}`, `export const b${at} = 1\n`]],
  ),
)
const everything = storedScripts.join('\n\n')
/** A line of a megabyte of code. */
const endless = '<b>x</b>'.repeat(131_072)
/** Tickets and messages of commits are refused beyond a megabyte. */
const nearlyEndless = endless.slice(0, 900_000)
const longLine = `const data = '${endless}'`

async function hostileRun(home: Record<string, string>): Promise<string> {
  const repo = createRepo()
  repo.commit({ [hostileName]: 'export const a = 1\n', 'src/long.ts': 'export {}\n' }, 'first')
  repo.commit(
    {
      [hostileName]: `export const a = 2 // ${markup} ${bidi}\n/*\n${everything}\n*/\n`,
      ...hostileFiles,
      'src/long.ts': `${longLine}\nexport {}\n`,
      'src/wide.ts': `const wide = '${'<i>'.repeat(1_500)}'\n`,
    },
    'hostile',
  )
  // Too long for a command line.
  const message = join(temporaryFolder(), 'message')
  writeFileSync(
    message,
    `${markup} ${bidi} ${nearlyEndless}\n\n</title></textarea><svg onload=alert(2)>\n\n${everything}`,
  )
  repo.git('commit', '--amend', '--quiet', '--file', message)
  const ticket = join(temporaryFolder(), 'ticket.md')
  writeFileSync(
    ticket,
    `# ${markup}\n\n## Done when\n\n- must ${markup}\n- must ${nearlyEndless}\n\n${everything}\n`,
  )
  const fake = await startFakeProvider('anthropic', {
    steps: [
      {
        answer: 'good',
        times: 'always',
        value: {
          ...emptyAnswer,
          findings: [
            {
              ...waitFinding,
              file: hostileName,
              tags: [{ $tagAt: 'export const a = 2' }],
              evidence: [{ id: { $tagAt: 'export const a = 2' }, quote: 'export const a = 2' }],
              title: `Broken ${markup} ${bidi}`,
              explanation:
                `${markup}\n\n[link](javascript:alert(3)) ${bidi} \`${markup}\`\n\n${everything}`.slice(
                  0,
                  1_900,
                ),
              remedy: `<a href="https://elsewhere.example/${'x'.repeat(200)}">fix</a>`,
            },
          ],
        },
      },
    ],
  })
  return review(repo.path, ['HEAD', '--depth', 'quick', '--ticket', ticket], {
    ...home,
    ...fakeEnvironment(fake),
  })
}

/** What foreign text could have left in the page. */
function traces(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const foreign = 'img, iframe, object, embed, base, audio, video, math, marquee, [style], [ping], [srcdoc], main script'
    const alien = [...document.querySelectorAll(foreign)]
    const handlers = [...document.querySelectorAll('*')].filter(({ attributes }) =>
      [...attributes].some(({ name }) => name.startsWith('on')),
    )
    const links = [...document.querySelectorAll('a')].filter(({ protocol }) => !/^https?:$/.test(protocol))
    const hidden = /[\\u200b\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)
    return [
      ...[...alien, ...handlers, ...links].map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...(document.title.includes('owned') ? ['a script ran'] : []),
      ...(hidden ? ['hidden characters are in the page as they are'] : []),
    ]
  })()`)
}

test('script, markup, bidirectional text and lines of a megabyte are shown and do nothing', {
  ...needs('Chromium'),
  timeout: 300_000,
}, async () => {
  await prepareDashboard(() => {}, new AbortController().signal)
  const home = { XDG_STATE_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() }
  const run = await hostileRun(home)
  const served = await serveDashboard(home)
  const browser = await launch()
  try {
    const { page, elsewhere, complaints } = await watchedPage(browser, served.url)
    await page.goto(served.open)
    await settled(page)
    for (const path of ['/runs', `/runs/${run}`, `/runs/${run}/candidates`, `/runs/${run}/coverage`]) {
      await page.goto(`${served.url}${path}`)
      await settled(page)
      expect(await traces(page), path).toEqual([])
    }
    for (const call of [0, 1, 2]) {
      await page.goto(`${served.url}/runs/${run}/timeline?call=${call}`)
      await settled(page)
      expect(await traces(page), `call ${call}`).toEqual([])
    }

    await page.goto(`${served.url}/runs/${run}`)
    await settled(page)
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain('<script>document.title="owned"</script>')
    expect(text).toContain(hostileName)
    for (const name of Object.keys(hostileFiles)) expect(text).toContain(name)
    expect(text).toContain('U+202E')
    // A line of a megabyte is left out and a long one is cut, with words that say so.
    expect(text).toContain('src/long.ts')
    expect(text.length).toBeLessThan(200_000)
    expect(text).toMatch(/more characters/)
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
    await served.stop()
  }
})
