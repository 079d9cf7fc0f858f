/**
 * How long a question about code takes in a process that lives long, beside `rg -w` and a search by ast-grep for the same
 * names over the same files, in the same run. The names are every n-th definition of the tree, so that two runs ask the
 * same. `first` is a question never asked before, of a tree whose uses were resolved ahead (`resolve ahead ms`); `lazy`
 * the same of a tree whose files were only read; `again` the same one once more. The compiler of the process is warm:
 * other names were asked of another tree.
 * Usage: node bench/index/queries.ts GIT_DIRECTORY… [--names 200] [--ast-grep PROGRAM] [--json FILE].
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { findCallers } from '../../src/code-index/query/callers.ts'
import type { CodeTree } from '../../src/code-index/query/contract.ts'
import { findDefinitions } from '../../src/code-index/query/definitions.ts'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import { findReferences, resolvedUses } from '../../src/code-index/query/references.ts'
import type { Definition } from '../../src/code-index/resolve/contract.ts'
import { linesOf } from '../../src/code-index/resolve/lines.ts'
import { resolveImport } from '../../src/code-index/resolve/resolve.ts'
import { symbolOf } from '../../src/code-index/resolve/symbols.ts'
import { indexPaths } from '../../src/code-index/resolve/world.ts'
import { flags } from '../../src/code-index/segments/blob-words.ts'
import { reportOf } from '../../src/code-index/tree-index/index-tree.ts'
import { refreshTree } from '../../src/code-index/tree-index/refresh.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { RepoSnapshot } from '../../src/domain/snapshot.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { at, everyNth, nameOf, programOn, type Row, rounded, rowsOf, times, withFiles } from '../figures.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: 'string', default: '200' },
    'ast-grep': { type: 'string', default: 'ast-grep' },
    json: { type: 'string' },
  },
})

/** Names asked of the other tools: they take long. */
const searches = { rg: 40, astGrep: 10 }

if (positionals.length === 0) {
  process.stderr.write(
    'usage: node bench/index/queries.ts GIT_DIRECTORY… [--names 200] [--ast-grep PROGRAM] [--json FILE]\n',
  )
  process.exitCode = 2
} else {
  for (const row of await rowsOf(positionals, values.json, async (folder) => [await measure(folder)]))
    console.table(row)
}

async function measure(folder: string): Promise<Row> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const store = createFactStore({ cacheFolder: null })
  try {
    const opening = performance.now()
    const refreshed = await refreshTree({ snapshot: change.head, facts: store, stored: null })
    if (!('tree' in refreshed)) throw new Error(`not indexed: ${refreshed.why}`)
    const { index } = refreshed.tree
    const paths = index.entries.flatMap(({ path }, one) =>
      index.unitOf(one)?.state === 'indexed' ? [path] : [],
    )
    /** All files are read, and nothing is remembered of any question. */
    const anew = async () => {
      const tree = await openCodeTree(change.head, store, { index, paths: indexPaths(index.entries) })
      await readAll(tree, paths)
      return tree
    }
    const tree = await anew()
    const opened = performance.now()
    await resolveAll(
      tree,
      paths,
      (name) => index.find(name)?.some((hit) => hit.flags & flags.defined) === true,
    )
    const resolvedMs = performance.now() - opened
    const all: Definition[] = [...(await tree.world.factsOf(paths))].flatMap(([path, facts]) =>
      facts.symbols.flatMap(({ kind, isTest, name }, one) =>
        isTest || kind === 'impl' || name.length < 4 ? [] : [{ path, facts, index: one }],
      ),
    )
    const asked = everyNth(all, Number(values.names))
    const symbolName = (one: Definition) => symbolOf(one).name
    const other = await anew()
    for (const one of everyNth(all.slice(Math.floor(all.length / asked.length / 2)), asked.length))
      await findReferences(other, one)
    const plain = await anew()
    const lazy = await times(asked, (one) => findReferences(plain, one))
    const unasked = await anew()
    const callers = await times(asked, (one) => findCallers(unasked, one))
    const definitions = await times(asked, (one) => findDefinitions(tree, symbolName(one)))
    const first = await times(asked, (one) => findReferences(tree, one))
    const again = await times(asked, (one) => findReferences(tree, one))
    const answers = await Promise.all(asked.map((one) => findReferences(tree, one)))
    const sum = (count: (answer: (typeof answers)[number]) => number) =>
      answers.reduce((total, answer) => total + count(answer), 0)
    const { files, bytes } = reportOf(refreshed, null)
    return {
      repository: nameOf(folder),
      files,
      'MB of code': rounded(bytes / 1e6),
      names: asked.length,
      'open ms': Math.round(opened - opening),
      'resolve ahead ms': Math.round(resolvedMs),
      'def first p50 ms': rounded(at(definitions, 0.5)),
      'def first p95 ms': rounded(at(definitions, 0.95)),
      'refs first p50 ms': rounded(at(first, 0.5)),
      'refs first p95 ms': rounded(at(first, 0.95)),
      'refs lazy p50 ms': rounded(at(lazy, 0.5)),
      'refs lazy p95 ms': rounded(at(lazy, 0.95)),
      'refs again p50 ms': rounded(at(again, 0.5)),
      'refs again p95 ms': rounded(at(again, 0.95)),
      'callers lazy worst ms': rounded(at(callers, 1)),
      ...(await searched(change.head, asked, at(first, 0.5), at(again, 0.5))),
      references: sum(({ references }) => references.length),
      'not resolved': sum(({ unresolved }) => unresolved.length),
    }
  } finally {
    await Promise.all([store.close(), change.close()])
  }
}

