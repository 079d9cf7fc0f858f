/** Open change requests of other repositories that have the other half of a change: found, named, taken, and when to merge them. */
import { expect, test } from 'vitest'
import type { Review } from '../../src/domain/review.ts'
import type { CompanionChange } from '../../src/domain/workspace.ts'
import { renderHtml } from '../../src/pipeline/publish/html/render.ts'
import { renderMarkdown } from '../../src/pipeline/publish/markdown/render.ts'
import type { NewChange } from '../helpers/hosts/engine/change.ts'
import { withLocalApi } from '../red-team/secrets/ask-api.ts'
import { application, openHostedWorld, withoutClose } from './hosted-world.ts'

/** Without the use of `close`. */
const adapted = { 'src/api.ts': 'export {}\n' }

type Open = Partial<Omit<NewChange, 'from'>> & { isFork?: boolean }

/** The change that removes `close`, with another one open in the application. */
async function worldWith({ isFork = false, ...other }: Open, own: { title?: string; body?: string } = {}) {
  const world = await openHostedWorld()
  const { web, change } = world
  const from = isFork ? web.fork('eve') : web
  const companion = web.open({ branch: 'drop-close', files: adapted, ...other, from })
  Object.assign(change, own)
  await world.update()
  return { ...world, companion }
}

const across = ({ findings }: Review) => findings.filter(({ plane }) => plane === 'across')
const companions = ({ request }: Review): readonly CompanionChange[] => request.workspace?.companions ?? []
const stops = 'it no longer uses `@acme/client#close`, which this change takes away'

test('what the author links counts as the other side, and goes first', async () => {
  const { fake, change, companion, review, update, other } = await worldWith({})
  for (const body of ['Needs acme/web!1.', `See ${fake.url}/acme/web/-/merge_requests/1#note_12, please`]) {
    change.body = body
    const found: Review = await review()
    expect(across(found), body).toMatchObject([
      { severity: 'low', remedy: 'Merge `acme/web!1` first.', rule: 'across/package-removed' },
    ])
    expect(across(found)[0]?.explanation).toContain('no longer with `acme/web!1`')
    expect(companions(found)).toEqual([
      {
        ...{ repository: 'acme/web', name: '!1', url: `${other}/-/merge_requests/1`, head: companion.head },
        ...{ foundBy: 'link', isTaken: true, merge: 'before', reasons: [stops] },
      },
    ])
  }
  // A push that brings the use back is seen at the next fetch.
  companion.push(application('src/late.ts'))
  await update()
  const again: Review = await review()
  expect(across(again)).toMatchObject([{ severity: 'high' }])
  expect(companions(again)).toMatchObject([{ name: '!1', merge: null, reasons: [] }])
})

test('a branch of the same name counts as the other side, that of a fork does not', async () => {
  const { web, companion, review, update } = await worldWith({ branch: 'topic', isFork: true })
  // One that is no other side changes no words.
  expect(web.open({ branch: 'elsewhere', files: withoutClose }).state).toBe('open')
  await update()
  const forked: Review = await review()
  expect(across(forked)).toMatchObject([{ severity: 'high' }])
  expect(companions(forked)).toMatchObject([{ foundBy: 'branch', isTaken: false, merge: 'before' }])
  companion.close()
  web.open({ branch: 'topic', files: adapted })
  await update()
  const own: Review = await review()
  expect(across(own)).toMatchObject([{ severity: 'low', remedy: 'Merge `acme/web!3` first.' }])
  expect(companions(own)).toMatchObject([{ foundBy: 'branch', isTaken: true, merge: 'before' }])
})

test('those that are found by a ticket, by their own link or by content are named, and settle nothing', async () => {
  const own = { title: 'Remove close', body: 'Part of PAY-12' }
  const { web, review, update } = await worldWith({ title: 'Drop close (PAY-12)' }, own)
  web.open({ branch: 'links-back', files: adapted, body: 'After acme/client!1' })
  web.open({ branch: 'says-nothing', files: adapted })
  await update()
  const found: Review = await review()
  expect(across(found)).toMatchObject([{ severity: 'high' }])
  const all = companions(found).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  expect(all).toMatchObject(
    ['ticket', 'link-back', 'content'].map((foundBy, at) => ({
      ...{ name: `!${at + 1}`, foundBy, isTaken: false, merge: 'before', reasons: [stops] },
    })),
  )
})

