/**
 * Reviews one change of this project's own history at each depth, with scripted models, and writes what was printed
 * into docs/depths-by-example.md: `node scripts/example-depths.ts`. The history must be there as a whole;
 * test/cli/example-depths.test.ts checks the page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingHistory, root } from './example-depths/change.ts'
import { changeBlocks, comparison, depthBlock, depths, fillPage } from './example-depths/page.ts'
import { runDepth } from './example-depths/run-depth.ts'

const page = join(root, 'docs/depths-by-example.md')
const missing = missingHistory()
if (missing) {
  console.error(`Not written: ${missing}.`)
  process.exitCode = 1
} else await write()

async function write(): Promise<void> {
  const runs = []
  for (const depth of depths) runs.push(await runDepth(depth))
  const blocks = [...changeBlocks(), ...runs.map(depthBlock), comparison(runs)]
  writeFileSync(page, fillPage(readFileSync(page, 'utf8'), blocks))
}