/** Texts and facts, and what the files import. */
async function readAll({ world }: CodeTree, paths: readonly string[]): Promise<void> {
  const texts = await world.texts(paths)
  for (const [path, facts] of await world.factsOf(paths)) {
    const place = { path, facts, enclosing: null, text: texts.get(path) ?? null }
    if (place.text !== null) linesOf(facts, place.text)
    for (const fact of facts.imports) await resolveImport(world, place, fact)
  }
}

/** Every use of a name that the tree defines. */
async function resolveAll(
  { world }: CodeTree,
  paths: readonly string[],
  isDefined: (name: string) => boolean,
): Promise<void> {
  for (const [path, facts] of await world.factsOf(paths)) {
    const place = { path, facts, enclosing: null, text: await world.text(path) }
    for (const name of new Set(facts.references.map((one) => one.name)))
      if (isDefined(name)) await resolvedUses(world, place, name)
  }
}

/** The other tools over the same files; null for one that is not here. */
function searched(
  snapshot: RepoSnapshot,
  asked: readonly Definition[],
  first: number,
  again: number,
): Promise<Row> {
  return withFiles(snapshot, (folder) => {
    const rg =
      programOn('rg') &&
      median(everyNth(asked, searches.rg), (one) => ['rg', '-w', '-n', '-F', symbolOf(one).name, folder])
    const program = programOn(values['ast-grep'])
    const astGrep =
      program &&
      median(everyNth(asked, searches.astGrep), (one) => [
        program,
        'run',
        '--pattern',
        symbolOf(one).name,
        '--lang',
        one.facts.language,
        '--json=stream',
        folder,
      ])
    return {
      'rg p50 ms': rg && rounded(rg),
      'rg / refs first': rg && Math.round(rg / first),
      'rg / refs again': rg && Math.round(rg / again),
      'ast-grep p50 ms': astGrep && rounded(astGrep),
      'ast-grep / refs first': astGrep && Math.round(astGrep / first),
      'ast-grep / refs again': astGrep && Math.round(astGrep / again),
    }
  })
}

function median(asked: readonly Definition[], command: (one: Definition) => string[]): number {
  const taken = asked.map((one) => {
    const [program = '', ...args] = command(one)
    const start = performance.now()
    spawnSync(program, args, { stdio: ['ignore', 'ignore', 'ignore'] })
    return performance.now() - start
  })
  return at(taken, 0.5)
}
