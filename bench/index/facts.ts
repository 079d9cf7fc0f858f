/**
 * Reads the facts of every source file of a commit into a new store on disk, and nothing else: the process that
 * `cold.ts` measures. Usage: node bench/index/facts.ts GIT_DIRECTORY
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { sourceFiles } from './source-files.ts'

const [, , gitDirectory = '.'] = process.argv
const cacheFolder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
try {
  const store = createFactStore({ cacheFolder })
  const startedAt = performance.now()
  let files = 0
  for (const part of sourceFiles(gitDirectory)) files += (await store.facts(part)).size
  const readMs = performance.now() - startedAt
  await store.close()
  const bytes = readdirSync(cacheFolder).reduce(
    (sum, name) => sum + statSync(join(cacheFolder, name)).size,
    0,
  )
  process.stdout.write(JSON.stringify({ files, readMs, bytes, failures: store.failures.length }))
} finally {
  rmSync(cacheFolder, { recursive: true })
}
