/**
 * Simulated citations of a model on real commits: does what survives stand on the line that was meant?
 *
 *   node bench/anchoring/run.ts [--cites 30000] [--commits 150] [--seed 1] [--out bench/out/anchoring.json] REPOSITORY…
 *
 * Without a repository it reads this one. Exits with 1 when a survivor is on a wrong line, or less than 95 % of the
 * recoverable ones survive.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { openValidationContext } from '../../src/pipeline/validation/validate.ts'
import { Random } from '../../test/helpers/random.ts'
import { contextOf } from '../../test/pipeline/validation/world.ts'
import { type Count, emptyCounts, simulate } from './simulate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cites: { type: 'string', default: '30000' },
    commits: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'bench/out/anchoring.json' },
  },
})

const repositories = positionals.length > 0 ? positionals : ['.']
const facts = createFactStore({ cacheFolder: null, signal: new AbortController().signal })
const counts = emptyCounts()
const random = new Random(Number(values.seed))
const read: { repository: string; changes: number; cites: number }[] = []
let cpuMicros = 0

for (const repository of repositories) {
  const row = { repository: nameOf(repository), changes: 0, cites: 0 }
  read.push(row)
  const before = total('cites')
  for (const commit of lastCommits(repository)) {
    if (total('cites') - before >= Number(values.cites) / repositories.length) break
    const selector = { kind: 'commit', commit } as const
    const change = await collectLocal({ folder: repository, selector, limits: defaultConfig.limits })
    try {
      const { base, head } = change
      const changes = await readChangeSet(await change.diff(), { ...defaultConfig.paths, base })
      const bench = openValidationContext({
        context: contextOf(changes),
        base,
        head,
        facts,
        config: defaultConfig,
        planes: ['reviewer'],
      })
      await bench.sources.preload({ base: [], head: changes.files.map(({ path }) => path), words: [] })
      const start = process.cpuUsage()
      for (const fault of await simulate(changes, bench, 6, random, counts))
        console.log(
          `WRONG ${commit.slice(0, 10)} ${fault.kind}: ${JSON.stringify(fault.cite)} shown on ${fault.shown}`,
        )
      const { user, system } = process.cpuUsage(start)
      cpuMicros += user + system
      row.changes++
    } finally {
      await change.close()
    }
  }
  row.cites = total('cites') - before
}
await facts.close()

const recovered = total('recovered') / Math.max(1, total('recoverable'))
const microsPerCandidate = Math.round(cpuMicros / Math.max(1, total('cites')))
console.table(read)
print([...counts])
console.log(
  `${total('wrong')} survivors on a wrong line; ${(recovered * 100).toFixed(2)} % of the recoverable survived`,
)
console.log(`${microsPerCandidate} µs of processor time per candidate, parsing included`)
mkdirSync(dirname(values.out), { recursive: true })
const result = {
  seed: Number(values.seed),
  read,
  kinds: Object.fromEntries(counts),
  recovered,
  microsPerCandidate,
}
writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`)
process.exitCode = total('wrong') > 0 || recovered < 0.95 ? 1 : 0

function print(rows: readonly (readonly [string, Count])[]): void {
  console.log(
    '| error | cites | survived | on the right line | a twin | wrong | recoverable | of these survived |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [kind, count] of rows)
    console.log(
      `| ${kind} | ${count.cites} | ${count.survived} | ${count.right} | ${count.twins} | ${count.wrong} | ${count.recoverable} | ${count.recovered} |`,
    )
}

function total(key: keyof Count): number {
  return [...counts.values()].reduce((sum, count) => sum + count[key], 0)
}

function nameOf(repository: string): string {
  const path = resolve(repository)
  const name = ['repo', '.git'].includes(basename(path)) ? basename(dirname(path)) : basename(path)
  return name.replace('+', '/')
}

function lastCommits(repository: string): string[] {
  const args = ['log', '--no-merges', `--max-count=${values.commits}`, '--format=%H', 'HEAD']
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' })
    .trim()
    .split('\n')
}
