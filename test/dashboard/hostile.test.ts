/**
 * A review of a hostile change by a hostile model, and a server full of hostile words: all of it is shown, and none of it does
 * anything. By default one page of a server, which the seed draws, on a phone; `npm run test:matrices` visits every page.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { catalogRun } from '../../src/server/api/hosted.ts'
import { placesOf } from '../../src/server/jobs/places.ts'
import { emptyAnswer, fakeEnvironment, waitFinding } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { drawn, isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { openRouteWorld, type RouteWorld } from '../server/http/route-world.ts'
import { axeFindings, launchForTest, settled, signIn, type Watched, watchedPage } from './browser.ts'
import { review, serveDashboard } from './recorded-runs.ts'
import { storedScripts } from './stored-scripts.ts'

const markup = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
const bidi = 'ad\u202enim\u2066 user\u200b'
const hostileRepository = `github.com/acme/${markup} ${bidi}`
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

/** Every address of the app, with hostile words wherever an address has room for them. */
const words = encodeURIComponent(`${markup}"'>`)
const step = encodeURIComponent('<img src=x onerror=alert(1)>')
const pagesOf = (run: string, change: string): string[] => [
  ...[
    '/',
    `/runs?text=${words}&repository=${words}`,
    `/change?${change}`,
    `/change?repository=${words}&change=1`,
  ],
  ...[`/queue`, `/compare/${run}/${run}`, `/trends?repository=${words}&outcomes=${words}&findings=${words}`],
  ...['/policy', `/policy?repository=${words}`, '/policy?part=memory', '/policy?part=audit'],
  ...[
    `/repositories?text=${words}`,
    '/repositories',
    '/workspace',
    `/workspace?provider=${words}`,
    '/access',
    '/health',
    `/${step}`,
    `/?error=${words}`,
  ],
  ...[`/runs/${run}?finding=${words}&evidence=${words}`, `/runs/${run}/${step}`, `/runs/${step}`],
  ...[`/runs/${run}/candidates?fate=${words}`, `/runs/${run}/candidates`, `/runs/${run}/coverage`],
  ...['cost', 'timeline', 'timeline?as=spans&hide=', 'retrieval', 'ask', 'replay'].map(
    (view) => `/runs/${run}/${view}`,
  ),
  ...[0, 1, 2].map((call) => `/runs/${run}/timeline?call=${call}`),
]

