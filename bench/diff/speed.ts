/**
 * Reading one large diff next to printing it: how long `git diff` takes, and how long it takes to turn its patches into
 * a `ChangeSet` with every line numbered and hashed. Interleaved in one run; medians.
 *
 *   node bench/diff/speed.ts [--rounds 7] [--out bench/out/diff-speed.json] [REPOSITORY [RANGE]]
 *
 * Without a range everything since the first commit is one change.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    out: { type: 'string', default: 'bench/out/diff-speed.json' },
  },
})
const [repository = '.', range = sinceTheBeginning(repository)] = positionals
const limits = { changedFiles: 100_000, fileBytes: 1 << 24, treeEntries: 1_000_000 }

const change = await collectLocal({ folder: repository, selector: { kind: 'range', range }, limits })
try {
  const raw = await change.diff()
  const read = () =>
    readChangeSet(raw, {
      ...{ exclude: [], generated: [], tests: [], base: change.base },
      limits: { lines: 10_000_000, bytes: 1 << 30 },
    })
  const { files } = await read()
  const lines = files.reduce((sum, file) => sum + file.hunks.reduce((n, hunk) => n + hunk.lines.length, 0), 0)
  const bytes = raw.files.reduce((sum, file) => sum + (file.patch?.length ?? 0), 0)
  const times: { git: number[]; read: number[] } = { git: [], read: [] }
  for (let round = 0; round < Number(values.rounds); round++) {
    times.git.push(await clocked(() => git('diff', '--no-ext-diff', '--no-textconv', '-M', '-C', range)))
    times.read.push(await clocked(read))
  }
  const [gitMs, readMs] = [median(times.git), median(times.read)]
  const ratio = readMs / gitMs
  console.log('| files | lines | MB of patch | `git diff` ms | reading ms | reading / git diff |')
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: |')
  console.log(
    `| ${files.length} | ${lines} | ${(bytes / 1e6).toFixed(1)} | ${gitMs.toFixed(0)} | ${readMs.toFixed(0)} | ${ratio.toFixed(2)} |`,
  )
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(
    values.out,
    JSON.stringify({ files: files.length, lines, bytes, gitMs, readMs, ratio, times }, null, 1),
  )
} finally {
  await change.close()
}

function sinceTheBeginning(folder: string): string {
  const log = execFileSync('git', ['-C', folder, 'rev-list', '--max-parents=0', 'HEAD'], { encoding: 'utf8' })
  return `${log.trim().split('\n')[0]}..HEAD`
}

function git(...args: string[]): void {
  execFileSync('git', ['-C', repository, ...args], { maxBuffer: 1 << 30 })
}

async function clocked(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
}