test('a ticket alone is no reason, and a link needs none', async () => {
  const unrelated = { branch: 'docs', files: { 'README.md': '# Web\n' }, title: 'Describe PAY-12' }
  const { change, review } = await worldWith(unrelated, { body: 'PAY-12' })
  expect(companions(await review())).toEqual([])
  change.body = 'See acme/web!1'
  expect(companions(await review())).toMatchObject([
    { foundBy: 'link', isTaken: true, merge: null, reasons: [] },
  ])
})

test('the other side is told that it goes first, or second', async () => {
  const { fake, client, web, configure, update, run, folder, environment } = await openHostedWorld()
  configure({ repositories: [`${fake.url}/acme/client`, `${fake.url}/acme/web`] })
  const opening = {
    'src/index.ts':
      'export function close(): void {}\n\nexport function open(): void {}\n\nexport function ping(): void {}\n',
  }
  const added = client.open({ branch: 'add-open', files: opening })
  const begins = web.open({
    branch: 'add-open',
    files: { 'src/new.ts': "import { open } from '@acme/client'\n\nopen()\n" },
  })
  const adapts = web.open({ branch: 'adapt', files: adapted, body: 'Before acme/client!1' })
  await update()
  const reviewOf = async (project: string, number: number): Promise<Review> => {
    const url = `${fake.url}/${project}/-/merge_requests/${number}`
    return JSON.parse((await run(['review', url, '--depth', 'offline', '--json'])).stdout)
  }
  const begun = await reviewOf('acme/web', begins.number)
  expect(companions(begun)).toMatchObject([
    {
      ...{ repository: 'acme/client', name: `!${added.number}`, foundBy: 'branch', isTaken: true },
      ...{ merge: 'before', reasons: ['this change uses `@acme/client#open`, which only it provides'] },
    },
  ])
  expect(companions(await reviewOf('acme/client', added.number))).toMatchObject([
    {
      ...{ name: `!${begins.number}`, merge: 'after' },
      reasons: ['it uses `@acme/client#open`, which only this change provides'],
    },
  ])
  const own = {
    SIGHTLINE_SETTINGS: environment.SIGHTLINE_SETTINGS,
    XDG_STATE_HOME: environment.XDG_STATE_HOME,
  }
  const detail = await withLocalApi(folder, own, async (ask, [newest]) =>
    JSON.parse(await ask(`/runs/${newest}`)),
  )
  expect(detail.companions).toMatchObject([{ name: `acme/web!${begins.number}` }])
  const adapting = await reviewOf('acme/web', adapts.number)
  expect(companions(adapting)).toMatchObject([
    {
      ...{ repository: 'acme/client', name: '!1', foundBy: 'link', merge: 'after' },
      reasons: ['this change no longer uses `@acme/client#close`, which it takes away'],
    },
  ])
  const url = `${fake.url}/acme/client/-/merge_requests/1`
  const words = 'Linked by the author. Merge this change first: this change no longer uses'
  const options = { explain: false, headlines: false, color: false, open: false, width: 100 } as never
  expect(renderMarkdown(adapting, options)).toContain(`[\`acme/client!1\`](<${url}>): ${words}`)
  expect(renderHtml(adapting, options)).toContain(
    `<a href="${url}" rel="noreferrer noopener"><code>acme/client!1</code></a>`,
  )
  expect(fake.violations).toEqual([])
})

test('a host that does not list them leaves the rest, and says so', async () => {
  const { fake, update, review } = await worldWith({ branch: 'topic' })
  fake.faults.at(1, { kind: 'fail-before', status: 403 }, ({ path }) => path.endsWith('/merge_requests'))
  const [status] = await update()
  expect(status.trouble).toContain('its open change requests are not known')
  const found: Review = await review()
  expect(JSON.stringify(found.coverage)).toContain('its open change requests are not known')
  expect(across(found)).toMatchObject([{ severity: 'low' }])
})
