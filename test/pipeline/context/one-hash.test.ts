/** One change, one hash: in folders of any name, however the repository is stored, whatever was known before. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { createRepo, TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { commitShop, freezeHead } from './frozen.ts'

/** Deep, with spaces, quotes, other scripts, dots, and like an option. */
const names = ['a', 'deep/er/and/deeper', 'two words', "it's", 'größe-日本', '.hidden', '-x', 'b'.repeat(120)]
const usualRuns = 8

/** A retrieval that runs out of time makes another bundle, and rightly so; on a busy machine none may do so here. */
const context = { graphSeconds: 600, historySeconds: 60 }

/** `SIGHTLINE_RUNS=1000` rebuilds that often. */
const runs = Number(process.env.SIGHTLINE_RUNS ?? usualRuns)

test('one change, one hash: every rebuild, in every folder', { timeout: runs * 20_000 }, async () => {
  const first = createRepo()
  commitShop(first)
  const root = temporaryFolder()
  const warm = createFactStore({ cacheFolder: null })
  onTestFinished(() => warm.close())
  const hashes = new Map<string, string[]>()
  const ways = { cold: 0, warm: 0, anew: 0, packed: 0 }
  for (let run = 0; run < runs; run++) {
    const folder = join(root, `${names[run % names.length]}${run >= names.length ? run : ''}`)
    // Every eighth has commits made anew, another eighth one pack instead of loose objects; the others are copies.
    const way = run % 8 === 0 ? 'anew' : run % 8 === 1 ? 'packed' : run % 2 === 0 ? 'cold' : 'warm'
    if (way === 'anew') makeAnew(folder)
    else cpSync(first.path, folder, { recursive: true })
    if (way === 'packed') new TestRepo(folder).git('gc', '--quiet', '--prune=now')
    ways[way]++
    const { hash, cuts } = await freezeHead(folder, { context, ...(way === 'warm' ? { facts: warm } : {}) })
    hashes.set(hash, cuts)
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`one change, one hash: ${runs} rebuilds ${JSON.stringify(ways)}, ${hashes.size} hash`)
  expect([...hashes.values()]).toEqual([[]])
  expect(hashes.size).toBe(1)
})

function makeAnew(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const repo = new TestRepo(folder)
  repo.git('init', '--quiet', '--initial-branch=main')
  commitShop(repo)
}
