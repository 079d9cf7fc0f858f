/**
 * Serves bare repositories over smart HTTP. Fetching only: a push is refused. A fetch starts git's `upload-pack` as git's own
 * `http-backend` does, without that process between; for all else that one answers.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { remembered } from '../../../../src/base/remembered.ts'
import type { HostedRepository } from './repository.ts'

/** `/owner/name.git/info/refs` and its two posts; null for any other path. */
export function gitPath(path: string): { fullName: string; rest: string } | null {
  const found = /^\/(.+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack|git-receive-pack))$/.exec(path)
  return found ? { fullName: decodeURIComponent(found[1] ?? ''), rest: found[2] ?? '' } : null
}

/** `tipsOnly`: only the heads of branches may be asked for, as by a server that has nothing for pull requests. */
export type GitRequest = { repository: HostedRepository; rest: string; query: string; tipsOnly?: boolean }

const branchesOnly = {
  'uploadpack.allowAnySHA1InWant': 'false',
  'transfer.hideRefs': 'refs/pull',
  'uploadpack.hideRefs': 'refs/merge-requests',
}

function configOf(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config)
  const pairs = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(pairs) }
}

type Sent = { status: number; bytes: number }

/** Resolves when all is sent. */
type Serve = (
  request: GitRequest,
  incoming: IncomingMessage,
  body: Uint8Array,
  response: ServerResponse,
) => Promise<Sent>

export const serveGit: Serve = async (request, incoming, body, response) => {
  const { repository, rest, query } = request
  const { headers, method } = incoming
  const env = environmentOf(request, headers)
  if (method === 'POST' && rest === '/git-upload-pack') {
    const asked = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const child = spawn('git', ['upload-pack', '--stateless-rpc', '.'], { cwd: repository.path, env })
    response.writeHead(200, headersOf('result'))
    return { status: 200, bytes: await relay(give(child, asked), response) }
  }
  if (rest === '/info/refs' && query === 'service=git-upload-pack' && env.GIT_PROTOCOL === 'version=2') {
    const said = abilitiesOf(repository, env)
    response.writeHead(200, headersOf('advertisement')).end(said)
    return { status: 200, bytes: said.length }
  }
  return await askBackend(request, incoming, body, response)
}

/** As `http-backend` says it. */
function headersOf(what: 'advertisement' | 'result'): Record<string, string> {
  return {
    expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
    pragma: 'no-cache',
    'cache-control': 'no-cache, max-age=0, must-revalidate',
    'content-type': `application/x-git-upload-pack-${what}`,
  }
}

type Environment = Record<string, string | undefined>

function environmentOf({ tipsOnly = false }: GitRequest, headers: IncomingHttpHeaders): Environment {
  return {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    // The second version of the protocol lets everything be asked for.
    GIT_PROTOCOL: tipsOnly ? '' : String(headers['git-protocol'] ?? ''),
    ...configOf(tipsOnly ? branchesOnly : {}),
  }
}

const abilities = new Map<string, Buffer>()

/** What the second version of the protocol begins with: it follows from the configuration alone and names no commit. */
function abilitiesOf({ path }: HostedRepository, env: Environment): Buffer {
  return remembered(abilities, readFileSync(join(path, 'config'), 'utf8'), () =>
    execFileSync('git', ['upload-pack', '--http-backend-info-refs', '.'], {
      ...{ cwd: path, env, stdio: ['pipe', 'pipe', 'pipe'] },
    }),
  )
}

const askBackend: Serve = async (request, incoming, body, response) => {
  const { repository, rest, query } = request
  const { headers, method = 'GET' } = incoming
  const backend = spawn(join(gitPrograms(), 'git-http-backend'), [], {
    env: {
      ...environmentOf(request, headers),
      GIT_PROJECT_ROOT: repository.path,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: rest,
      QUERY_STRING: query,
      REQUEST_METHOD: method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: String(headers['content-encoding'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  const pieces: Buffer[] = []
  for await (const piece of give(backend, body)) pieces.push(piece)
  const all = Buffer.concat(pieces)
  const end = all.indexOf('\r\n\r\n')
  const lines = all.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n').filter(Boolean)
  const fields = lines.map((line) => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const said = fields.find(([name]) => name === 'Status')?.[1] ?? (end === -1 ? '500' : '200')
  const status = Number.parseInt(said, 10)
  response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
  response.end(all.subarray(end === -1 ? 0 : end + 4))
  return { status, bytes: all.length }
}

/** What it answers. */
function give(child: ChildProcess, input: Uint8Array): AsyncIterable<Buffer> {
  child.stderr?.resume()
  child.stdin?.on('error', () => {}).end(input)
  return child.stdout as AsyncIterable<Buffer>
}

/** The number of bytes. */
async function relay(pieces: AsyncIterable<Buffer>, response: ServerResponse): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    response.write(piece)
  }
  response.end()
  return bytes
}

let programs: string | undefined

function gitPrograms(): string {
  programs ??= execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()
  return programs
}
