/**
 * The index against language servers on the last commit of real repositories: definitions, and references by how they
 * were resolved. Usage: node --liftoff-only bench/index/accuracy-servers.ts GIT_DIRECTORY… [--language python]
 * [--files 150] [--definitions 150] [--misses 20] [--json FILE]. Samples are every n-th, so two runs ask the same.
 */
import { writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import type { LanguageServers } from '../../src/code-index/language-servers/contract.ts'
import { openLanguageServers } from '../../src/code-index/language-servers/open-language-servers.ts'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import { refreshTree } from '../../src/code-index/tree-index/refresh.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { RepoSnapshot } from '../../src/domain/snapshot.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { compareDefinitions, type DefinitionCounts } from './accuracy-definitions.ts'
import { compareReferences, type ReferenceCounts } from './accuracy-references.ts'
import { everyNth, share } from './accuracy-sample.ts'

type Report = {
  repository: string
  commit: string
  language: string
  server: string
  definitions: DefinitionCounts
  references: ReferenceCounts
}

/** Languages that one server answers for are counted together. */
const families: Readonly<Record<string, readonly string[]>> = {
  typescript: ['typescript', 'tsx', 'javascript'],
  python: ['python'],
  go: ['go'],
  'c and c++': ['c', 'cpp'],
  rust: ['rust'],
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string' },
    files: { type: 'string', default: '150' },
    definitions: { type: 'string', default: '150' },
    misses: { type: 'string', default: '0' },
    json: { type: 'string' },
  },
})

const reports: Report[] = []
for (const folder of positionals) reports.push(...(await measure(folder)))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`)

async function measure(folder: string): Promise<Report[]> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const servers = openLanguageServers({
    snapshot: change.head,
    settings: {},
    environment: process.env,
    foreignFolders: [folder],
    confinement: {
      findSandbox: () => findSandbox(undefined, new AbortController().signal),
      isOptional: true,
    },
    // Truth is worth waiting for; a review would not.
    limits: { initializeMs: 60_000, requestMs: 90_000, settleMs: 300_000, idleMs: 600_000, memoryMb: 8192 },
  })
  const store = createFactStore({ cacheFolder: null })
  try {
    const refreshed = await refreshTree({ snapshot: change.head, facts: store, stored: null })
    if (!('tree' in refreshed)) throw new Error(refreshed.why)
    const tree = await openCodeTree(change.head, store, { index: refreshed.tree.index })
    const made: Report[] = []
    for (const [language, ids] of Object.entries(families)) {
      const paths = await pathsOf(change.head, ids)
      if (paths.length < 10 || (values.language !== undefined && values.language !== language)) continue
      const facts = await tree.world.factsOf(paths)
      const server = await nameServer(servers, ids[0] ?? language)
      if (server === null) continue
      const definitions = await compareDefinitions(servers, facts, Number(values.files))
      const references = await compareReferences(servers, tree, facts, Number(values.definitions))
      const repository = basename(folder) === 'repo' ? basename(dirname(folder)) : basename(folder)
      const commit = change.request.head.commit?.slice(0, 8) ?? change.head.tree.slice(0, 8)
      const report = { repository, commit, language, server, definitions, references }
      print(report)
      made.push({
        ...report,
        definitions: { ...definitions, misses: [], extras: [] },
        references: { ...references, misses: [], wrongs: [] },
      })
    }
    return made
  } finally {
    await Promise.all([servers.close(), store.close()])
    await change.close()
  }
}

async function pathsOf(snapshot: RepoSnapshot, ids: readonly string[]): Promise<string[]> {
  return (await snapshot.list()).flatMap(({ path, mode }) =>
    mode.startsWith('100') && ids.includes(languageOf(path) ?? '') ? [path] : [],
  )
}

async function nameServer(servers: LanguageServers, language: string): Promise<string | null> {
  const server = await servers.serverFor(language)
  if (server === null) console.log(`no server for ${language}`)
  return server
}

function print({ repository, commit, language, server, definitions, references }: Report): void {
  console.log(`\n${repository} ${commit} · ${language} · ${server}`)
  const { files, silent, recall, precision, misses, extras } = definitions
  console.log(`definitions in ${files} files, ${silent} without an answer`)
  console.table(
    Object.fromEntries(
      Object.entries(recall).map(([group, { found, all }]) => [
        `recall: ${group}`,
        { found, all, share: share(found, all) },
      ]),
    ),
  )
  console.table(
    Object.fromEntries(
      Object.entries(precision).map(([kind, { found, all }]) => [
        `precision: ${kind}`,
        { found, all, share: share(found, all) },
      ]),
    ),
  )
  const all = Object.values(references.byHow)
  const [right, wrong] = [
    all.reduce((sum, how) => sum + how.right, 0),
    all.reduce((sum, how) => sum + how.wrong, 0),
  ]
  console.log(
    `references to ${references.definitions} definitions: ` +
      `precision ${share(right, right + wrong)} (${right} of ${right + wrong}), ` +
      `recall ${share(references.found, references.uses)} (${references.found} of ${references.uses}); ` +
      `${references.indirect} more that lead elsewhere first, ${references.declarations} declarations; not answered: ${JSON.stringify(references.notAsked)}`,
  )
  console.table(
    Object.fromEntries(
      Object.entries(references.byHow).map(([how, counts]) => [
        how,
        { ...counts, precision: share(counts.right, counts.right + counts.wrong) },
      ]),
    ),
  )
  console.table(references.missedBy)
  for (const line of shown(misses)) console.log(`  missed definition: ${line}`)
  for (const line of shown(extras)) console.log(`  definition of the index alone: ${line}`)
  for (const line of shown(references.wrongs)) console.log(`  wrong edge: ${line}`)
  for (const line of shown(references.misses)) console.log(`  missed use: ${line}`)
}

function shown(lines: readonly string[]): string[] {
  return everyNth(lines, Number(values.misses))
}
