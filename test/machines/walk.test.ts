/**
 * The page for operators, command by command, on a machine that has nothing but what the page asks for, with each host: from an
 * empty folder to a pull request whose gate holds. Only for `npm run test:walk`, as root on Linux with debootstrap.
 * SIGHTLINE_WALK=FOLDER takes the npm package of a release that is there; else one is made of these sources.
 */
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { makeBundle } from '../../scripts/bundle.ts'
import { makeNpmPackage } from '../../scripts/release/npm-package.ts'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { signedIn, takePicture } from '../dashboard/browser.ts'
import { chromiumPath } from '../helpers/chromium.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import {
  accessFile,
  blocked,
  guide,
  guideAccess,
  ownSettings,
  sectionOf,
  tokenCalls,
} from '../helpers/guide.ts'
import { needs } from '../helpers/needs/needs.ts'
import { connectHost } from '../helpers/served/hosts.ts'
import { endOfCheck, watchCheck } from '../helpers/served/server.ts'
import { type Entered, prepareMachine, runInside } from './enter.ts'
import { machines } from './machines.ts'

const seconds = 3_600
const url = 'http://127.0.0.1:8080'
const [, forRoot = ''] = /```console\n(# [\s\S]*?)```/.exec(guide) ?? []
const [, said = ''] = /```\n(Sightline serves [\s\S]*?)```/.exec(guide) ?? []
const [, setUp = ''] = /a secret that you make with `(.*?)`/.exec(guide) ?? []
const [check = '', serve = '', why = ''] = [...guide.matchAll(/^\$ (sightline .*)$/gm)].map(
  ([, line]) => line ?? '',
)

describe('from nothing to a gated pull request', needs('npm run test:walk'), () => {
  let tarball = ''
  let removal = () => {}
  beforeAll(async () => {
    const given = process.env.SIGHTLINE_WALK ?? ''
    if (isAbsolute(given)) {
      tarball = join(given, readdirSync(given).find((name) => name.endsWith('.tgz')) ?? '')
      return
    }
    const folder = mkdtempSync(join(tmpdir(), 'sightline-walk-'))
    removal = () => rmSync(folder, { recursive: true, force: true })
    await makeBundle(join(folder, 'bundle'))
    tarball = await makeNpmPackage(join(folder, 'bundle'), join(folder, 'scratch'), folder)
  })
  afterAll(() => removal())

  test.each(hostKinds)('with %s', async (kind) => {
    const host = await connectHost(kind, { name: kind, files: { 'a.ts': blocked }, ...guideAccess[kind]() })
    onTestFinished(() => host.close())
    const { change, project, secrets } = host
    project.roles.set('bo', kind === 'forgejo' ? 'write' : 'maintain')
    const machine = await openMachine(tarball)
    const { folder, asUser, write } = machine

    for (const line of forRoot.trim().split('\n')) await machine.asRoot(line.slice(2))
    secrets.webhookSecret = (await asUser(`umask 077; ${setUp} | tee webhook-secret`)).trim()
    write(accessFile(kind), secrets.appKey ?? secrets.token ?? '')
    const settings = stringify(ownSettings(kind, { url: host.url, ...host.connection() }))
    write('server.yaml', settings)
    expect(await asUser(check)).toContain(`webhooks to https://sightline.example.org/webhooks/${kind}`)
    const start = async () => {
      await asUser(`${serve} > said 2>> log & echo $! > pid`)
      await expect.poll(() => readFileSync(join(folder, 'said'), 'utf8'), { timeout: 300_000 }).toBe(said)
    }
    await start()

    const server = { log: [] }
    const seen = watchCheck(host)
    await host.announce(url, 'opened')
    expect(await endOfCheck(host, server)).toMatchObject({ isPassed: true })
    expect(seen[0]?.title).toMatch(/^Waiting for a review/)
    const asked = why.replace(/https:\S+/, host.address())
    await expect
      .poll(() => asUser(asked), { timeout: 300_000, interval: 2_000 })
      .toMatch(/webhook change (?:open|created)[\s\S]*ended as reviewed[\s\S]*Nothing is waited for/)
    expect(await asUser('sightline doctor')).toContain('Everything required works')

    await asUser('kill $(cat pid); while kill -0 $(cat pid) 2> /dev/null; do sleep 0.2; done')
    const [, gate = ''] = /```yaml\n([\s\S]*?)```/.exec(sectionOf('## 4.')) ?? []
    write('server.yaml', `${settings}${gate}`)
    await start()
    await host.say(url, change.comment('bo', '@sightline review'))
    const held = await endOfCheck(host, server, change.head, ({ title }) => title.includes('block'))
    expect(held).toMatchObject({
      isPassed: false,
      title: expect.stringMatching(/^\d+ findings?; .* blocks?/),
    })

    const [tenants, token] = tokenCalls()
    const [listed] = JSON.parse(await asUser(tenants)).tenants as { tenant: string }[]
    const made = JSON.parse(await asUser(token.replace('acme', listed?.tenant ?? '')))
    if (chromiumPath) {
      const dashboard = await signedIn(url, made.token)
      await dashboard.getByRole('link', { name: 'Reviews' }).first().click()
      await dashboard.getByRole('link', { name: change.title }).click()
      await dashboard.getByText('AWS').first().waitFor()
      await takePicture(dashboard, `walk-${kind}`)
    }
    await asUser('kill $(cat pid)')
    expect(readFileSync(join(folder, 'log'), 'utf8')).not.toContain('right-missing')
    expect(host.violations).toEqual([])
  })
})

