/**
 * How long the syntactic diff of one changed file takes when the facts of both sides are known, over real commits, newest
 * first; and, beside it, reading both sides from nothing in the same process.
 * Usage: node bench/index/file-pairs.ts GIT_DIRECTORY… [--pairs 300] [--json FILE]
 */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import type { ChangeSet } from '../../src/domain/change-set.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../src/pipeline/diff/symbol-changes.ts'
import { at, nameOf, type Row, rounded, rowsOf } from '../figures.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '300' }, json: { type: 'string' } },
})
const limits = { changedFiles: 10_000, fileBytes: 1 << 20, treeEntries: 1_000_000 }
/** Of every pair the quickest counts: the others hold what else the machine did. */
const rounds = 3

if (positionals.length === 0) {
  process.stderr.write('usage: node bench/index/file-pairs.ts GIT_DIRECTORY… [--pairs 300] [--json FILE]\n')
  process.exitCode = 2
} else {
  console.table(await rowsOf(positionals, values.json, async (folder) => [await measure(resolve(folder))]))
}

async function measure(gitDirectory: string): Promise<Row> {
  const cached: number[] = []
  const fromNothing: number[] = []
  for (const commit of commitsOf(gitDirectory)) {
    if (cached.length >= Number(values.pairs)) break
    const range = `${commit}^..${commit}`
    const change = await collectLocal({ folder: gitDirectory, selector: { kind: 'range', range }, limits })
    const facts = createFactStore({ cacheFolder: null })
    try {
      const options = { exclude: [], generated: [], tests: [], base: change.base }
      const whole = await readChangeSet(await change.diff(), options)
      for (const file of whole.files) {
        if (file.status !== 'modified' && file.status !== 'renamed') continue
        const pair: ChangeSet = { ...whole, files: [file] }
        const diff = () => diffSymbols({ change: pair, base: change.base, head: change.head, facts })
        const startedAt = performance.now()
        if ((await diff()).length === 0) continue
        fromNothing.push(performance.now() - startedAt)
        cached.push(await quickest(diff))
      }
    } finally {
      await Promise.all([facts.close(), change.close()])
    }
  }
  return {
    repository: nameOf(gitDirectory),
    pairs: cached.length,
    'median ms': rounded(at(cached, 0.5)),
    'p95 ms': rounded(at(cached, 0.95)),
    'most ms': rounded(at(cached, 1)),
    'from nothing, median ms': rounded(at(fromNothing, 0.5)),
  }
}

async function quickest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

/** Newest first, without merges and the first one. */
function commitsOf(gitDirectory: string): string[] {
  const args = ['log', '--no-merges', '-n', '2000', '--format=%H %P', 'HEAD']
  const log = execFileSync('git', ['--git-dir', gitDirectory, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return log.split('\n').flatMap((line) => {
    const [commit = '', parent = ''] = line.split(' ')
    return parent === '' ? [] : [commit]
  })
}
