/**
 * The index against everybody else, on the last commit of real repositories: definitions against language servers and ctags,
 * references, callers and exports against language servers, and every conclusive negative against all of them and every
 * occurrence of the word.
 *
 *   node --liftoff-only bench/index/accuracy.ts GIT_DIRECTORY… [--draw 30] [--seed 1] [--skip OWNER/NAME,…]
 *     [--definitions 30] [--files 25] [--exports 12] [--negatives 200] [--minutes N] [--part 1/3] [--out FOLDER] [--table]
 *
 * Repositories and symbols are drawn by the seed. Each result is saved at once, so a second call goes on where the first
 * ended; `--part` is for several calls at once, and `--table` prints what there is. Disagreements are in `disagreements.jsonl` of the folder, which git ignores.
 * Exits with 1 when something contradicts a conclusive answer.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import { openLanguageServers } from '../../src/code-index/language-servers/open-language-servers.ts'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import { refreshTree } from '../../src/code-index/tree-index/refresh.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { Random } from '../../test/helpers/random.ts'
import { compareDefinitions, compareTags } from './accuracy-definitions.ts'
import { type Candidate, drawRepositories, familyOf, fewestFiles, shuffled } from './accuracy-draw.ts'
import { compareExports } from './accuracy-exports.ts'
import { checkNegatives, type Repository } from './accuracy-negatives.ts'
import { candidates, compareReferences } from './accuracy-references.ts'
import { printTables, type Report } from './accuracy-table.ts'
import { readTags } from './accuracy-text.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    draw: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    skip: { type: 'string', default: '' },
    definitions: { type: 'string', default: '30' },
    files: { type: 'string', default: '25' },
    exports: { type: 'string', default: '12' },
    negatives: { type: 'string', default: '200' },
    minutes: { type: 'string', default: 'Infinity' },
    part: { type: 'string', default: '1/1' },
    out: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const out = values.out ?? join(import.meta.dirname, '../../node_modules/.cache/accuracy', String(seed))
const resultsFile = join(out, 'results.jsonl')
mkdirSync(out, { recursive: true })

if (!values.table) {
  const endAt = performance.now() + Number(values.minutes) * 60_000
  const skipped = new Set(values.skip.split(','))
  const done = new Set(saved().map(({ repository }) => repository))
  const chosen = drawRepositories(positionals, Number(values.draw), seed, skipped)
  console.log(`${chosen.length} repositories: ${chosen.map(({ name }) => name).join(' ')}`)
  const [own = 1, parts = 1] = values.part.split('/').map(Number)
  for (const [at, one] of chosen.entries()) {
    if (done.has(one.name) || at % parts !== own - 1) continue
    if (performance.now() > endAt) break
    const startedAt = performance.now()
    const { report, disagreements } = await measure(one)
    appendFileSync(
      join(out, 'disagreements.jsonl'),
      disagreements.map((row) => `${JSON.stringify({ repository: one.name, ...row })}\n`).join(''),
    )
    appendFileSync(resultsFile, `${JSON.stringify(report)}\n`)
    const open = report.contradictions
    console.log(`${one.name}: ${Math.round((performance.now() - startedAt) / 1000)} s, ${open} to be read`)
  }
}
process.exitCode = printTables(saved(), seed) > 0 ? 1 : 0

function saved(): Report[] {
  return existsSync(resultsFile)
    ? readFileSync(resultsFile, 'utf8')
        .split('\n')
        .flatMap((row) => (row === '' ? [] : [JSON.parse(row) as Report]))
    : []
}

async function measure({
  folder,
  name,
  commit,
  languages,
}: Candidate): Promise<{ report: Report; disagreements: object[] }> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const { head } = change
  const servers = openLanguageServers({
    snapshot: head,
    settings: {},
    environment: process.env,
    foreignFolders: [folder],
    confinement: {
      findSandbox: () => findSandbox(undefined, new AbortController().signal),
      isOptional: true,
    },
    limits: { initializeMs: 60_000, requestMs: 30_000, settleMs: 90_000, idleMs: 600_000, memoryMb: 4096 },
  })
  const store = createFactStore({ cacheFolder: null })
  try {
    const refreshed = await refreshTree({ snapshot: head, facts: store, stored: null })
    if (!('tree' in refreshed)) throw new Error(refreshed.why)
    const tree = await openCodeTree(head, store, { index: refreshed.tree.index })
    const paths = (await head.list()).flatMap(({ path, mode }) =>
      mode.startsWith('100') && languageOf(path) !== null ? [path] : [],
    )
    const facts = await tree.world.factsOf(paths)
    const repository: Repository = { folder, tree, servers, tags: readTags(folder), facts }
    const report: Report = {
      repository: name,
      commit: commit.slice(0, 12),
      languages: {},
      conclusive: {},
      contradictions: 0,
      causes: {},
    }
    const disagreements: object[] = []
    // A seed of its own, so that the order of the repositories does not matter.
    const random = new Random(seed + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7))
    for (const [family, files] of languages)
      if (files >= fewestFiles)
        disagreements.push(...(await compareLanguage(repository, report, family, random)))
    const negatives = await checkNegatives(repository, Number(values.negatives), random)
    // Beside those about exports.
    Object.assign(report.conclusive, negatives.conclusive)
    for (const { language, question, cause, isOpen } of negatives.disagreements) {
      const label = `${language}: ${question}: ${cause}`
      report.causes[label] = (report.causes[label] ?? 0) + 1
      if (isOpen) report.contradictions++
    }
    return { report, disagreements: [...disagreements, ...negatives.disagreements] }
  } finally {
    await Promise.all([servers.close(), store.close()])
    await change.close()
  }
}

async function compareLanguage(
  repository: Repository,
  report: Report,
  family: string,
  random: Random,
): Promise<object[]> {
  const { tree, servers, tags } = repository
  const facts = new Map([...repository.facts].filter(([, { language }]) => familyOf(language) === family))
  const byTags = compareTags(
    tags.filter(({ language }) => language === family),
    facts,
  )
  const row: Report['languages'][string] = { tags: byTags.recall, server: null }
  report.languages[family] = row
  const rows: object[] = byTags.misses.map((text) => ({ family, kind: 'definition of ctags alone', text }))
  const [first] = facts.values()
  const source = first ? await servers.serverFor(first.language) : null
  if (source === null) return rows
  const definitions = await compareDefinitions(
    servers,
    shuffled([...facts], random).slice(0, Number(values.files)),
  )
  const targets = shuffled(candidates(facts), random).slice(0, Number(values.definitions))
  const references = await compareReferences(servers, tree, targets)
  const exported = await compareExports({ tree, servers, facts }, family, Number(values.exports), random)
  const { misses, extras, ...definitionCounts } = definitions
  const { misses: missedUses, wrongs, ...referenceCounts } = references
  const { disagreements, ...exportCounts } = exported
  row.server = {
    source,
    definitions: definitionCounts,
    references: referenceCounts,
    exports: { ...exportCounts, differ: disagreements.length },
  }
  report.conclusive[`${family}: no export`] =
    exported.absent + disagreements.filter(({ isOpen }) => isOpen).length
  report.contradictions += disagreements.filter(({ isOpen }) => isOpen).length
  const named = (kind: string, texts: readonly string[]) => texts.map((text) => ({ family, kind, text }))
  return [
    ...rows,
    ...named('definition of the server alone', misses),
    ...named('definition of the index alone', extras),
    ...named('use of the server alone', missedUses),
    ...named('wrong edge', wrongs),
    ...disagreements,
  ]
}
