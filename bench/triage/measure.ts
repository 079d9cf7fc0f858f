/**
 * What triage by rule leaves out on real commits, and whether it would have left out the question after a known fault.
 *
 *   node bench/triage/measure.ts --repositories MIRRORS [--commits 100] [--cases FILE]… NAME…
 *
 * MIRRORS holds a folder `owner+name/repo` for each repository. Commits are the latest without merges. A case is a line of
 * JSON with `repo`, `base`, `head` and `expected` faults, each with `file` and `category`. Asks no model.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultConfig } from '../../src/config/schema.ts'
import type { FileChange } from '../../src/domain/change-set.ts'
import { Category } from '../../src/domain/severity.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { weighFile } from '../../src/pipeline/triage/weigh-file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: 'string', default: '.' },
    commits: { type: 'string', default: '100' },
    cases: { type: 'string', multiple: true, default: [] },
  },
})

type Fault = { file: string; category: string }
type Case = { id: string; repo: string; base: string; head: string; expected?: Fault[] }

await measureCommits()
await measureFaults()

async function measureCommits(): Promise<void> {
  const counts = new Map<string, { files: number; left: number }>()
  let files = 0
  let hinted = 0
  for (const name of positionals) {
    for (const commit of latest(name)) {
      for (const file of await filesOf(name, `${commit}^`, commit)) {
        const { rule, skipped, open } = weighFile(file)
        const row = counts.get(rule ?? 'none: source') ?? { files: 0, left: 0 }
        counts.set(rule ?? 'none: source', { files: row.files + 1, left: row.left + skipped.size })
        files++
        hinted += rule === null ? 4 - open.length : 0
      }
    }
  }
  const pairs = files * Category.options.length
  const left = [...counts.values()].reduce((sum, row) => sum + row.left, 0)
  console.log(`${files} files, ${pairs} pairs, ${left} left out by rule (${percent(left, pairs)})`)
  console.log(`${hinted} pairs of source kept from the scout by words in changed lines`)
  for (const [name, row] of [...counts].sort((a, b) => b[1].left - a[1].left))
    console.log(`| ${name} | ${row.files} | ${row.left} | ${percent(row.left, pairs)} |`)
}

async function measureFaults(): Promise<void> {
  for (const path of values.cases) {
    const byCategory = new Map<string, { asked: number; missed: number; open: number }>()
    const missed: string[] = []
    let absent = 0
    for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
      const { id, repo, base, head, expected = [] }: Case = JSON.parse(line)
      const name = repo.replace('/', '+')
      const files = expected.length > 0 && isThere(name, base, head) ? await filesOf(name, base, head) : null
      for (const { file: at, category } of expected) {
        const file = files?.find((one) => one.path === at)
        if (!file) {
          absent++
          continue
        }
        const { rule, skipped, open } = weighFile(file)
        const isMissed = [...skipped.keys()].some((one) => one === category)
        const row = byCategory.get(category) ?? { asked: 0, missed: 0, open: 0 }
        row.asked++
        if (isMissed) row.missed++
        if (open.some((one) => one === category)) row.open++
        byCategory.set(category, row)
        if (isMissed) missed.push(`${id} ${at}: ${category}, by ${rule}`)
      }
    }
    console.log(
      `\n${path.split('/').at(-1)}: ${absent} faults not there (no repository here, or no such file)`,
    )
    for (const [category, row] of byCategory)
      console.log(`| ${category} | ${row.asked} | ${row.missed} | ${row.open} |`)
    for (const one of missed) console.log(`missed: ${one}`)
  }
}

async function filesOf(name: string, base: string, head: string): Promise<FileChange[]> {
  const collected = await collectLocal({
    folder: folderOf(name),
    selector: { kind: 'range', range: `${base}..${head}` },
    limits: defaultConfig.limits,
  })
  try {
    const change = await readChangeSet(await collected.diff(), {
      ...defaultConfig.paths,
      base: collected.base,
    })
    return change.files
  } finally {
    await collected.close()
  }
}

function latest(name: string): string[] {
  return git(name, 'log', '--no-merges', '-n', values.commits, '--format=%H').trim().split('\n')
}

function isThere(name: string, base: string, head: string): boolean {
  if (!existsSync(folderOf(name))) return false
  try {
    git(name, 'cat-file', '-e', `${base}^{commit}`)
    git(name, 'cat-file', '-e', `${head}^{commit}`)
    return true
  } catch {
    return false
  }
}

function git(name: string, ...words: string[]): string {
  return execFileSync('git', ['--git-dir', folderOf(name), ...words], { encoding: 'utf8', stdio: 'pipe' })
}

function folderOf(name: string): string {
  return join(values.repositories, name, 'repo')
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`
}
