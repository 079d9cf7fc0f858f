/** The processes of a job: what each gets, what none of them can see, and how they end. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeWalls } from '../../../src/base/sandbox/confine-node.ts'
import { defaultLimits, type RoleOrder } from '../../../src/server/roles/contract.ts'
import { converse, runRole } from '../../../src/server/roles/run-role.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGitHub } from '../../helpers/hosts/github/server.ts'

const timeout = 120_000

async function openPull() {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', { files: { 'a.ts': 'export const one = 1\n' } })
  const change = project.open({ branch: 'topic', files: { 'a.ts': 'export const one = 2\n' } })
  const token = github.state.addReviewerToken([project])
  const folder = temporaryFolder()
  const settings = join(folder, 'settings.yaml')
  const host = new URL(github.url).host
  writeFileSync(
    settings,
    `hosts:\n  "${host}":\n    kind: github\n    url: ${github.url}\n    token: SHOP_TOKEN\n`,
  )
  return { github, change, folder, settings, token, url: `${github.url}/acme/shop/pull/${change.number}` }
}

test('collect, analyze and publish, each in its own process', { timeout }, async () => {
  const { github, folder, settings, token, url } = await openPull()
  const isBoxed = (await nodeWalls()) !== 'permissions'
  const common = {
    writable: [folder],
    readable: [],
    isBoxed,
    limits: defaultLimits.analyzer,
    signal: new AbortController().signal,
  }
  const [change, review] = [join(folder, 'change'), join(folder, 'review.json')]
  const own = (role: string) => {
    const home = join(folder, role)
    mkdirSync(home)
    return home
  }
  const host = { SIGHTLINE_SETTINGS: settings, SHOP_TOKEN: token }
  const collected = await runRole({
    ...common,
    folder: own('collector'),
    hasNetwork: true,
    order: { role: 'collector', environment: host, tenant: 'acme', address: url, change, cache: folder },
  })
  expect(collected.end).toMatchObject({ kind: 'done', result: { role: 'collector' } })
  const analyzed = await runRole({
    ...common,
    folder: own('analyzer'),
    hasNetwork: false,
    order: {
      role: 'analyzer',
      what: 'review',
      environment: { SIGHTLINE_SETTINGS: settings, XDG_STATE_HOME: join(folder, 'state') },
      tenant: 'acme',
      change,
      review,
      cache: join(folder, 'cache'),
      depth: 'offline',
      isFull: false,
      budgetUsd: null,
      gate: null,
      notice: null,
      stopped: null,
      ledger: { events: [], damage: null },
    },
  })
  expect(analyzed.end).toMatchObject({ kind: 'done', result: { role: 'analyzer', shortfall: null } })
  expect(JSON.parse(readFileSync(review, 'utf8')).depth).toBe('offline')
  const published = await runRole({
    ...common,
    folder: own('publisher'),
    hasNetwork: true,
    mayWrite: async () => true,
    order: {
      role: 'publisher',
      environment: host,
      tenant: 'acme',
      cache: folder,
      address: url,
      what: 'review',
      gate: null,
      override: null,
      isAgain: false,
      change,
      review,
    },
  })
  expect(published.end).toMatchObject({ kind: 'done', result: { role: 'publisher', refused: 0 } })
  expect(github.state.checks).toMatchObject([{ name: 'Sightline' }])
})

test('what a process said last is heard, however late, after it has ended', async () => {
  const result = { role: 'collector', head: null, bytes: 1 }
  // The channel is handed on, so that its last message surely comes after the end.
  const later = `setTimeout(() => { process.send({ type: 'done', result: ${JSON.stringify(result)} }); process.disconnect() }, 300)`
  const child = spawn('sh', ['-c', '"$NODE" -e "$LATER" & exit 0'], {
    env: { ...process.env, NODE: process.execPath, LATER: later },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const order = { role: 'collector' } as RoleOrder
  expect(await converse(child, { order })).toEqual({ kind: 'done', result })
})
