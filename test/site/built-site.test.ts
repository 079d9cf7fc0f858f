/** The documentation site as a visitor gets it: its links, and how it fits three widths. Only for `npm run test:site`. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { launch, watchedPage } from '../dashboard/browser.ts'
import { needs } from '../helpers/needs/needs.ts'

const root = join(import.meta.dirname, '../..')
const site = join(root, 'site/dist')
const looked = ['/', '/docs/quick-start', '/docs/tour', '/docs/switching', '/docs/command-reference']

describe('the built site', needs('npm run test:site'), () => {
  test('it builds without complaints, and each chapter is a page', async () => {
    const generator = join(root, 'site/node_modules/vitepress/bin/vitepress.js')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [generator, 'build'], {
      cwd: join(root, 'site'),
      maxBuffer: 1e8,
    })
    expect(`${stdout}${stderr}`).not.toMatch(/Error:|dead link|\[plugin/)
    const chapters = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    const names = chapters
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.replace(/\.md$/, '.html'))
    expect(names.length).toBeGreaterThan(60)
    expect(names.filter((path) => !existsSync(join(site, 'docs', path)))).toEqual([])
  })

  test('every link within the site leads to a page and to a heading on it', () => {
    const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
    const pages = files.filter((path) => path.endsWith('.html') && path !== '404.html')
    const broken: string[] = []
    for (const page of pages) {
      for (const [, address = ''] of readFileSync(join(site, page), 'utf8').matchAll(
        /\s(?:href|src)="([^"]+)"/g,
      )) {
        if (/^(?:[a-z]+:|#$)/i.test(address)) continue
        const { pathname, hash } = new URL(address.replaceAll('&amp;', '&'), `http://site/${page}`)
        const target = fileOf(decodeURI(pathname))
        if (target === null) broken.push(`${page}: ${address}`)
        else if (hash !== '' && !hasId(target, decodeURIComponent(hash.slice(1))))
          broken.push(`${page}: ${address}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('no page is wider than a window, and none complains', needs('Chromium'), async () => {
    const server = createServer((request, answer) => {
      const file = fileOf(decodeURI(new URL(request.url ?? '/', 'http://site').pathname))
      answer.statusCode = file === null ? 404 : 200
      if (file !== null) answer.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
      answer.end(file === null ? '' : readFileSync(file))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const browser = await launch()
    try {
      const all = readdirSync(site, { recursive: true, encoding: 'utf8' })
        .filter((path) => /^(?:docs\/.*|[A-Z]+)\.html$/.test(path))
        .map((path) => `/${path.replace(/\.html$/, '')}`)
      const wide: string[] = []
      for (const width of [360, 800, 1440]) {
        const { page, elsewhere, complaints } = await watchedPage(browser, origin, { width })
        for (const path of width === 360 ? [...looked, ...all] : looked) {
          await page.goto(`${origin}${path}`)
          const fits = await page.evaluate(
            'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
          )
          if (!fits) wide.push(`${path} at ${width}`)
        }
        expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] })
        await page.context().close()
      }
      expect(wide).toEqual([])
    } finally {
      await browser.close()
      server.close()
    }
  })
})

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** As a server of static files finds it; null for none. */
function fileOf(path: string): string | null {
  const candidates = [path, `${path}.html`, join(path, 'index.html')].map((name) => join(site, name))
  return candidates.find((file) => existsSync(file) && statSync(file).isFile()) ?? null
}

const known = new Map<string, Set<string>>()

function hasId(file: string, id: string): boolean {
  const ids =
    known.get(file) ??
    new Set([...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, name = '']) => name))
  known.set(file, ids)
  return ids.has(id)
}
