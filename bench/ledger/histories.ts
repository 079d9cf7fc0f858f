/** Real histories of files: how a public repository changed them, commit by commit, also under another name. */
import { spawnSync } from 'node:child_process'
import type { Random } from '../../test/helpers/random.ts'

export type FileVersion = { commit: string; path: string; lines: string[] }

/** Two versions or more: the base of a change request, and one for each push. */
export type FileHistory = { repository: string; versions: FileVersion[] }

const sources = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|h|svelte)$/
const commits = 4_000
const longest = 2_500
/** In less there is nothing around a fault but other faults. */
const shortest = 20

/** `count` histories of different files, chosen by `random`, of files that change often and of others alike. */
export function readHistories(repository: string, count: number, random: Random): FileHistory[] {
  const chains = readChains(repository)
  const chosen: Chain[] = []
  while (chosen.length < count * 2 && chains.length > 0)
    chosen.push(...chains.splice(random.between(0, chains.length - 1), 1))
  const windows = chosen.map((chain) => {
    const length = Math.min(chain.length, random.between(3, 5))
    const from = random.between(0, chain.length - length)
    return chain.slice(from, from + length)
  })
  const texts = readBlobs(
    repository,
    windows.flatMap((window) => window.map(({ blob }) => blob)),
  )
  return windows
    .flatMap((window) => {
      const versions = window.flatMap(({ commit, path, blob }) => {
        const text = texts.get(blob)
        if (text === undefined || text.includes('\0')) return []
        const lines = text.split('\n')
        return lines.length > longest || lines.length < shortest ? [] : [{ commit, path, lines }]
      })
      return versions.length === window.length ? [{ repository, versions }] : []
    })
    .slice(0, count)
}

type Link = { commit: string; path: string; blob: string }
type Chain = Link[]

/** Oldest first, each file under all its names; only those that changed three times or more. */
function readChains(repository: string): Chain[] {
  const listed = (renames: string) =>
    git(repository, [
      'log',
      '--first-parent',
      '--no-merges',
      `--max-count=${commits}`,
      '--raw',
      '--no-abbrev',
      renames,
      '--diff-filter=AMRD',
      '--format=commit %H',
    ])
  // A partial clone cannot tell which files are alike, only which are the same.
  const log = listed('-M') ?? listed('-M100%') ?? ''
  const blocks = log
    .split(/^commit /m)
    .slice(1)
    .reverse()
  const open = new Map<string, Chain>()
  const all: Chain[] = []
  for (const block of blocks) {
    const [commit = '', ...rows] = block.split('\n')
    for (const row of rows) {
      const match = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) ([AMRD])\d*\t([^\t]+)(?:\t(.+))?$/.exec(row)
      if (!match) continue
      const [, blob = '', kind, first = '', second] = match
      const path = second ?? first
      if (kind === 'D' || !sources.test(path)) {
        open.delete(first)
        continue
      }
      const chain = (kind === 'A' ? undefined : open.get(first)) ?? newChain(all)
      open.delete(first)
      open.set(path, chain)
      chain.push({ commit, path, blob })
    }
  }
  return all.filter(({ length }) => length >= 3)
}

function newChain(all: Chain[]): Chain {
  const chain: Chain = []
  all.push(chain)
  return chain
}

function readBlobs(repository: string, ids: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const { stdout } = spawnSync('git', ['--git-dir', repository, 'cat-file', '--batch'], {
    env: environment,
    input: `${[...new Set(ids)].join('\n')}\n`,
    maxBuffer: 1024 * 1024 * 1024,
  })
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at)
    const [id = '', kind, size] = stdout.subarray(at, end).toString().split(' ')
    if (kind === 'missing' || size === undefined) {
      at = end + 1
      continue
    }
    const from = end + 1
    found.set(id, stdout.subarray(from, from + Number(size)).toString('utf8'))
    at = from + Number(size) + 1
  }
  return found
}

/** Nothing is fetched. */
const environment = { ...process.env, GIT_NO_LAZY_FETCH: '1' }

/** Null when git fails. */
function git(repository: string, args: readonly string[]): string | null {
  const { stdout, status } = spawnSync('git', ['--git-dir', repository, ...args], {
    env: environment,
    maxBuffer: 1024 * 1024 * 1024,
    encoding: 'utf8',
  })
  return status === 0 ? stdout : null
}
