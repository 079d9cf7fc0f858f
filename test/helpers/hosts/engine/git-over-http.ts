/** Serves bare repositories over smart HTTP with git's own `http-backend`. Fetching only: a push is refused. */
import { execFileSync, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
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

/** Resolves when all is sent. */
export async function serveGit(
  { repository, rest, query, tipsOnly = false }: GitRequest,
  incoming: IncomingMessage,
  body: Uint8Array,
  response: ServerResponse,
): Promise<{ status: number; bytes: number }> {
  const { headers, method = 'GET' } = incoming
  const backend = spawn(join(gitPrograms(), 'git-http-backend'), [], {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: repository.path,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: rest,
      QUERY_STRING: query,
      REQUEST_METHOD: method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: String(headers['content-encoding'] ?? ''),
      // The second version of the protocol lets everything be asked for.
      GIT_PROTOCOL: tipsOnly ? '' : String(headers['git-protocol'] ?? ''),
      ...configOf(tipsOnly ? branchesOnly : {}),
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  backend.stderr.resume()
  backend.stdin.on('error', () => {})
  backend.stdin.end(body)
  let head = Buffer.alloc(0)
  let status: number | null = null
  let bytes = 0
  for await (const chunk of backend.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (status !== null) {
      response.write(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) continue
    const lines = head.subarray(0, end).toString('latin1').split('\r\n')
    const fields = lines.map((line) => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ])
    status = Number.parseInt(fields.find(([name]) => name === 'Status')?.[1] ?? '200', 10)
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
  }
  response.end()
  return { status: status ?? 500, bytes }
}

let programs: string | undefined

function gitPrograms(): string {
  programs ??= execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()
  return programs
}
