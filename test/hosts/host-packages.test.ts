/** A host that comes in a package: the worked example on a strict Gerrit, through the command, and packages that are unusable. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostOf } from '../../src/hosts/remote/registry.ts'
import { openTransport } from '../../src/hosts/remote/transport.ts'
import { webhooksOf } from '../../src/server/webhooks/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startGerrit } from '../helpers/hosts/gerrit/server.ts'
import { drawn } from '../helpers/matrix.ts'
import { sightline, sightlineProcess } from '../helpers/sightline.ts'

const kind = 'sightline-host-gerrit' as const
/** A rule reports what follows a `return`. */
const fault = 'export function run(all: string[]) {\n  return all\n  console.log(all)\n}\n'
const signal = new AbortController().signal

async function openChange() {
  const gerrit = await startGerrit()
  onTestFinished(() => gerrit.close())
  const project = gerrit.world.createProject('acme/shop', { files: { 'README.md': '# Shop\n' } })
  project.isPrivate = true
  project.roles.set('sightline', 'read')
  const change = project.open({ branch: 'topic', files: { 'run.ts': fault }, title: 'Run', body: 'It runs.' })
  const token = gerrit.addPassword('sightline')
  const url = `${gerrit.url}/c/acme/shop/+/${change.number}`
  return { gerrit, change, token, url }
}

async function review(
  url: string,
  settings: string,
  token: string,
  environment: Record<string, string> = {},
) {
  const folder = environment.HOME ?? temporaryFolder()
  writeFileSync(join(folder, 'settings.yaml'), settings)
  const env = {
    ...{ SIGHTLINE_SETTINGS: join(folder, 'settings.yaml'), GERRIT_TOKEN: token, HOME: folder },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
    ...{ SIGHTLINE_MARKER_SECRET: 'a secret of thirty-two characters' },
    ...environment,
  }
  return await (environment.NODE_PATH === undefined ? sightline : sightlineProcess)(
    ['review', url, '--post', '--depth', 'offline', '--fail-on', 'never'],
    {
      cwd: folder,
      env,
    },
  )
}

test('a change on Gerrit is reviewed by its address, and each finding is posted once, on its line', async () => {
  const { gerrit, change, token, url } = await openChange()
  const settings = `hosts:\n  gerrit: { kind: ${kind}, url: '${gerrit.url}', token: GERRIT_TOKEN }\n`
  const first = await review(url, settings, token)
  expect([first.code, gerrit.violations]).toEqual([0, []])
  const threads = () => gerrit.comments.filter(({ in_reply_to: before }) => before === undefined)
  expect(threads()).toHaveLength(1)
  expect(threads()[0]).toMatchObject({ path: 'run.ts', line: 3, unresolved: true, commit: change.head })
  const posted = gerrit.comments.length
  expect((await review(url, settings, token)).code).toBe(0)
  expect(gerrit.comments).toHaveLength(posted)
  change.push({ 'run.ts': fault.replace('  console.log(all)\n', '') })
  expect((await review(url, settings, token)).code).toBe(0)
  expect(gerrit.comments.at(-1)).toMatchObject({ in_reply_to: threads()[0]?.id, unresolved: false })
  expect([threads().length, gerrit.violations]).toEqual([1, []])
}, 120_000)

test('what a change on Gerrit is, in the form that all hosts share', async () => {
  const { gerrit, change, token, url } = await openChange()
  const address = {
    ...{ kind, host: new URL(url).host, webUrl: gerrit.url, apiUrl: `${gerrit.url}/a` },
    ...{ owner: ['c', 'acme'], name: 'shop', number: change.number },
  } as const
  const access = { token, tokenName: 'GERRIT_TOKEN', fetch: openTransport({ sleep: async () => {} }) }
  change.comment('ada', 'Please look')
  const read = await hostOf(kind).openReader(address, access).read(signal)
  expect(read).toMatchObject({
    ...{ title: 'Run', body: 'It runs.', state: 'open', head: change.head, base: change.baseHead },
    changeRequest: { url, baseRef: 'main', isFork: false, author: { login: 'ada', trust: 'unknown' } },
    repository: { visibility: 'private' },
    fetch: {
      url: `${gerrit.url}/a/acme/shop`,
      headRef: expect.stringMatching(/^refs\/changes\/\d\d\/\d+\/1$/),
    },
    discussion: [{ author: 'ada', body: 'Please look' }],
    limits: [],
  })
  const stranger = { ...access, token: gerrit.addPassword('eve') }
  await expect(hostOf(kind).openReader(address, stranger).read(signal)).rejects.toMatchObject({
    code: 'change-request-unknown',
  })
  expect(gerrit.violations).toEqual([])
})

test('a package without webhooks gets none, and what is not genuine is refused', () => {
  const webhooks = webhooksOf(kind)
  const delivery = { headers: {}, body: Buffer.from('{}'), receivedAt: 0 }
  expect([webhooks.kind, webhooks.refuseHead({}, ['secret']), webhooks.verify(delivery, ['secret'])]).toEqual(
    [...[kind, 'signature-missing', 'signature-missing']],
  )
})

/** Puts a package with one file into a folder of packages. */
function install(packages: string, name: string, source: string): void {
  mkdirSync(join(packages, name), { recursive: true })
  const manifest = { name, type: 'module', exports: './index.js' }
  writeFileSync(join(packages, name, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(packages, name, 'index.js'), source)
}

test.each(
  drawn([
    [
      'sightline-host-odd',
      'export const contract = 2',
      'does not keep the contract for hosts, version 1: contract',
    ],
    ['sightline-host-broken', 'throw new Error("no licence")', 'version 1: no licence'],
  ]),
)('%s is refused before anything is sent, with what to do', async (name, source, words) => {
  const { gerrit, token, url } = await openChange()
  const packages = temporaryFolder()
  install(packages, name, source)
  const settings = `hosts:\n  gerrit: { kind: ${name}, url: '${gerrit.url}', token: GERRIT_TOKEN }\n`
  const { code, stderr } = await review(url, settings, token, { NODE_PATH: packages })
  expect(stderr).toContain(words)
  expect([code, gerrit.writes()]).toEqual([2, []])
})

test('a package that lies in the current folder, and not beside Sightline, is not loaded', async () => {
  const { gerrit, token, url } = await openChange()
  const folder = temporaryFolder()
  const trace = join(folder, 'ran')
  install(
    join(folder, 'node_modules'),
    'sightline-host-here',
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trace)}, '')\n`,
  )
  const settings = `hosts:\n  gerrit: { kind: sightline-host-here, url: '${gerrit.url}', token: GERRIT_TOKEN }\n`
  const { code, stderr } = await review(url, settings, token, { HOME: folder })
  expect(stderr).toContain('sightline-host-here is not installed beside Sightline: npm install --global')
  expect([code, existsSync(trace), gerrit.writes()]).toEqual([2, false, []])
})
