/**
 * The pages of the dashboard: files of its build, each read once. What has its hash in its name never changes; the page
 * itself is asked for again each time. Nothing may be loaded from anywhere else, and no script or style is inline.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { apiBase, rates, readOnly } from '../api/contract/common.ts'
import { type Answer, type Call, Refused, type Route } from './contract.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}

type Asset = {
  type: string
  etag: string
  /** Its name has its hash. */
  isForever: boolean
  bytes: Buffer
  brotli: Buffer | null
  gzip: Buffer | null
}

/** Smaller files gain nothing from being compressed. */
const leastBytes = 1_024
/** How a build ends the names of files that never change, before their ending. */
const hashEnd = /^[-.][A-Za-z0-9_-]{8}$/
const hashEndLength = 9

/** All files below the folder. Links are not followed: what they lead to is not part of the build. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

/**
 * `folder`: the build. All addresses that are no file of it are pages, which find their way by themselves. `whenBuilt` is
 * waited for; whoever asks for a page reads why it rejects.
 */
export function assetRoutes(folder: string, whenBuilt: Promise<void> = Promise.resolve()): Route[] {
  const assets = new Map<string, Asset>()
  const load = (): void => {
    for (const path of filesIn(folder)) {
      if (/\.(br|gz|map)$/.test(path)) continue
      assets.set(`/${relative(folder, path).split(sep).join('/')}`, readAsset(path))
    }
  }
  const handle = async ({ path, headers }: Call): Promise<Answer> => {
    if (path.startsWith(`${apiBase}/`)) throw new Refused(404, 'There is no such resource.')
    try {
      await whenBuilt
      if (assets.size === 0) load()
    } catch (error) {
      return notBuilt(error instanceof Error ? error.message : String(error))
    }
    const file = assets.get(path) ?? (extname(path) === '' ? assets.get('/index.html') : undefined)
    return file
      ? assetAnswer(file, headers)
      : { status: 404, type: 'text/plain; charset=utf-8', body: 'Not found.\n' }
  }
  const rules = { tenant: 'none', audit: readOnly, bodyBytes: 0, rate: rates.anybody } as const
  return [{ method: 'GET', path: '/*', scope: 'public', ...rules, handle }]
}

function notBuilt(why: string): Answer {
  return {
    status: 503,
    type: 'text/plain; charset=utf-8',
    body: `The dashboard is not here: ${why}\nThe API is at /api/v1.\n`,
  }
}

function readAsset(path: string): Asset {
  const bytes = readFileSync(path)
  const isText = /^(text|application\/json|image\/svg)/.test(typeOf(path))
  const isSmall = bytes.byteLength < leastBytes || !isText
  return {
    type: typeOf(path),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isForever: hashEnd.test(path.slice(0, -extname(path).length).slice(-hashEndLength)),
    bytes,
    brotli: isSmall ? null : (readMade(`${path}.br`) ?? brotli(bytes)),
    gzip: isSmall ? null : (readMade(`${path}.gz`) ?? gzipSync(bytes)),
  }
}

function typeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream'
}

/** What the build compressed already. */
function readMade(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null
}

function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}

function assetAnswer(asset: Asset, headers: Call['headers']): Answer {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((one) => one.trim().split(';')[0])
  const [encoding, body] =
    asset.brotli && accepted.includes('br')
      ? ['br', asset.brotli]
      : asset.gzip && accepted.includes('gzip')
        ? ['gzip', asset.gzip]
        : [null, asset.bytes]
  const shared = {
    ...pageHeaders,
    etag: asset.etag,
    vary: 'accept-encoding',
    'cache-control': asset.isForever ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known.includes(asset.etag)) return { status: 304, type: asset.type, headers: shared }
  return {
    status: 200,
    type: asset.type,
    body,
    headers: { ...shared, ...(encoding === null ? {} : { 'content-encoding': encoding }) },
  }
}
