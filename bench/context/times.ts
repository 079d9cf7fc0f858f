/**
 * How long does each retrieval take, cold and warm, against its budget?
 *
 *   node bench/context/times.ts [--uncut] [--json FILE] FOLDER[@COMMIT]…
 *
 * Cold: nothing of the repository is kept. Warm: the same again, in the same cache. Wall clock says what a user waits on
 * this machine as it was; CPU time, of this process and all it started, says what the work costs. Tickets come from a
 * server on this machine, so theirs is what we add to the network. `--uncut` lets the graph end, to see what it would take.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchTickets } from '../../src/assembly/fetch-tickets.ts'
import { openContextTools } from '../../src/assembly/open-context-tools.ts'
import { withinSeconds } from '../../src/base/time-budget.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { Config, defaultConfig } from '../../src/config/schema.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { retrieveHistory } from '../../src/pipeline/context/retrieval/history.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../src/pipeline/diff/symbol-changes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, uncut: { type: 'boolean', default: false } },
})
if (positionals.length === 0) throw new Error('see the head of this file for its options')

const budgets = { diff: 5, graph: 8, ticket: 2, history: 2 }
type Retrieval = keyof typeof budgets
const retrievals: readonly Retrieval[] = ['diff', 'graph', 'history', 'ticket']
type Row = {
  repository: string
  files: number
  changed: number
  retrieval: Retrieval
  state: 'cold' | 'warm'
  seconds: number
  cpuSeconds: number
  told: string
}

const { signal } = new AbortController()
const rows: Row[] = []
for (const place of positionals) {
  const [folder = '', commit = 'HEAD'] = place.split('@')
  const cacheFolder = mkdtempSync(join(tmpdir(), 'times-'))
  try {
    for (const state of ['cold', 'warm'] as const)
      for (const retrieval of values.uncut ? (['graph'] as const) : retrievals)
        rows.push(
          await measure({ folder, commit, cacheFolder: `${cacheFolder}/${retrieval}`, retrieval, state }),
        )
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true })
  }
}
const load = loadavg().map((one) => Math.round(one * 10) / 10)
console.log(`load ${load.join(' ')} on ${availableParallelism()} cores`)
if (values.json) writeFileSync(values.json, `${JSON.stringify({ load, rows }, null, 1)}\n`)

type Question = {
  folder: string
  commit: string
  cacheFolder: string
  retrieval: Retrieval
  state: Row['state']
}

async function measure({ folder, commit, cacheFolder, retrieval, state }: Question): Promise<Row> {
  const { limits, paths } = defaultConfig
  const selector = { kind: 'commit', commit } as const
  const known = await collectLocal({ folder, selector, limits })
  const files = (await known.head.list()).length
  const changeSet = await readChangeSet(await known.diff(), { ...paths, base: known.base })
  await known.close()

  const cpuBefore = cpuSeconds()
  const startedAt = performance.now()
  const change = await collectLocal({ folder, selector, limits })
  const facts = createFactStore({ cacheFolder })
  let told = ''
  let seconds = 0
  try {
    const { base, head, history, request } = change
    if (retrieval === 'diff') {
      const set = await readChangeSet(await change.diff(), { ...paths, base })
      told = `${(await diffSymbols({ change: set, base, head, facts })).length} symbols`
    } else if (retrieval === 'graph') {
      const graphSeconds = values.uncut ? 600 : budgets.graph
      const config = Config.parse({ review: { depth: 'standard' }, context: { graphSeconds } })
      const { sandbox } = defaultSettings
      const around = openContextTools({ change, facts, cacheFolder, config, journal: null, sandbox, signal })
      // As a review does: what is not there two seconds after its own time is left out.
      told = await withinSeconds(graphSeconds + 2, signal, async (inner) => {
        const { passages, cuts } = await around.retrieveGraph(changeSet, inner)
        return [`${passages.length} passages`, ...cuts].join('; ')
      }).catch((error: Error) => `nothing: ${error.message}`)
    } else if (retrieval === 'history') {
      const notes = retrieveHistory(changeSet, request.author, await history.recent(2_000))
      told = `${notes.commitsRead} commits`
    } else told = await bring(change.request)
    seconds = (performance.now() - startedAt) / 1000
  } finally {
    await Promise.all([facts.close(), change.close()])
  }
  const row: Row = {
    repository: nameOf(folder),
    files,
    changed: changeSet.files.length,
    retrieval,
    state,
    seconds: round(seconds),
    cpuSeconds: round(cpuSeconds() - cpuBefore),
    told,
  }
  const fits = row.seconds <= budgets[retrieval] ? 'within' : 'OVER'
  console.log(
    `${row.repository} ${files} files, ${retrieval} ${state}: ${row.seconds} s (${row.cpuSeconds} s CPU), ${fits} ${budgets[retrieval]} s; ${told}`,
  )
  return row
}

async function bring(request: Parameters<typeof fetchTickets>[1]): Promise<string> {
  const issue = { number: 12, title: 'x', body: '- [ ] One\n'.repeat(2_000), state: 'open', labels: [] }
  const server = createServer(({ url = '' }, response) => {
    const isList = /\/issues\?|\/comments|\/reviews|\/pulls/.test(url)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(isList ? [] : issue))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const environment = { GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const wish = { kind: 'github', repository: 'acme/shop', branch: null } as const
  const asked = { ...request, body: 'Fixes #12, #13, #14, #15 and #16' }
  const { tickets = [] } = await fetchTickets(wish, asked, { seconds: budgets.ticket, environment, signal })
  server.closeAllConnections()
  server.close()
  return `${tickets.length} tickets`
}

/** The last part of a path that tells something. */
function nameOf(folder: string): string {
  const parts = folder.split('/').filter((part) => !['', '.git', 'repo'].includes(part))
  return parts.at(-1) ?? folder
}

/** Of this process and of those it started that have ended, by the clock ticks that Linux counts (100 a second). */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100
}
