/**
 * Does a search find the function that a sentence describes? Usage: node bench/search/retrieval.ts GIT_DIRECTORY…
 * [--questions 150] [--json FILE]. See `questions.ts` for what is asked. Each list of the search alone, what is fused of
 * them, and the same with vectors that are made without a model.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import type { StageRow } from '../../src/code-index/search/contract.ts'
import { openChunkIndex } from '../../src/code-index/search/index/open-index.ts'
import { readChunks } from '../../src/code-index/search/meaning/chunk-texts.ts'
import { openCodeSearch } from '../../src/code-index/search/search.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { RepoSnapshot } from '../../src/domain/snapshot.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { Embedder } from '../../src/llm/embedding/contract.ts'
import { nameOf } from '../figures.ts'
import { latentEmbedder } from './latent-embedder.ts'
import { hashEmbedder } from './local-embedders.ts'
import { knownFiles, makeQuestions, type SearchQuestion } from './questions.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '150' },
    json: { type: 'string' },
    latent: { type: 'boolean', default: false },
  },
})

type Scores = { ranks: number[]; asked: number }

const totals = new Map<string, Scores>()
const rows: Record<string, string | number>[] = []
for (const folder of positionals) rows.push(...(await measure(folder)))
for (const [list, scores] of totals) rows.push({ repository: 'all', list, ...figures(scores) })
console.table(rows)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)

async function measure(folder: string): Promise<Record<string, string | number>[]> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const store = createFactStore({ cacheFolder: null })
  try {
    const { head } = change
    const paths = knownFiles((await head.list()).map(({ path }) => path))
    const files = [...(await head.readMany(paths))].map(([path, { blob, text }]) => ({ path, blob, text }))
    const { questions, tree } = await makeQuestions(head, await store.facts(files), Number(values.questions))
    const index = await openChunkIndex(tree, store, { cacheFolder: null })
    const notes = Array.from({ length: index.size }, (_, document) => index.note(document))
    const placeOf = ({ path, line }: SearchQuestion): string => {
      const note = notes.find((one) => one.path === path && one.startLine <= line && line <= one.endLine)
      return `${path}:${note?.startLine}`
    }
    const targets = questions.map(placeOf)
    const scores = new Map<string, Scores>()
    await ask(tree, store, questions, targets, null, 'none', scores)
    await ask(tree, store, questions, targets, hashEmbedder(512, true), 'hash-letters', scores)
    await ask(tree, store, questions, targets, hashEmbedder(512, false), 'hash-words', scores)
    if (values.latent) {
      const chunks = await readChunks(tree, notes)
      const embedder = latentEmbedder(
        chunks.map(({ heading, text }) => `${heading}\n${text}`),
        128,
      )
      await ask(tree, store, questions, targets, embedder, 'latent', scores)
    }
    const repository = nameOf(folder)
    return [...scores].map(([list, one]) => {
      const total = totals.get(list) ?? { ranks: [], asked: 0 }
      totals.set(list, { ranks: [...total.ranks, ...one.ranks], asked: total.asked + one.asked })
      return { repository, list, ...figures(one) }
    })
  } finally {
    await Promise.all([store.close(), change.close()])
  }
}

async function ask(
  tree: RepoSnapshot,
  store: ReturnType<typeof createFactStore>,
  questions: readonly SearchQuestion[],
  targets: readonly string[],
  embedder: Embedder | null,
  name: string,
  scores: Map<string, Scores>,
): Promise<void> {
  const search = await openCodeSearch(tree, store, { embedder, mostEmbeddingCalls: 1_000 })
  for (const [at, { query }] of questions.entries()) {
    const { stages, fused, hits } = await search.search(query, 10)
    const note = (list: string, found: readonly StageRow[]): void => {
      const rank =
        found.slice(0, 10).findIndex(({ path, startLine }) => `${path}:${startLine}` === targets[at]) + 1
      const one = scores.get(list) ?? { ranks: [], asked: 0 }
      one.asked++
      if (rank > 0) one.ranks.push(rank)
      scores.set(list, one)
    }
    if (embedder) note(name, stages.meaning)
    else for (const list of ['words', 'names', 'paths'] as const) note(list, stages[list])
    note(embedder ? `fused with ${name}` : 'fused', fused)
    note(embedder ? `hits with ${name}` : 'hits', hits)
  }
}

function figures({ ranks, asked }: Scores): Record<string, number> {
  const reciprocal = ranks.reduce((sum, rank) => sum + 1 / rank, 0)
  return {
    questions: asked,
    'recall@1': round(ranks.filter((rank) => rank === 1).length / asked),
    'recall@10': round(ranks.length / asked),
    'MRR@10': round(reciprocal / asked),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