/** In the folder of the user `sightline`, once root has made it. Both reject with what was said where a command fails. */
type Machine = {
  folder: string
  asRoot(script: string): Promise<string>
  asUser(script: string): Promise<string>
  /** With mode 600, as the user's. */
  write(name: string, text: string): void
}

async function openMachine(tarball: string): Promise<Machine> {
  const base = machines.find(({ name }) => name === 'node-22')
  if (!base) throw new Error('no machine with the oldest Node')
  const environment = { ...base.environment, npm_config_prefix: '/opt/node' }
  const machine = { ...base, packages: ['bubblewrap', 'curl'] as const, user: null, environment }
  const entered = await prepareMachine(machine, temporaryFolder())
  const life = runInside(entered, listening, { seconds })
  onTestFinished(async () => {
    writeFileSync(join(entered.out, 'stop'), '')
    await life
  })
  const folder = join(entered.projects, 'sightline')
  copyFileSync(tarball, join(entered.projects, basename(tarball)))
  return {
    folder,
    // The registry has it once it is released.
    asRoot: (script) => tell(entered, script.replace(/(?<=--global )sightline/, `/srv/${basename(tarball)}`)),
    asUser: (script) => tell(entered, script, true),
    write(name, text) {
      const { uid, gid } = statSync(folder)
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      chownSync(join(folder, name), uid, gid)
    },
  }
}

/** Its root and its Node are shared and read-only: what root changes lies in memory. Then it does what it is told, until it is to stop. */
const listening = `
for folder in etc opt/node; do
  mkdir -p /run/own/$folder
  cp -a /$folder/. /run/own/$folder
  mount --bind /run/own/$folder /$folder
done
while [ ! -e /out/stop ]; do
  if [ -e /out/told ]; then
    mv /out/told /out/now
    if [ -e /out/as-user ]; then
      HOME=/srv/sightline /usr/sbin/runuser -u sightline -- sh /out/now > /out/stdout 2> /out/stderr < /dev/null
    else
      PATH=/usr/sbin:$PATH sh /out/now > /out/stdout 2> /out/stderr
    fi
    echo $? > /out/code.half
    mv /out/code.half /out/code
  fi
  sleep 0.2
done`

async function tell({ out }: Entered, script: string, isUser = false): Promise<string> {
  for (const name of ['code', 'as-user']) rmSync(join(out, name), { force: true })
  if (isUser) writeFileSync(join(out, 'as-user'), '')
  writeFileSync(join(out, 'half'), isUser ? `cd /srv/sightline\n${script}\n` : `${script}\n`)
  renameSync(join(out, 'half'), join(out, 'told'))
  while (!existsSync(join(out, 'code'))) await delay(100)
  const [stdout, stderr, code] = ['stdout', 'stderr', 'code'].map((name) =>
    readFileSync(join(out, name), 'utf8'),
  )
  if (code?.trim() !== '0') throw new Error(`${script}\nended with ${code}${stdout}${stderr}`)
  return stdout ?? ''
}
