/**
 * Reads real commits and compares every hunk and every line with git's own counts, with a second independent count,
 * and with the lines of the blobs.
 *
 *   node bench/diff/agreement.ts [--hunks 100000] [--commits 3000] [--out bench/out/diff.json] REPOSITORY…
 *
 * Without a repository it reads this one. Exits with 1 on any disagreement.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { type Agreement, compareChange, emptyAgreement } from './compare.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hunks: { type: 'string', default: '100000' },
    commits: { type: 'string', default: '3000' },
    out: { type: 'string', default: 'bench/out/diff.json' },
  },
})

const limits = { changedFiles: 100_000, fileBytes: 1 << 22, treeEntries: 1_000_000 }
const rows: ({ repository: string; commits: number } & Agreement)[] = []
const repositories = positionals.length > 0 ? positionals : ['.']
const perRepository = Math.ceil(Number(values.hunks) / repositories.length)

for (const repository of repositories) {
  const row = { repository: basename(dirname(repository)) || '.', commits: 0, ...emptyAgreement() }
  rows.push(row)
  for (const commit of lastCommits(repository)) {
    if (row.hunks >= perRepository && total('hunks') >= Number(values.hunks)) break
    if (row.hunks >= perRepository * 2) break
    const change = await collectLocal({ folder: repository, selector: { kind: 'commit', commit }, limits })
    try {
      const raw = await change.diff()
      const { files } = await readChangeSet(raw, { exclude: [], generated: [], tests: [], base: change.base })
      const before = row.faults.length
      await compareChange(raw, files, change.base, change.head, row)
      for (const fault of row.faults.slice(before)) console.log(`FAULT ${commit} ${fault}`)
      row.commits++
    } finally {
      await change.close()
    }
  }
}

console.log('| repository | commits | files | hunks | lines | lines held against blobs | disagreements |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
for (const row of rows)
  console.log(
    `| ${row.repository} | ${row.commits} | ${row.files} | ${row.hunks} | ${row.lines} | ${row.blobLines} | ${row.faults.length} |`,
  )
const faults = rows.reduce((sum, row) => sum + row.faults.length, 0)
console.log(
  `| all | ${total('commits')} | ${total('files')} | ${total('hunks')} | ${total('lines')} | ${total('blobLines')} | ${faults} |`,
)
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, JSON.stringify(rows, null, 1))
process.exitCode = faults > 0 ? 1 : 0

function total(key: 'commits' | 'files' | 'hunks' | 'lines' | 'blobLines'): number {
  return rows.reduce((sum, row) => sum + row[key], 0)
}

function lastCommits(repository: string): string[] {
  const args = [
    '-C',
    repository,
    'log',
    '--no-merges',
    `--max-count=${values.commits}`,
    '--format=%H',
    'HEAD',
  ]
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n')
}
