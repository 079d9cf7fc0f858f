/**
 * Faults put into real commits, to see how many the checks of new code find.
 *
 *   node bench/new-code/seeds.ts [--commits 40] [--each 6] [--out bench/out/new-code-seeds.jsonl] REPOSITORY…
 *
 * For each commit, one fault of each kind at a place that the commit writes: an import is misspelled, an argument is
 * dropped, a keyword or a key is misspelled, the first two parameters of a function are swapped without its callers, a
 * required method that is overridden gets another name. Places are chosen by text and by names that one definition of
 * the tree has, never by what the resolvers say. Seeds that are in the file already are not run again.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import { git, openScratch, rawChanges } from '../broken-callers/git.ts'
import { runPlanesOn } from './plane-run.ts'
import { type Seed, seedsIn } from './seed-places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '40' },
    each: { type: 'string', default: '6' },
    out: { type: 'string', default: 'bench/out/new-code-seeds.jsonl' },
    cache: { type: 'string', default: '/tmp/sightline-new-code-facts' },
  },
})

type Row = {
  id: string
  repository: string
  commit: string
  language: string
  seed: Omit<Seed, 'text'>
  found: string | null
  others: string[]
}

const rulesOf: Readonly<Record<Seed['kind'], RegExp>> = {
  import: /^new-code\/unknown-export$/,
  argument: /^new-code\/(?:argument-count|missing-argument)$/,
  keyword: /^new-code\/(?:unknown-argument|missing-argument|argument-count)$/,
  order: /^contract\/argument-order$/,
  override: /^new-code\/override-name$/,
  environment: /^new-code\/unknown-environment-variable$/,
  translation: /^new-code\/unknown-translation-key$/,
}

mkdirSync(dirname(values.out), { recursive: true })
const rows: Row[] = existsSync(values.out)
  ? readFileSync(values.out, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Row => JSON.parse(line))
  : []
const done = new Set(rows.map(({ id }) => id))
const facts = createFactStore({ cacheFolder: values.cache })
try {
  for (const repository of positionals) await seedRepository(repository)
} finally {
  await facts.close()
}
report()

async function seedRepository(repository: string): Promise<void> {
  const name = basename(repository) === 'repo' ? basename(dirname(repository)) : basename(repository)
  const scratch = openScratch(repository)
  const sown = new Map<string, number>()
  try {
    const commits = git(repository, ['log', '--no-merges', `-n${values.commits}`, '--format=%H', 'HEAD'])
    for (const commit of commits.split('\n').filter(Boolean)) {
      for (const entry of rawChanges(repository, commit)) {
        const language = languageOf(entry.path)
        if (entry.status === 'D' || !language || !/^100/.test(entry.newMode) || isTest(entry.path)) continue
        const text = git(repository, ['cat-file', 'blob', entry.newBlob])
        if (text.length > 300_000) continue
        const own = (await facts.facts([{ path: entry.path, blob: entry.newBlob, text }])).get(entry.path)
        if (!own) continue
        for (const seed of seedsIn(repository, commit, entry.path, text, own)) {
          const kind = `${seed.kind} ${language}`
          if ((sown.get(kind) ?? 0) >= Number(values.each)) continue
          sown.set(kind, (sown.get(kind) ?? 0) + 1)
          const id = `${name} ${commit} ${seed.kind} ${entry.path}:${seed.line}`
          if (done.has(id)) continue
          const row = await trySeed(scratch, repository, commit, seed)
          const made = { id, repository: name, commit, language, ...row }
          rows.push(made)
          appendFileSync(values.out, `${JSON.stringify(made)}\n`)
          console.log(`${row.found ? 'found ' : 'MISSED'} ${id}: ${seed.was} → ${seed.is}`)
        }
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The commit once more, with the fault in it. */
async function trySeed(
  scratch: string,
  repository: string,
  commit: string,
  { text, ...seed }: Seed,
): Promise<Pick<Row, 'seed' | 'found' | 'others'>> {
  const index = { GIT_INDEX_FILE: join(scratch, 'seed-index') }
  const parent = git(scratch, ['rev-parse', `${commit}^1`]).trim()
  // A swap of parameters alone is the fault; the other kinds are in the commit's own code.
  git(scratch, ['read-tree', seed.kind === 'order' ? parent : commit], index)
  const blob = git(scratch, ['hash-object', '-w', '--stdin'], {}, text).trim()
  git(scratch, ['update-index', '--add', '--cacheinfo', `100644,${blob},${seed.path}`], index)
  const tree = git(scratch, ['write-tree'], index).trim()
  const head = git(scratch, ['commit-tree', tree, '-p', parent, '-m', 'seed']).trim()
  const { found } = await runPlanesOn(scratch, head, facts, {
    callers: seed.kind === 'order',
    borrowFrom: [repository],
  })
  const kept = found.filter(({ dropped }) => dropped === null)
  const hit = kept.find(
    ({ rule, path, line }) =>
      rulesOf[seed.kind].test(rule) && path === seed.path && Math.abs(line - seed.line) <= 3,
  )
  return {
    seed,
    found: hit?.rule ?? null,
    others: kept.filter((one) => one !== hit).map(({ rule, path, line }) => `${rule} ${path}:${line}`),
  }
}

function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|e2e|examples?|docs?)\/|(?:^|\/)test_|[._]test\.|\.spec\./.test(path)
}

function report(): void {
  console.log('| kind | language | seeds | found | recall | other findings |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: |')
  const groups = Map.groupBy(rows, ({ seed, language }) => `${seed.kind} | ${language}`)
  for (const [key, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const hits = group.filter(({ found }) => found !== null).length
    const others = group.reduce((sum, row) => sum + row.others.length, 0)
    console.log(`| ${key} | ${group.length} | ${hits} | ${(hits / group.length).toFixed(2)} | ${others} |`)
  }
}
