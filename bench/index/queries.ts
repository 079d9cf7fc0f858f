/**
 * How long a question about code takes in a process that has the tree at hand, beside one `git grep -w` for the name.
 * Usage: node bench/index/queries.ts GIT_DIRECTORY… [--names 200] [--json FILE]. The names are every n-th definition of the tree, so that
 * two runs ask the same. `first` is a question never asked before; `again` the same one once more.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import { findCallers } from '../../src/code-index/query/callers.ts'
import { findDefinitions } from '../../src/code-index/query/definitions.ts'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import { findReferences } from '../../src/code-index/query/references.ts'
import type { Definition } from '../../src/code-index/resolve/contract.ts'
import { symbolOf } from '../../src/code-index/resolve/symbols.ts'
import { refreshTree } from '../../src/code-index/tree-index/refresh.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { names: { type: 'string', default: '200' }, json: { type: 'string' } },
})

if (positionals.length === 0) {
  process.stderr.write('usage: node bench/index/queries.ts GIT_DIRECTORY… [--names 200] [--json FILE]\n')
  process.exitCode = 2
} else {
  const rows: Record<string, string | number>[] = []
  for (const folder of positionals) rows.push(await measure(folder))
  console.table(rows)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
}

async function measure(folder: string): Promise<Record<string, string | number>> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const store = createFactStore({ cacheFolder: null })
  try {
    const opening = performance.now()
    const refreshed = await refreshTree({ snapshot: change.head, facts: store, stored: null })
    if (!('tree' in refreshed)) throw new Error(refreshed.why)
    const tree = await openCodeTree(change.head, store, { index: refreshed.tree.index })
    const sources = (await change.head.list()).flatMap(({ path }) => (languageOf(path) ? [path] : []))
    const facts = await tree.world.factsOf(sources)
    const openMs = performance.now() - opening
    const all: Definition[] = [...facts].flatMap(([path, one]) =>
      one.symbols.flatMap(({ kind, isTest, name }, index) =>
        isTest || kind === 'impl' || name.length < 4 ? [] : [{ path, facts: one, index }],
      ),
    )
    const asked = everyNth(all, Number(values.names))
    const definitions = await times(asked, (one) => findDefinitions(tree, symbolOf(one).name))
    const first = await times(asked, (one) => findReferences(tree, one))
    const again = await times(asked, (one) => findReferences(tree, one))
    const callers = await times(asked, (one) => findCallers(tree, one))
    const grep = await times(asked.slice(0, 40), (one) => gitGrep(folder, symbolOf(one).name))
    const answers = await Promise.all(asked.map((one) => findReferences(tree, one)))
    const sum = (count: (answer: (typeof answers)[number]) => number) =>
      answers.reduce((total, answer) => total + count(answer), 0)
    return {
      repository: basename(dirname(resolve(folder))),
      files: facts.size,
      names: asked.length,
      'open ms': Math.round(openMs),
      'def p50': ms(at(definitions, 0.5)),
      'refs first p50': ms(at(first, 0.5)),
      'refs first p95': ms(at(first, 0.95)),
      'refs again p50': ms(at(again, 0.5)),
      'callers worst': ms(at(callers, 1)),
      'git grep p50': ms(at(grep, 0.5)),
      'grep / refs first': Math.round(at(grep, 0.5) / at(first, 0.5)),
      'grep / refs again': Math.round(at(grep, 0.5) / at(again, 0.5)),
      references: sum(({ references }) => references.length),
      'not resolved': sum(({ unresolved }) => unresolved.length),
    }
  } finally {
    await Promise.all([store.close(), change.close()])
  }
}

async function times(asked: readonly Definition[], ask: (one: Definition) => unknown): Promise<number[]> {
  const taken: number[] = []
  for (const one of asked) {
    const start = performance.now()
    await ask(one)
    taken.push(performance.now() - start)
  }
  return taken.sort((a, b) => a - b)
}

function gitGrep(folder: string, word: string): void {
  try {
    execFileSync('git', ['-C', folder, 'grep', '-n', '-w', '-F', '-e', word, 'HEAD'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    })
  } catch {
    // It ends with 1 when nothing is found.
  }
}

function everyNth<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / most))
  return items.filter((_, at) => at % step === 0).slice(0, most)
}

/** `sorted` ascending; 1 is the last. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function ms(value: number): number {
  return Number(value.toPrecision(3))
}
