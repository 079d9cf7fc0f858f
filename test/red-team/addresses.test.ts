/**
 * Forged addresses, in every place that takes one from a stranger: the address of a change request, and where a host
 * redirects to. They name this machine, the metadata service of a cloud or a look-alike in every way we know of. A listener
 * counts connections, and each request is written down: none may go anywhere but to the host that was named beforehand.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openHost } from '../../src/assembly/open-host.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { openTransport } from '../../src/hosts/remote/transport.ts'

let sink: Server
let port = 0
let connections = 0

beforeAll(async () => {
  sink = createServer((_, response) => response.end('{}')).on('connection', () => connections++)
  await new Promise<void>((resolve) => sink.listen(0, '::', resolve))
  port = (sink.address() as AddressInfo).port
})
afterAll(() => void sink.close())
afterEach(() => void vi.unstubAllGlobals())

/** Hosts as they stand between `//` and the path; `:P` becomes the port of the listener. */
const forgedHosts = [
  '127.0.0.1:P',
  '127.1:P',
  '127.0.1:P',
  '2130706433:P',
  '0x7f000001:P',
  '0x7f.0x0.0x0.0x1:P',
  '017700000001:P',
  '0177.0.0.1:P',
  '0177.0x0.0.1:P',
  '0:P',
  '0.0.0.0:P',
  '127.0.0.1.:P',
  '[::1]:P',
  '[::]:P',
  '[0:0:0:0:0:0:0:1]:P',
  '[::ffff:127.0.0.1]:P',
  '[::ffff:7f00:1]:P',
  '[64:ff9b::7f00:1]:P',
  'localhost:P',
  'LOCALHOST:P',
  'localhost.:P',
  'github.com.localhost:P',
  '①②⑦.⓪.⓪.①:P',
  '127。0。0。1:P',
  '１２７.０.０.１:P',
  'github.com@127.0.0.1:P',
  'github.com:443@127.0.0.1:P',
  'github.com%20@127.0.0.1:P',
  'github.com%00@127.0.0.1:P',
  'github.com%2f@127.0.0.1:P',
  '@127.0.0.1:P',
  '127.0.0.1:P#@github.com',
  '127.0.0.1:P?@github.com',
  '127.0.0.1:P\\@github.com',
  '127.0.0.1:P/github.com',
  'github.com:P',
  'github.com.:443',
  'github.com.127.0.0.1.nip.io:P',
  'github.com.evil.example',
  'evil-github.com',
  'api.github.com',
  'gist.github.com',
  'gіthub.com',
  'ｇithub.com.evil.example',
  'github。com.evil.example',
  'git\u00adhub.com.evil.example',
  'xn--gthub-8ve.com',
  '169.254.169.254',
  '[fd00:ec2::254]',
  'metadata.google.internal',
  '100.100.100.200',
  'kubernetes.default.svc',
]
const schemes = ['https', 'http']
const pages = ['o/r/pull/1', 'a/b/-/merge_requests/1', 'o/r/pulls/1']

/** Whole addresses of other kinds. */
const otherForms = [
  'file:///etc/passwd',
  'file://github.com/etc/passwd',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/o/r/pull/1',
  'gopher://127.0.0.1:P/_o/r/pull/1',
  'ftp://github.com/o/r/pull/1',
  'ssh://git@github.com/o/r/pull/1',
  'git://github.com/o/r/pull/1',
  'ext::sh -c id',
  'data:text/plain,https://github.com/o/r/pull/1',
  'javascript:https://github.com/o/r/pull/1',
  'blob:https://github.com/o/r/pull/1',
  'view-source:https://github.com/o/r/pull/1',
  'jar:https://github.com!/o/r/pull/1',
  '//127.0.0.1:P/o/r/pull/1',
  '\\\\127.0.0.1:P\\o\\r\\pull\\1',
  'https:127.0.0.1:P/o/r/pull/1',
  'https:/127.0.0.1:P/o/r/pull/1',
  'https:///127.0.0.1:P/o/r/pull/1',
  'https://\t127.0.0.1:P/o/r/pull/1',
  'https://127.0.0.1\n:P/o/r/pull/1',
  'https://github.com/../../127.0.0.1:P/o/r/pull/1',
  'https://github.com//127.0.0.1:P/pull/1',
  'https://github.com/o/..%2f..%2fapi/pull/1',
  'https://github.com/o%2fr/x/pull/1',
  'https://github.com/o/r;@127.0.0.1:P/pull/1',
  'https://github.com/o/r/pull/1@127.0.0.1:P',
  'https://github.com/o/.git/pull/1',
  'https://github.com/o/--upload-pack=id/pull/1',
  'https://gitlab.com/a/../../b/-/merge_requests/1',
]

function forms(): string[] {
  const whole = schemes.flatMap((scheme) =>
    forgedHosts.flatMap((host) => pages.map((page) => `${scheme}://${host}/${page}`)),
  )
  return [...whole, ...otherForms].map((form) => form.replaceAll(':P', `:${port}`))
}

/** Where tokens of this environment may go, and nothing else. */
const allowed = ['https://api.github.com', 'https://gitlab.com', 'https://codeberg.org']
const environment = {
  GITHUB_TOKEN: 'github-token',
  GITLAB_TOKEN: 'gitlab-token',
  FORGEJO_TOKEN: 'forgejo-token',
}
const signal = new AbortController().signal

test('300 forms of an address reach no host but the well-known ones', async () => {
  const before = connections
  const asked: string[] = []
  const real = globalThis.fetch
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const { origin } = new URL(input instanceof Request ? input.url : input)
    asked.push(origin)
    return allowed.includes(origin) ? new Response('{}', { status: 404 }) : real(input, init)
  })
  const all = forms()
  expect(all.length).toBeGreaterThanOrEqual(300)
  const refused: string[] = []
  for (const form of all) {
    try {
      const { host, address, access } = openHost(form, { settings: defaultSettings, environment })
      expect(address.host).toMatch(/^(?:github\.com|gitlab\.com|codeberg\.org)$/)
      await host
        .openReader(address, access)
        .read(signal)
        .catch(() => {})
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(?:usage|host-unknown)$/) })
      refused.push(form)
    }
  }
  expect(refused.length).toBeGreaterThan(290)
  for (const origin of asked) expect(allowed).toContain(origin)
  expect(connections).toBe(before)
})

test('a redirect to any of them is not followed, and takes no token along', async () => {
  const before = connections
  const sent: string[] = []
  const origin = 'https://api.github.com'
  for (const location of forms()) {
    const transport = openTransport({
      sleep: async () => {},
      fetch: async (input, init) => {
        const url = String(input)
        sent.push(url)
        if (new URL(url).origin !== origin) return fetch(input, init)
        // The first answer redirects; whatever follows it on the same host is an ordinary one.
        return url.endsWith('/first')
          ? new Response(null, { status: 302, headers: { location: encodeURI(location) } })
          : new Response('{}')
      },
    })
    const headers = { authorization: 'Bearer github-token' }
    await transport(`${origin}/first`, { headers }).catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'host-unavailable' }),
    )
  }
  for (const url of sent) expect(new URL(url).origin).toBe(origin)
  expect(connections).toBe(before)
})