test('every page, tab and part of the dashboard is visited', () => {
  const written = (path: string, pattern: RegExp) =>
    [...readFileSync(`dashboard/src/${path}`, 'utf8').matchAll(pattern)].map(([, name = '']) => name)
  const visited = pagesOf('R', 'c')
  const patterns = written('app.tsx', /^\s*\[?'(\/[^']*)',/gm).filter((one) => one !== '/runs/{run}/{view}')
  const views = written('screens/review/review.tsx', /name: '(\w+)',$/gm)
  const parts = written('screens/policy.tsx', /name: '(\w+)', title/g).filter(
    (one) => one !== 'configuration',
  )
  expect([patterns.length, views.length, parts.length].every((count) => count > 1)).toBe(true)
  const wanted = [
    ...patterns.map((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`)),
    ...views.map((one) => new RegExp(`^/runs/R/${one}(?:\\?|$)`)),
    ...parts.map((one) => new RegExp(`^/policy\\?part=${one}$`)),
  ]
  expect(wanted.filter((one) => !visited.some((path) => one.test(path)))).toEqual([])
})

/** The run of the machine, as a server has one of a change request. */
async function addRun(
  { database, data }: RouteWorld,
  home: Record<string, string>,
  run: string,
): Promise<void> {
  cpSync(join(home.XDG_STATE_HOME ?? '', 'sightline'), placesOf(data, 'acme').stateOwn, { recursive: true })
  await catalogRun({ database, environment: {}, data }, 'acme', run)
  const [{ body } = { body: '' }] = await database.query<{ body: string }>(
    'select body from run_row where run = $1',
    [run],
  )
  const row = {
    ...JSON.parse(body),
    repository: hostileRepository,
    change: 32,
    title: everything,
    url: 'javascript:document.title=1',
  }
  await database.query('update run_row set body = $1 where run = $2', [JSON.stringify(row), run])
  await database.query('update run_catalog set repository = $1, change_number = 32 where run = $2', [
    hostileRepository,
    run,
  ])
}

/** What hosts, people and models said, in every column that a page of a server shows. */
async function fillServer({ database }: RouteWorld): Promise<void> {
  const texts = [...storedScripts, everything, `${markup} ${bidi}`]
  for (const [at, text] of texts.entries()) {
    await database.query(
      `insert into repository (connection, id, tenant, full_name, is_private) values ('github', $1, 'acme', $2, true)`,
      [`hostile-${at}`, `acme/${text}`],
    )
    await database.query(`insert into api_token (hash, tenant, name, made_by) values ($1, 'acme', $2, $2)`, [
      `hostile-${at}`,
      text,
    ])
    await database.query(
      `insert into audit_entry (tenant, actor_kind, actor_name, action, target, detail)
       values ('acme', 'user', $1, 'token.create', $1, $2::jsonb)`,
      [text, JSON.stringify({ [text]: text })],
    )
    await database.query(
      `insert into web_session (hash, tenant, csrf, expires_at, provider, subject, login, rights, provider_tokens)
       values ($1, 'acme', 'x', now() + interval '1 hour', 'oidc', $2, $2, '{}'::jsonb, 'sealed')`,
      [`hostile-${at}`, text],
    )
    const job = {
      address: `https://github.com/acme/shop/pull/${at}`,
      ...{ connection: 'github', installation: null, number: at, head: 'a'.repeat(40) },
      repository: { host: 'github.com', id: `hostile-${at}`, name: `acme/${text}` },
      trigger: { id: randomUUID(), kind: 'opened', by: text },
      decision: { kind: 'review', depth: 'auto', budgetUsd: null, notice: text },
    }
    const state = ['queued', 'running', 'not-reviewed'][at % 3] ?? ''
    const [row] = await database.query<{ id: string }>(
      `insert into job (tenant, kind, lane, content_key, payload, state, reason, last_error, progress, ended_at, give_up_at)
       values ('acme', 'review', $1, 'c', $2::jsonb, $3, $4, $4, $5::jsonb, case when $3 = 'not-reviewed' then now() end, now() + interval '1 hour')
       returning id::text`,
      [
        `hostile-${at}`,
        JSON.stringify(job),
        state,
        text,
        JSON.stringify({ stage: 'planes', files: null, calls: 1, usd: 0, waits: text }),
      ],
    )
    await database.query(
      `insert into review_trigger (id, tenant, connection, repository, repository_name, number, kind, asked_by, head, received_at,
         decision, job, owns_job, state, reason, title)
       values ($1, 'acme', 'github', $2, $3, $4, 'opened', $5, $6, now(), $5, $7, true, 'waiting', $5, $5)`,
      [job.trigger.id, `hostile-${at}`, `acme/${text}`, at, text, job.head, row?.id ?? null],
    )
  }
}

async function look(watched: Watched, url: string, paths: readonly string[]): Promise<string> {
  const { page } = watched
  let shown = ''
  for (const path of paths) {
    await page.goto(`${url}${path}`)
    // What is not there has no heading.
    await expect
      .poll(() => page.locator('body').textContent(), { timeout: 60_000, message: path })
      .toMatch(/^(?!.*Loading .* …).+/s)
    expect(await traces(page), path).toEqual([])
    shown += await page.locator('body').textContent()
  }
  expect(watched.elsewhere).toEqual([])
  expect(watched.complaints).toEqual([])
  return shown
}

/** A page of a server full of hostile words, signed in at an address with more of them. */
async function openFull(world: RouteWorld, browser: Browser, size = {}): Promise<Watched> {
  await fillServer(world)
  const { url } = world.listener
  const watched = await watchedPage(browser, url, size)
  await watched.page.goto(`${url}/queue?error=${words}`)
  await watched.page.getByLabel('API token').waitFor()
  expect(await traces(watched.page)).toEqual([])
  await signIn(watched.page, world.tokens.admin)
  return watched
}

/** Pages that show all texts of a server, with their line breaks. */
const fullPages = ['/queue', '/policy?part=audit']

test(
  'on a phone, a page of a server shows hostile words, and they do nothing',
  needs('Chromium'),
  async () => {
    const world = await openRouteWorld({ isUnlimited: true, hasPages: true })
    const browser = await launchForTest()
    try {
      const phone = await openFull(world, browser, { width: 390, height: 780 })
      for (const path of drawn(fullPages)) {
        const shown = await look(phone, world.listener.url, [path])
        for (const one of storedScripts) expect(shown).toContain(one)
        expect(await phone.page.evaluate<number>('document.documentElement.scrollWidth'), path).toBe(390)
        expect(await axeFindings(phone.page), path).toEqual([])
      }
    } finally {
      await world.close()
    }
  },
)

const inChromium = { ...needs('Chromium'), timeout: 600_000 }
test.runIf(isWhole)(
  'every page shows markup and lines of a megabyte, and they do nothing',
  inChromium,
  async () => {
    const home = { XDG_STATE_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() }
    const run = await hostileRun(home)
    const [served, world] = [
      await serveDashboard(home),
      await openRouteWorld({ isUnlimited: true, hasPages: true }),
    ]
    const browser = await launchForTest()
    try {
      const local = await watchedPage(browser, served.url)
      await local.page.goto(served.open)
      await settled(local.page)
      const [{ repository = '', change = '' } = {}] = await local.page.evaluate<
        { repository: string; change: string }[]
      >("fetch('/api/v1/runs').then((answer) => answer.json()).then(({ items }) => items)")
      const ofRun = new URLSearchParams({ repository, change: change ?? '' }).toString()
      await look(local, served.url, pagesOf(run, ofRun))

      await local.page.goto(`${served.url}/runs/${run}`)
      await settled(local.page)
      const text = (await local.page.locator('main').textContent()) ?? ''
      expect(text).toContain('<script>document.title="owned"</script>')
      expect(text).toContain(hostileName)
      for (const name of Object.keys(hostileFiles)) expect(text).toContain(name)
      expect(text).toContain('U+202E')
      // A line of a megabyte is left out and a long one is cut, with words that say so.
      expect(text).toContain('src/long.ts')
      expect(text.length).toBeLessThan(200_000)
      expect(text).toMatch(/more characters/)

      await addRun(world, home, run)
      const { url } = world.listener
      const remote = await openFull(world, browser)
      const hostile = new URLSearchParams({
        repository: `github.com/acme/${markup} ${bidi}`,
        change: '32',
      }).toString()
      const shown = await look(remote, url, pagesOf(run, hostile))
      for (const one of storedScripts) expect(shown).toContain(one)
      await remote.page.goto(`${url}/setup?error=${words}&state=${words}`)
      expect(await traces(remote.page)).toEqual([])
      expect(remote.elsewhere).toEqual([])
    } finally {
      await served.stop()
      await world.close()
    }
  },
)
