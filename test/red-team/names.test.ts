/**
 * Names that strangers choose: addresses in what a host answers, in descriptions, comments and files. All of them lead here, to an
 * address of this machine, by a resolver of our own, as names that resolve to private addresses would. None of them is ever looked
 * up or asked: requests go to the names of the operator only, so there is none whose address would have to be judged.
 * `npm run test:matrices` plays every host, `npm test` one.
 */
import dns from 'node:dns'
import { writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { connectHost } from '../helpers/served/hosts.ts'
import { sightline } from '../helpers/sightline.ts'

const timeout = 240_000
let named = 0

/** Each address in an answer gets a name of its own. */
function renamed(value: unknown, port: number): unknown {
  if (typeof value === 'string')
    return value.replace(/\bhttps?:\/\/[^/\s"'<>)]+/g, () => `http://n${named++}.attacker.test:${port}`)
  if (Array.isArray(value)) return value.map((one) => renamed(one, port))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, port)]))
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

/** The host, but for the addresses in its JSON and in its `Link` headers. Git's own answers have none. */
function hostileTo(target: string, port: number): Server {
  return createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    const own = `http://${headers.host}`
    const passed = request(`${target}${url}`, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
    })
    incoming.pipe(passed)
    passed.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const isJson = /json/.test(answer.headers['content-type'] ?? '')
        const body = Buffer.concat(chunks)
        const told = isJson && body.length > 0 ? JSON.parse(body.toString()) : null
        const { 'content-length': _, 'transfer-encoding': __, link, ...rest } = answer.headers
        const next = link ? { link: String(link).replaceAll(target, own) } : {}
        outgoing.writeHead(answer.statusCode ?? 500, { ...rest, ...next })
        outgoing.end(told === null ? body : JSON.stringify(renamed(told, port)))
      })
    })
  })
}

test.each(drawn(hostKinds))('%s', { timeout }, async (kind) => {
  let reached = 0
  const inside = await listen(createServer((_, answer) => answer.end('{}')).on('connection', () => reached++))
  const at = (name: string) => `http://${name}.attacker.test:${portOf(inside)}`
  const host = await connectHost(kind, {
    base: { 'a.ts': 'export const one = 1\n' },
    files: {
      'a.ts': `// ${at('comment')}\nexport const one = "${at('text')}"\n`,
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ${at('submodule')}/x.git\n`,
      '.lfsconfig': `[lfs]\n\turl = ${at('lfs')}\n`,
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs\n',
      'large.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`,
      '.npmrc': `registry=${at('registry')}\n`,
      'package.json': JSON.stringify({ dependencies: { x: `${at('package')}/x.tgz` } }),
      'docs.md': `![](${at('image')}/a.png) [x](${at('link')})\n`,
      '.sightline.yaml': `model: ${at('model')}\n`,
    },
  })
  onTestFinished(() => host.close())
  host.change.title = `Fixes ${at('title')}/issues/1`
  host.change.body = `See ${at('description')}/browse/SHOP-1, ${at('image2')}/a.png and acme/other#1`
  host.change.comment('ada', `${at('comment2')} @sightline full`)
  const proxy = await listen(hostileTo(host.url, portOf(inside)))
  const url = `http://127.0.0.1:${portOf(proxy)}`
  const folder = temporaryFolder()
  const settings = join(folder, 'settings.yaml')
  writeFileSync(
    settings,
    `hosts:\n  "127.0.0.1:${portOf(proxy)}":\n    kind: ${kind}\n    url: ${url}\n    token: SHOP_TOKEN\n`,
  )
  const asked: string[] = []
  const real = dns.lookup
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: never[]) => {
    asked.push(name)
    return (real as (...words: unknown[]) => void)(/attacker/.test(name) ? '127.0.0.1' : name, ...rest)
  }) as never)
  onTestFinished(() => spy.mockRestore())
  // The resolver is ours: a name that is asked arrives.
  await fetch(at('trial'))
  expect([asked, reached]).toEqual([['trial.attacker.test'], 1])
  const env = { SIGHTLINE_SETTINGS: settings, SHOP_TOKEN: host.token(), HOME: folder }
  const words = ['review', host.address().replace(host.url, url), '--depth', 'offline', '--json']
  const { code, stdout, stderr } = await sightline(words, { cwd: folder, env })
  expect([0, 1], stderr).toContain(code)
  expect(JSON.parse(stdout).coverage.files.length).toBeGreaterThan(5)
  const posted = await sightline([...words, '--post'], { cwd: folder, env })
  expect([0, 1], posted.stderr).toContain(posted.code)
  expect(named, 'addresses that the host named').toBeGreaterThan(10)
  expect(asked.filter((name) => /attacker/.test(name))).toEqual(['trial.attacker.test'])
  expect(reached).toBe(1)
})
