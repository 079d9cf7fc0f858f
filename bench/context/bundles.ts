/** Bundles of passages within a budget, by our ranking and by baselines that others use. */
import { execFileSync } from 'node:child_process'
import type { CodeSearch } from '../../src/code-index/search/search.ts'
import type { ChangeSet } from '../../src/domain/change-set.ts'
import type { RepoSnapshot } from '../../src/domain/snapshot.ts'
import type { Passage } from '../../src/pipeline/context/retrieval/contract.ts'

export const budgets = [4_000, 8_000, 16_000, 32_000] as const

/** Lines by path; what a bundle of passages holds within so many tokens, taken in order. */
export async function linesWithin(
  passages: readonly Passage[],
  tokens: number,
  head: RepoSnapshot,
): Promise<Map<string, Set<number>>> {
  const texts = await head.readMany([...new Set(passages.map(({ path }) => path))])
  const held = new Map<string, Set<number>>()
  let room = tokens
  for (const { path, startLine, endLine } of passages) {
    const lines = texts.get(path)?.text.split('\n') ?? []
    const here = held.get(path) ?? new Set<number>()
    held.set(path, here)
    let cost = 12
    const added: number[] = []
    for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
      if (here.has(line)) continue
      cost += (Buffer.byteLength(lines[line - 1] ?? '') + 1) / 3
      if (cost > room) break
      added.push(line)
    }
    for (const line of added) here.add(line)
    room -= Math.min(room, cost)
    if (room <= 12) break
  }
  return held
}

/** The whole of each changed file, in the order of the change. */
export function wholeFiles(change: ChangeSet): Passage[] {
  return change.files.flatMap(({ path, newBlob, role }) =>
    newBlob && (role === 'source' || role === 'test')
      ? [{ path, startLine: 1, endLine: 1_000_000, title: '' }]
      : [],
  )
}

/** Every line with one of the changed identifiers, with three lines around it, rare identifiers first. */
export function grepped(folder: string, commit: string, words: readonly string[]): Passage[] {
  const lists = words.slice(0, 20).map((word) => {
    try {
      const found = execFileSync(
        'git',
        ['-C', folder, 'grep', '-n', '-w', '-F', '-I', '-e', word, commit, '--'],
        {
          encoding: 'utf8',
          maxBuffer: 1 << 28,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      )
      return found
        .split('\n')
        .filter((line) => line !== '')
        .slice(0, 200)
        .flatMap((line) => {
          const match = /^[0-9a-f]+:(.+?):(\d+):/.exec(line)
          return match ? [{ path: match[1] ?? '', line: Number(match[2]) }] : []
        })
    } catch {
      return []
    }
  })
  return lists
    .sort((a, b) => a.length - b.length)
    .flat()
    .map(({ path, line }) => ({ path, startLine: Math.max(1, line - 3), endLine: line + 3, title: '' }))
}

export async function bm25Alone(search: CodeSearch, words: readonly string[]): Promise<Passage[]> {
  if (words.length === 0) return []
  const { stages } = await search.search(words.join(' '), 40)
  const { hits } = await search.search(words.join(' '), 40)
  const place = new Map(stages.words.map(({ path, startLine }, at) => [`${path}:${startLine}`, at]))
  return hits
    .filter(({ path, startLine }) => place.has(`${path}:${startLine}`))
    .sort(
      (a, b) => (place.get(`${a.path}:${a.startLine}`) ?? 0) - (place.get(`${b.path}:${b.startLine}`) ?? 0),
    )
    .map(({ path, startLine, endLine }) => ({ path, startLine, endLine, title: '' }))
}
