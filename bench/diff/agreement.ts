/**
 * Reads real commits and compares every hunk and every line with git's own counts, with a second independent count,
 * and with the lines of the blobs.
 *
 *   node bench/diff/agreement.ts [--hunks 100000] [--commits 3000] [--step 1] [--out bench/out/diff.json] REPOSITORY…
 *
 * Without a repository it reads this one. With a step of n, what n commits did together is read as one change: more
 * hunks, renames and rewrites in less time. Exits with 1 on any disagreement.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ChangeSelector } from '../../src/hosts/contract.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { type Agreement, compareChange, emptyAgreement } from './compare.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hunks: { type: 'string', default: '100000' },
    commits: { type: 'string', default: '3000' },
    step: { type: 'string', default: '1' },
    out: { type: 'string', default: 'bench/out/diff.json' },
  },
})

const limits = { changedFiles: 100_000, fileBytes: 1 << 22, treeEntries: 1_000_000 }
const rows: ({ repository: string; changes: number } & Agreement)[] = []
const repositories = positionals.length > 0 ? positionals : ['.']
const perRepository = Math.ceil(Number(values.hunks) / repositories.length)

for (const repository of repositories) {
  const row = { repository: nameOf(repository), changes: 0, ...emptyAgreement() }
  rows.push(row)
  for (const selector of lastChanges(repository, Number(values.step))) {
    if (row.hunks >= perRepository && total('hunks') >= Number(values.hunks)) break
    if (row.hunks >= perRepository * 2) break
    const change = await collectLocal({ folder: repository, selector, limits })
    try {
      const raw = await change.diff()
      const { files } = await readChangeSet(raw, {
        exclude: [],
        generated: [],
        tests: [],
        base: change.base,
      })
      const before = row.faults.length
      await compareChange(raw, files, change.base, change.head, row)
      for (const fault of row.faults.slice(before))
        console.log(`FAULT ${change.request.source.label} ${fault}`)
      row.changes++
    } finally {
      await change.close()
    }
  }
}

console.log(
  '| repository | changes | files | hunks | lines | lines held against blobs | files rebuilt | disagreements |',
)
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
for (const row of rows)
  console.log(
    `| ${row.repository} | ${row.changes} | ${row.files} | ${row.hunks} | ${row.lines} | ${row.blobLines} | ${row.rebuilt} | ${row.faults.length} |`,
  )
const faults = rows.reduce((sum, row) => sum + row.faults.length, 0)
console.log(
  `| all | ${total('changes')} | ${total('files')} | ${total('hunks')} | ${total('lines')} | ${total('blobLines')} | ${total('rebuilt')} | ${faults} |`,
)
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, JSON.stringify(rows, null, 1))
process.exitCode = faults > 0 ? 1 : 0

function total(key: 'changes' | 'files' | 'hunks' | 'lines' | 'blobLines' | 'rebuilt'): number {
  return rows.reduce((sum, row) => sum + row[key], 0)
}

function nameOf(repository: string): string {
  const path = resolve(repository)
  return ['repo', '.git'].includes(basename(path)) ? basename(dirname(path)) : basename(path)
}

function lastChanges(repository: string, step: number): ChangeSelector[] {
  const args = ['log', '--no-merges', `--max-count=${values.commits}`, '--format=%H', 'HEAD']
  const log = execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  const commits = log.trim().split('\n')
  if (step === 1) return commits.map((commit) => ({ kind: 'commit', commit }))
  const ends = commits.filter((_, index) => index % step === 0)
  return ends.slice(1).map((older, index) => ({ kind: 'range', range: `${older}..${ends[index]}` }))
}
