/** The files of the dashboard: compressed, kept by browsers, and with nothing from anywhere else. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { assetRoutes } from '../../../src/server/http/asset-routes.ts'
import type { Answer, Call } from '../../../src/server/http/contract.ts'
import { matchRoute } from '../../../src/server/http/route-table.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const script = `export const words = '${'one two '.repeat(500)}'\n`

function opened(): (path: string, headers?: Record<string, string>) => Promise<Answer> {
  const folder = join(temporaryFolder(), 'build')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Sightline</title>')
  writeFileSync(join(folder, 'assets', 'main-Ab3_x9Zq.js'), script)
  writeFileSync(join(folder, '..', 'outside.txt'), 'outside')
  symlinkSync('../outside.txt', join(folder, 'link.txt'))
  symlinkSync('..', join(folder, 'away'))
  const routes = assetRoutes(folder)
  return async (path, headers = {}) => {
    const found = matchRoute(routes, 'GET', path)
    if (!found || !('route' in found)) throw new Error(`no route for ${path}`)
    return await found.route.handle({ path, headers } as Call)
  }
}

test('what is an address of its own is no page, whatever the method', () => {
  const routes = assetRoutes(temporaryFolder())
  const [page] = routes
  if (!page) throw new Error('no route')
  // Clients of agents take a page for a stream that ended, and ask again every second.
  const all = [{ ...page, method: 'POST' as const, path: '/mcp' }, ...routes]
  expect(matchRoute(all, 'GET', '/mcp')).toEqual({ known: true })
  expect(matchRoute(all, 'GET', '/mcp/x')).toMatchObject({ route: page })
})

test('each encoding gives the same bytes, and a browser that has them gets none', async () => {
  const get = opened()
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const
  for (const [encoding, decode] of Object.entries(decoders)) {
    const { body, headers } = await get('/assets/main-Ab3_x9Zq.js', {
      'accept-encoding': `x, ${encoding};q=1`,
    })
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(decode(body as Buffer).toString()).toBe(script)
    expect((body as Buffer).byteLength).toBeLessThan(script.length / 10)
  }
  const plain = await get('/assets/main-Ab3_x9Zq.js')
  expect(String(plain.body)).toBe(script)
  expect(plain.headers?.['cache-control']).toContain('immutable')
  const again = await get('/assets/main-Ab3_x9Zq.js', { 'if-none-match': plain.headers?.etag ?? '' })
  expect([again.status, again.body]).toEqual([304, undefined])
})

test('every address of the dashboard is its page, which may load from here only and has no inline script', async () => {
  const get = opened()
  for (const path of ['/', '/runs', '/runs/20261122-233434-3a3769/timeline']) {
    const { status, body, headers } = await get(path)
    expect([status, String(body)]).toEqual([200, '<!doctype html><title>Sightline</title>'])
    const policy = headers?.['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers?.['cache-control']).toBe('no-cache')
  }
})

test('what is no file of the build is not there', async () => {
  const get = opened()
  for (const path of [
    '/assets/none.js',
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    ...[
      '/..%5coutside.txt',
      '/%252e%252e/outside.txt',
      '/....//outside.txt',
      '//outside.txt',
      '/./../outside.txt',
    ],
    ...['/assets/main-Ab3_x9Zq.js%00.txt', '/assets/main-Ab3_x9Zq.js\0', '/%c0%ae%c0%ae/outside.txt'],
    // Also none that a link of the folder leads to.
    ...['/link.txt', '/away/outside.txt', '/constructor.js', '/__proto__.js'],
  ])
    expect((await get(path)).status, path).toBe(404)
})

test('without a build, the answer says why', async () => {
  const [route] = assetRoutes(
    join(temporaryFolder(), 'none'),
    Promise.reject(new Error('a comma is missing')),
  )
  const answer = await route?.handle({ path: '/', headers: {} } as Call)
  expect(answer).toMatchObject({ status: 503, body: expect.stringContaining('a comma is missing') })
})
