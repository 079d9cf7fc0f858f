/** Bundles of passages within a budget, by our ranking and by baselines that others use. */
import type { ChangedCode, ChangeSet, Passage } from '../../src/index.ts'
import { tryGit } from '../base/git.ts'

/** Tokens, taken as bytes / 3. */
export const budgets = [4_000, 8_000, 16_000, 32_000] as const

const headTokens = 12
const mostWords = 20
const mostMatches = 200
const mappedFiles = 60

/** Lines by path; what a bundle of passages holds within so many tokens, taken in order. */
export async function linesWithin(
  passages: readonly Passage[],
  tokens: number,
  head: ChangedCode['head'],
): Promise<Map<string, Set<number>>> {
  const texts = await head.readMany([...new Set(passages.map(({ path }) => path))])
  const held = new Map<string, Set<number>>()
  let room = tokens
  for (const { path, startLine, endLine } of passages) {
    const lines = texts.get(path)?.text.split('\n') ?? []
    const here = held.get(path) ?? new Set<number>()
    held.set(path, here)
    let cost = headTokens
    const added: number[] = []
    for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
      if (here.has(line)) continue
      cost += (Buffer.byteLength(lines[line - 1] ?? '') + 1) / 3
      if (cost > room) break
      added.push(line)
    }
    for (const line of added) here.add(line)
    room -= Math.min(room, cost)
    if (room <= headTokens) break
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
export async function grepped(folder: string, commit: string, words: readonly string[]): Promise<Passage[]> {
  const wanted = words.slice(0, mostWords)
  if (wanted.length === 0) return []
  const patterns = wanted.flatMap((word) => ['-e', word])
  const options = ['-n', '-w', '-F', '-I', ...patterns, commit, '--']
  const { stdout } = await tryGit(folder, ['-c', 'core.quotePath=false', 'grep', ...options])
  const found = stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const match = /^[0-9a-f]+:(.+?):(\d+):(.*)$/s.exec(line)
      return match ? [{ path: match[1] ?? '', line: Number(match[2]), text: match[3] ?? '' }] : []
    })
    .map((one) => ({ ...one, words: new Set(one.text.match(/\w+/g)) }))
  return wanted
    .map((word) => found.filter((one) => one.words.has(word)).slice(0, mostMatches))
    .sort((a, b) => a.length - b.length)
    .flat()
    .map(({ path, line }) => ({ path, startLine: Math.max(1, line - 3), endLine: line + 3, title: '' }))
}

export async function bm25Alone({ search, words }: ChangedCode): Promise<Passage[]> {
  if (words.length === 0) return []
  const { hits, stages } = await search.search(words.join(' '), 40)
  const place = new Map(stages.words.map(({ path, startLine }, at) => [`${path}:${startLine}`, at]))
  return hits
    .filter(({ path, startLine }) => place.has(`${path}:${startLine}`))
    .sort(
      (a, b) => (place.get(`${a.path}:${a.startLine}`) ?? 0) - (place.get(`${b.path}:${b.startLine}`) ?? 0),
    )
    .map(({ path, startLine, endLine }) => ({ path, startLine, endLine, title: '' }))
}

/** The heads of all definitions of the files that PageRank from the changed ones puts first. */
export async function mapByRank({ tree, nearFiles }: ChangedCode): Promise<Passage[]> {
  const ranked = await nearFiles(mappedFiles)
  const known = await tree.world.factsOf(ranked)
  return ranked.flatMap((path) =>
    (known.get(path)?.symbols ?? []).map(({ startLine, nameLine }) => ({
      path,
      startLine,
      endLine: nameLine,
      title: '',
    })),
  )
}
