/**
 * How much room does each section of the bundle take over real commits, and each list within the code?
 *
 *   node bench/context/sections.ts [--commits 12] [--spread 400] [--cache FOLDER] [--json FILE] GIT_DIRECTORY…
 *
 * Of each repository so many of the last `spread` commits that are no merges, evenly spread, that change code. Nothing is
 * cut for time here, so that the figures do not depend on the machine. No model is asked; tickets are not looked up.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { showContext } from '../../src/assembly/show-context.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { Config } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { tokensIn, trimPassages } from '../../src/pipeline/context/gather.ts'
import { passageLists } from '../../src/pipeline/context/retrieval/contract.ts'
import { git } from './cases.ts'
import { spreadOf } from './spread.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '12' },
    spread: { type: 'string', default: '400' },
    cache: { type: 'string' },
    json: { type: 'string' },
  },
})
if (positionals.length === 0) throw new Error('see the head of this file for its options')

type Size = { items: number; bytes: number; tokens: number }
type Row = { repository: string; commit: string; seconds: number; sizes: Record<string, Size> }

const config = Config.parse({
  review: { depth: 'standard' },
  context: { graphSeconds: 600, historySeconds: 60 },
})
const cacheFolder = values.cache ?? null
const rows: Row[] = []
for (const folder of positionals) {
  const facts = createFactStore({ cacheFolder })
  try {
    for (const commit of codeCommits(folder, Number(values.spread), Number(values.commits))) {
      const row = await measure(folder, commit, facts)
      rows.push(row)
      console.log(`${row.repository} ${commit.slice(0, 12)} ${row.seconds.toFixed(1)} s`)
    }
  } finally {
    await facts.close()
  }
}
const names = [...new Set(rows.flatMap(({ sizes }) => Object.keys(sizes)))]
const table = names.map((name) => {
  const sizes = rows.map((row) => row.sizes[name] ?? { items: 0, bytes: 0, tokens: 0 })
  return {
    name,
    inChanges: sizes.filter(({ items }) => items > 0).length,
    bytes: spreadOf(sizes.map(({ bytes }) => bytes)),
    tokens: spreadOf(sizes.map(({ tokens }) => tokens)),
  }
})
console.log(`\n${rows.length} changes; median and 95th percentile`)
for (const { name, inChanges, bytes, tokens } of table)
  console.log(
    `${name.padEnd(22)} in ${String(inChanges).padStart(3)}  bytes ${bytes.median} ${bytes.p95}  tokens ${tokens.median} ${tokens.p95}`,
  )
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ changes: rows.length, table, rows }, null, 1)}\n`)

/** `code: used`: what stands in the bundle because that list named it first, in the order of the lists. */
async function measure(
  folder: string,
  commit: string,
  facts: ReturnType<typeof createFactStore>,
): Promise<Row> {
  const selector = { kind: 'commit', commit } as const
  const change = await collectLocal({ folder, selector, limits: config.limits })
  const startedAt = performance.now()
  try {
    const { signal } = new AbortController()
    const { context, graph } = await showContext({ change, config, facts, signal })
    const { request, change: set, symbols, tests, around } = context
    const sizes: Record<string, Size> = {
      request: sizeOf([request]),
      'diff: lines': sizeOf(set.files),
      'diff: symbols': sizeOf(symbols),
      'diff: tests': sizeOf(tests),
    }
    for (const { name, items, bytes, tokens } of around?.sections ?? [])
      sizes[name] = { items, bytes, tokens }
    const passages = graph?.passages ?? []
    const texts = await change.head.readMany([...new Set(passages.map(({ path }) => path))])
    const { kept } = trimPassages(passages, texts, config.context.tokens)
    for (const list of passageLists) {
      const first = kept.filter(({ passage }) => passageLists.find((one) => one in passage.ranks) === list)
      sizes[`code: ${list}`] = sizeOf(first.flatMap(({ drafts }) => drafts))
    }
    const seconds = (performance.now() - startedAt) / 1000
    return { repository: nameOf(folder), commit, seconds, sizes }
  } finally {
    await change.close()
  }
}

function sizeOf(items: readonly unknown[]): Size {
  const text = items.map((item) => JSON.stringify(item)).join('\n')
  return { items: items.length, bytes: Buffer.byteLength(text), tokens: tokensIn(text) }
}

function codeCommits(folder: string, spread: number, wanted: number): string[] {
  const found = git(
    folder,
    'log',
    '--no-merges',
    '--format=%x00%H',
    '--name-only',
    '-n',
    String(spread),
    'HEAD',
  )
    .split('\0')
    .map((told) => told.trim().split('\n'))
    .filter(([, ...paths]) =>
      paths.some((path) => /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|h|cc|cpp|rb|php|cs)$/.test(path)),
    )
    .flatMap(([commit]) => commit ?? [])
  const step = Math.max(1, found.length / wanted)
  return Array.from({ length: Math.min(wanted, found.length) }, (_, at) => found[Math.floor(at * step)] ?? '')
}

function nameOf(folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== 'repo' && part !== '.git')
  return parts.at(-1)?.replace('+', '/') ?? folder
}
